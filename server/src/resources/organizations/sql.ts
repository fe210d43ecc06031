import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';

export async function insertOrganization(tx: Tx, id: string, name: string): Promise<void> {
  await tx.insertInto('organizations').values({ id, name }).execute();
}

export async function selectOrganization(tx: Tx, { organizationId }: Context<OrganizationScope>) {
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'second_factor', 'created_at'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
}
export type OrganizationRow = Awaited<ReturnType<typeof selectOrganization>>;

export async function updateOrganization(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  change: { readonly name?: string; readonly second_factor?: 'optional' | 'required' },
): Promise<void> {
  await tx.updateTable('organizations').set(change).where('id', '=', organizationId).execute();
}
