import { type Insertable, sql } from 'kysely';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import type { Check } from '../../../ml/validation/checks.ts';
import type { GatePolicy } from '../../../schema/json.ts';
import type { VersionApprovals } from '../../../schema/tables.ts';

/** The gates of a model; undefined where nobody has changed any. */
export function selectGates(tx: Tx, modelId: string) {
  return tx
    .selectFrom('model_gates')
    .select(['policy', 'updated_by', 'updated_at'])
    .where('model_id', '=', modelId)
    .executeTakeFirst();
}

/** Has others who change the gates of a model wait until the transaction ends, even when it has no row yet. */
export async function lockGates(tx: Tx, modelId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gates ${modelId}`}, 0))`.execute(tx);
}

export async function upsertGates(tx: Tx, ctx: Context, modelId: string, policy: GatePolicy): Promise<void> {
  const change = { policy: JSON.stringify(policy), updated_by: ctx.actor.label, updated_at: new Date() };
  await tx
    .insertInto('model_gates')
    .values({ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, model_id: modelId, ...change })
    .onConflict((conflict) => conflict.column('model_id').doUpdateSet(change))
    .execute();
}

/**
 * Whether an alias has pointed at a version before, and since when it was moved back from it without the version having
 * passed the gates again.
 */
export async function selectHeld(
  tx: Tx,
  modelId: string,
  alias: string,
  versionId: string,
): Promise<{ readonly hasHeld: boolean; readonly rolledBackAt: Date | null }> {
  const holder = await tx
    .selectFrom('alias_holders')
    .select('version_id')
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  const rollback = await tx
    .selectFrom('rollbacks')
    .select('created_at')
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .where('from_version_id', '=', versionId)
    .where('passed_at', 'is', null)
    .executeTakeFirst();
  return { hasHeld: holder !== undefined, rolledBackAt: rollback?.created_at ?? null };
}

/** Keeps that a version which an alias was moved back from has passed the gates again. */
export async function markPassed(tx: Tx, modelId: string, alias: string, versionId: string): Promise<void> {
  await tx
    .updateTable('rollbacks')
    .set({ passed_at: new Date() })
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .where('from_version_id', '=', versionId)
    .where('passed_at', 'is', null)
    .execute();
}

/** A validation of a version against another one, as gates read it. */
export type GateValidation = {
  readonly id: string;
  readonly status: string;
  readonly checks: readonly Check[];
  readonly as_of: Date;
  readonly time_zone: string;
  readonly created_at: Date;
};

/** What a validation must be for gates to count it. */
export type CountingRule = {
  /** The newest data of the workspace: a validation over them may be of any age. */
  readonly snapshotId: string | null;
  /** Over other data it was asked for after this. */
  readonly after: Date;
  /** Over any data it was asked for after the alias was moved back from the version. */
  readonly rolledBackAt: Date | null;
};

/**
 * The newest validation of a version against another one that gates count: one that has read all that was known when it
 * was asked for, over data that are not long gone. `ignored`: a newer one that they do not.
 */
export async function selectCountingValidation(
  tx: Tx,
  versionId: string,
  compareWith: string,
  { snapshotId, after, rolledBackAt }: CountingRule,
): Promise<{ readonly counting: GateValidation | undefined; readonly ignored: GateValidation | undefined }> {
  const known = tx
    .selectFrom('validations')
    .select(['id', 'status', 'result', 'as_of', 'time_zone', 'created_at'])
    .where('version_id', '=', versionId)
    .where('compare_with_version_id', '=', compareWith)
    .where('status', '!=', 'interrupted')
    .orderBy('id', 'desc')
    .limit(1);
  const newest = await known.executeTakeFirst();
  const counting = await known
    .whereRef('as_of', '>=', 'created_at')
    .where(({ eb, or }) => or([eb('snapshot_id', '=', snapshotId ?? ''), eb('created_at', '>=', after)]))
    .where('created_at', '>', rolledBackAt ?? new Date(0))
    .executeTakeFirst();
  return {
    counting: counting && withChecks(counting),
    ignored: newest && newest.id !== counting?.id ? withChecks(newest) : undefined,
  };
}

function withChecks({ result, ...row }: Omit<GateValidation, 'checks'> & { readonly result: unknown }): GateValidation {
  return { ...row, checks: storedChecks(result) };
}

/** The checks of a stored report, which the service itself wrote, so that the cast holds. */
function storedChecks(result: unknown): readonly Check[] {
  return (result as { readonly checks: readonly Check[] } | null)?.checks ?? [];
}

/** A question of callers with both answers to it; `after` null where the version in the shadow would refuse it. */
export type Shadowed = { readonly before: number; readonly after: number | null; readonly created_at: Date };

/**
 * The newest questions that a version answered in the shadow of another one, by id, at most `most`: with ids after
 * `from`, asked until a moment.
 */
export async function selectShadowed(
  tx: Tx,
  { workspaceId }: Pick<Context, 'workspaceId'>,
  version: { readonly id: string; readonly model_id: string },
  {
    of,
    from,
    until,
    most,
  }: { readonly of: string; readonly from: string; readonly until: Date; readonly most: number },
): Promise<Shadowed[]> {
  const { rows } = await sql<Shadowed>`
    select s.before, s.after, p.created_at
    from shadow_predictions as s
    join predictions as p on p.workspace_id = s.workspace_id and p.id = s.prediction_id
    where s.workspace_id = ${workspaceId} and s.model_id = ${version.model_id} and s.version_id = ${version.id}
      and s.prediction_id > ${from} and s.before is not null and p.version_id = ${of} and p.created_at <= ${until}
    order by s.prediction_id desc limit ${most}`.execute(tx);
  return rows.reverse();
}

/** How many people but `person` have approved a version for an alias, since a moment. */
export async function countApprovals(
  tx: Tx,
  versionId: string,
  alias: string,
  { person, since }: { readonly person: string | null; readonly since: Date | null },
): Promise<number> {
  const { count } = await tx
    .selectFrom('version_approvals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('version_id', '=', versionId)
    .where('alias', '=', alias)
    .where('user_id', '!=', person ?? '')
    .where('created_at', '>', since ?? new Date(0))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Most approvals of a version that are listed. */
const approvalsMax = 200;

export function selectApprovals(tx: Tx, versionId: string) {
  return tx
    .selectFrom('version_approvals')
    .selectAll()
    .where('version_id', '=', versionId)
    .orderBy('id', 'desc')
    .limit(approvalsMax)
    .execute();
}

/**
 * Inserts an approval; undefined where the person has approved the same before. What was approved before the alias was
 * moved back from the version is approved anew.
 */
export function insertApproval(
  tx: Tx,
  ctx: Context,
  row: Omit<Insertable<VersionApprovals>, 'organization_id' | 'workspace_id'>,
  rolledBackAt: Date | null,
) {
  return tx
    .insertInto('version_approvals')
    .values({ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['version_id', 'alias', 'user_id'])
        .doUpdateSet({ id: row.id, approved_by: row.approved_by, comment: row.comment, created_at: new Date() })
        .where('version_approvals.created_at', '<=', rolledBackAt ?? new Date(0)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** The person who acts, themselves or by a key that they made; null for what no person does. */
export function selectPerson(tx: Tx, { actor }: Pick<Context, 'actor'>): Promise<string | null> {
  return personBehind(tx, actor.type, actor.id);
}

/** The person who asked for a training run, themselves or by a key. */
export async function selectTrainer(tx: Tx, runId: string): Promise<string | null> {
  const run = await tx
    .selectFrom('training_runs')
    .select(['actor_type', 'actor_id'])
    .where('id', '=', runId)
    .executeTakeFirst();
  return run ? personBehind(tx, run.actor_type, run.actor_id) : null;
}

async function personBehind(tx: Tx, type: string | null, id: string | null): Promise<string | null> {
  if (id === null || (type !== 'user' && type !== 'api_key')) return null;
  if (type === 'user') return id;
  const key = await tx.selectFrom('api_keys').select('user_id').where('id', '=', id).executeTakeFirst();
  return key?.user_id ?? null;
}
