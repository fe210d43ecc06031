import { sql } from 'kysely';
import type { Tx } from '../../../access/transactions.ts';
import type { AuditAction } from '../../../trail/catalog.ts';

const evaluationsMax = 20;
const entriesMax = 200;

/** The newest evaluations of a version that have a result, the newest first. */
export async function selectEvaluationsOf(tx: Tx, versionId: string) {
  return tx
    .selectFrom('evaluations')
    .select(['id', 'as_of', 'finished_at', 'segments', 'result'])
    .where('status', '=', 'succeeded')
    .where('result', 'is not', null)
    .where(sql<boolean>`model->>'version_id' = ${versionId}`)
    .orderBy('id', 'desc')
    .limit(evaluationsMax)
    .execute();
}

/** What became of a version, by which everybody may read who may see models. */
const versionActs = [
  ...['model-version-creation', 'model-version-activation', 'model-version-deactivation'],
  ...['model-version-promotion', 'model-version-demotion', 'model-version-rollback'],
  ...['model-version-validation', 'model-version-approval', 'model-gates-override'],
] as const satisfies readonly AuditAction[];

export type VersionAct = (typeof versionActs)[number];

/** What became of a version by the audit trail, the oldest first; of very many acts the newest. */
export async function selectActsOn(tx: Tx, workspaceId: string, versionId: string) {
  const rows = await tx
    .selectFrom('audit_entries')
    .select(['recorded_at', 'action', 'actor_type', 'actor_id', 'actor_label', 'data'])
    .where('workspace_id', '=', workspaceId)
    .where('target_id', '=', versionId)
    .where('outcome', '=', 'succeeded')
    .where('action', 'in', [...versionActs])
    .orderBy('recorded_at', 'desc')
    .limit(entriesMax)
    .execute();
  return rows.reverse();
}

/** The newest validation of a version that has a result; undefined where there is none. */
export function selectValidationOf(tx: Tx, versionId: string) {
  return tx
    .selectFrom('validations')
    .select(['id', 'compare_with_version_id', 'as_of', 'result'])
    .where('version_id', '=', versionId)
    .where('status', '=', 'succeeded')
    .where('result', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest judgement of the answers of a version, and the alarms that are on. */
export async function selectWatchOf(tx: Tx, versionId: string) {
  const monitored = await tx
    .selectFrom('monitored_versions')
    .select(['signals', 'report', 'counted_until', 'judged_at'])
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  const alarms = await tx
    .selectFrom('model_alarms')
    .select(['kind', 'signals', 'raised_at'])
    .where('version_id', '=', versionId)
    .where('cleared_at', 'is', null)
    .orderBy('id')
    .execute();
  return { monitored, alarms };
}

/** The version of a model with the number before another one; undefined where there is none. */
export function selectVersionBefore(tx: Tx, modelId: string, number: number) {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('number', '<', number)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The training run that made a version. */
export function selectRunOf(tx: Tx, id: string) {
  return tx
    .selectFrom('training_runs')
    .select(['id', 'started_at', 'finished_at', 'pretrain', 'feedback', 'data_until'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What a model was asked to answer. */
export function selectTaskOf(tx: Tx, id: string) {
  return tx
    .selectFrom('tasks')
    .select(['name', 'kind', 'definition', 'query', 'question'])
    .where('id', '=', id)
    .executeTakeFirst();
}
