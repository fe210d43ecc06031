import type { Context } from '../../access/context.ts';
import type { RuleChannel } from '../../access/ip-rules.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';

const columns = [
  ...(['id', 'organization_id', 'workspace_id', 'api_key_id', 'applies_to', 'cidr', 'note'] as const),
  ...(['created_by', 'created_at'] as const),
];

/** The rules of exactly this scope, of its keys too. */
function rules(tx: Tx, { organizationId, workspaceId }: Context<Scope>) {
  return tx
    .selectFrom('ip_rules')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('workspace_id', 'is not distinct from', workspaceId);
}

/** Newest first; with a key, only the rules of that key. */
export async function selectRules(
  tx: Tx,
  ctx: Context<Scope>,
  keyId: string | undefined,
  before: string | null,
  most: number,
) {
  return rules(tx, ctx)
    .$if(keyId !== undefined, (query) => query.where('api_key_id', '=', keyId!))
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type RuleRow = Awaited<ReturnType<typeof selectRules>>[number];

/** The rules of one level: those of a key, or of the scope without those of its keys. */
export async function selectLevel(tx: Tx, ctx: Context<Scope>, keyId: string | null): Promise<RuleRow[]> {
  return rules(tx, ctx).where('api_key_id', 'is not distinct from', keyId).execute();
}

export type RuleToStore = {
  readonly id: string;
  readonly keyId: string | null;
  readonly appliesTo: RuleChannel;
  /** In CIDR notation, without bits beyond its length. */
  readonly cidr: string;
  readonly note: string | null;
};

/** Waits for other changes of rules in the same workspaces, whose epochs it counts up. */
export async function insertRule(tx: Tx, ctx: Context<Scope>, rule: RuleToStore): Promise<RuleRow> {
  return tx
    .insertInto('ip_rules')
    .values({
      ...{ id: rule.id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, api_key_id: rule.keyId },
      ...{ applies_to: rule.appliesTo, cidr: rule.cidr, note: rule.note },
      created_by: ctx.actor.type === 'user' ? ctx.actor.id : null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Waits as `insertRule` does. Returns undefined when the scope has no such rule. */
export async function deleteRow(tx: Tx, ctx: Context<Scope>, id: string): Promise<RuleRow | undefined> {
  return tx
    .deleteFrom('ip_rules')
    .where('id', '=', id)
    .where('organization_id', '=', ctx.organizationId)
    .where('workspace_id', 'is not distinct from', ctx.workspaceId)
    .returning(columns)
    .executeTakeFirst();
}

/** Deletes all rules of an organization, of its workspaces and of their keys, in a transaction of the system. */
export async function deleteAll(tx: Tx, organizationId: string): Promise<RuleRow[]> {
  return tx.deleteFrom('ip_rules').where('organization_id', '=', organizationId).returning(columns).execute();
}
