import { countAttempt, ofLookups } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { system, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { taken } from './create.ts';
import { recordOf } from './domain.ts';
import { type DomainRow, isTaken, lockProofs, markVerified, selectDomain } from './sql.ts';

/**
 * Proves a domain by the record that the organization has put into the DNS. Of two organizations that prove related
 * domains at once, one does. Throws Failure 'not_found', 'domain_not_proved', 'domain_taken', 'rate_limited',
 * 'unavailable'.
 */
export async function verifyDomain(app: App, ctx: Context<OrganizationScope>, id: string): Promise<DomainRow> {
  const row = await tenant(app.db, ctx, (tx) => selectDomain(tx, ctx.organizationId, id));
  if (!row) throw gone(id);
  if (row.verified_at !== null) return row;
  await system(app.db, 'verify domain', (tx) => countAttempt(tx, `domain ${ctx.organizationId}`, ofLookups));
  const { name, value } = recordOf(row);
  const found = await app.lookUpTexts(name);
  if (!found.includes(value)) throw refuse('domain_not_proved', `the DNS has ${told(found)} at ${name}, not ${value}`);
  return system(app.db, 'verify domain', async (tx) => {
    await lockProofs(tx);
    if (await isTaken(tx, row.domain, ctx.organizationId)) throw taken(row.domain);
    const proved = await markVerified(tx, id);
    if (!proved) throw gone(id);
    await record(tx, ctx, 'domain-verification', { type: 'domain', id }, { domain: row.domain });
    return proved;
  });
}

function told(found: readonly string[]): string {
  return found.length === 0 ? 'no TXT record' : `${found.length} TXT records, and none that says so,`;
}

function gone(id: string) {
  return refuse('not_found', `there is no domain ${id}`);
}
