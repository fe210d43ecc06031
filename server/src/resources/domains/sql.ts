import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';

const columns = ['id', 'organization_id', 'domain', 'challenge', 'created_at', 'verified_at'] as const;

/** Newest first. */
export async function selectDomains(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  before: string | null,
  most: number,
) {
  return tx
    .selectFrom('domains')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type DomainRow = Awaited<ReturnType<typeof selectDomains>>[number];

export async function selectDomain(tx: Tx, organizationId: string, id: string): Promise<DomainRow | undefined> {
  return tx
    .selectFrom('domains')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns undefined when the organization has it already. */
export async function insertDomain(
  tx: Tx,
  { organizationId, actor }: Context<OrganizationScope>,
  { domain, challenge }: { readonly domain: string; readonly challenge: string },
): Promise<DomainRow | undefined> {
  return tx
    .insertInto('domains')
    .values({ id: newId('dom'), organization_id: organizationId, domain, challenge, created_by: actor.id })
    .onConflict((conflict) => conflict.columns(['organization_id', 'domain']).doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function countDomains(tx: Tx, { organizationId }: Context<OrganizationScope>): Promise<number> {
  const { count } = await tx
    .selectFrom('domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function deleteRow(tx: Tx, { organizationId }: Context<OrganizationScope>, id: string) {
  return tx
    .deleteFrom('domains')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** Waits until no other transaction proves a domain. */
export async function lockProofs(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('proofs of domains', 0))`.execute(tx);
}

/**
 * Whether another organization has proved this domain, one above it or one below it. `tx` is of the system, which sees
 * the domains of all.
 */
export async function isTaken(tx: Tx, domain: string, organizationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('domains')
    .select('id')
    .where('organization_id', '<>', organizationId)
    .where('verified_at', 'is not', null)
    .where((or) =>
      or.or([
        or('domain', '=', domain),
        // Domains have neither % nor _ nor a backslash.
        or('domain', 'like', `%.${domain}`),
        sql<boolean>`${domain} like '%.' || domain`,
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markVerified(tx: Tx, id: string): Promise<DomainRow | undefined> {
  return tx
    .updateTable('domains')
    .set({ verified_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** The organization that has proved a domain. */
export async function selectOwner(tx: Tx, domain: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('domains')
    .select('organization_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return row?.organization_id;
}

/** The organization that has proved a domain and wants its members to sign in by single sign-on. */
export async function selectEnforcer(tx: Tx, domain: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('domains as d')
    .innerJoin('organizations as o', 'o.id', 'd.organization_id')
    .select('o.id')
    .where('d.domain', '=', domain)
    .where('d.verified_at', 'is not', null)
    .where('o.single_sign_on', '=', 'required')
    // A suspended organization keeps nobody out of others.
    .where('o.status', '=', 'active')
    .executeTakeFirst();
  return row?.id;
}

/** Whether a user could sign in as a break-glass admin of some organization. */
export async function isBreakGlassAdmin(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('break_glass_admins')
    .select('user_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`is_ready_break_glass(organization_id, user_id)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a user has a role in an organization or one of its workspaces. */
export async function hasRole(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('grants')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
