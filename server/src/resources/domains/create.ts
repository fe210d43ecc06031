import { randomBytes } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { system, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { domainsMax, readDomain } from './domain.ts';
import { countDomains, type DomainRow, insertDomain, isTaken } from './sql.ts';

/**
 * Names a domain that the organization says is its own, and makes the challenge that proves it.
 * Throws Failure 'schema_mismatch', 'personal_address', 'domain_taken', 'name_taken', 'limit_exceeded'.
 */
export async function createDomain(app: App, ctx: Context<OrganizationScope>, asked: string): Promise<DomainRow> {
  const domain = readDomain(asked);
  if (app.isPersonal(domain)) throw refuse('personal_address', `${domain} gives mailboxes to anybody`);
  if (await system(app.db, 'find domain', (tx) => isTaken(tx, domain, ctx.organizationId))) throw taken(domain);
  return tenant(app.db, ctx, async (tx) => {
    const challenge = randomBytes(24).toString('base64url');
    const row = await insertDomain(tx, ctx, { domain, challenge });
    if (!row) throw refuse('name_taken', `${domain} is among the domains of the organization already`);
    if ((await countDomains(tx, ctx)) > domainsMax)
      throw refuse('limit_exceeded', `an organization has at most ${domainsMax} domains`);
    await record(tx, ctx, 'domain-creation', { type: 'domain', id: row.id }, { domain });
    return row;
  });
}

/** The refusal of a domain of another organization. */
export function taken(domain: string) {
  return refuse('domain_taken', `${domain}, or a domain above or below it, is of another organization`);
}
