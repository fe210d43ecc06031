import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Feature } from './organization.ts';

/** What may be changed; of how members sign in, whether it is `required`. */
export type OrganizationChange = {
  readonly name?: string;
  readonly second_factor?: 'optional' | 'required';
  readonly single_sign_on?: 'optional' | 'required';
};

export async function insertOrganization(tx: Tx, id: string, name: string): Promise<void> {
  await tx.insertInto('organizations').values({ id, name }).execute();
}

export async function selectOrganization(tx: Tx, { organizationId }: Context<OrganizationScope>) {
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'second_factor', 'single_sign_on', 'created_at'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
}
export type OrganizationRow = Awaited<ReturnType<typeof selectOrganization>>;

export async function updateOrganization(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  change: OrganizationChange,
): Promise<void> {
  await tx.updateTable('organizations').set(change).where('id', '=', organizationId).execute();
}

/** An organization as the operator sees it, in a transaction of the system; undefined when there is none. */
export async function selectForOperator(tx: Tx, id: string) {
  return tx
    .selectFrom('organizations as o')
    .select(['o.id', 'o.name', 'o.status', 'o.features', 'o.price_plan', 'o.second_factor', 'o.single_sign_on'])
    .select('o.created_at')
    .select((eb) => [
      eb
        .selectFrom('grants')
        .select((count) => count.fn.count<number>('user_id').distinct().as('members'))
        .whereRef('organization_id', '=', 'o.id')
        .as('members'),
      eb
        .selectFrom('workspaces')
        .select((count) => count.fn.countAll<number>().as('workspaces'))
        .whereRef('organization_id', '=', 'o.id')
        .as('workspaces'),
    ])
    .where('o.id', '=', id)
    .executeTakeFirst();
}

/** Returns false when the organization has that status already. */
export async function updateStatus(tx: Tx, id: string, status: 'active' | 'suspended'): Promise<boolean> {
  const updated = await tx
    .updateTable('organizations')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst();
  return Number(updated.numUpdatedRows) > 0;
}

/** Returns false when the feature is on, or off, already. */
export async function updateFeature(tx: Tx, id: string, feature: Feature, isOn: boolean): Promise<boolean> {
  const has = sql<boolean>`features @> array[${feature}]`;
  const updated = await tx
    .updateTable('organizations')
    .set({ features: isOn ? sql`array_append(features, ${feature})` : sql`array_remove(features, ${feature})` })
    .where('id', '=', id)
    .where(isOn ? sql<boolean>`not ${has}` : has)
    .executeTakeFirst();
  return Number(updated.numUpdatedRows) > 0;
}

export async function updatePricePlan(tx: Tx, id: string, plan: string): Promise<void> {
  await tx.updateTable('organizations').set({ price_plan: plan }).where('id', '=', id).execute();
}

export async function hasFeature(tx: Tx, id: string, feature: Feature): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .where(sql<boolean>`features @> array[${feature}]`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasActiveConnection(tx: Tx, { organizationId }: Context<OrganizationScope>): Promise<boolean> {
  const row = await tx
    .selectFrom('sso_connections')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasWorkspace(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
