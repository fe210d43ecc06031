import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { hashPlaceOf } from '../../lib/db/hash-place.ts';
import type { Cutoff } from '../../ml/evaluation/compare-answers.ts';
import type { ShadowRow } from './shadow.ts';

/** A version that shadows its model. */
export type ShadowKey = { readonly modelId: string; readonly versionId: string };

/** A row with two answers to one question. */
export type ShadowAnswer = { readonly id: string; readonly before: number | null; readonly after: number | null };

/** Holds while a shadow has not seen a prediction that there is. */
export const isAnyUnseen = `exists (select from shadows as s where s.share > 0 and s.lease_until <= now()
  and exists (select from predictions as p where p.workspace_id = s.workspace_id and p.id > s.seen))`;

export function selectShadow(tx: Tx, { modelId, versionId }: ShadowKey): Promise<ShadowRow | undefined> {
  return tx
    .selectFrom('shadows')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('version_id', '=', versionId)
    .executeTakeFirst();
}

/** The shadows of a model, the newest version first, with how many answers each has. */
export async function selectShadows(tx: Tx, modelId: string, before: string | null, most: number) {
  const { rows } = await sql<ShadowRow & { id: string; rows: number; refused: number }>`
    select s.*, s.version_id as id, counted.*
    from shadows as s cross join lateral (
      select count(*)::int as rows, (count(*) filter (where after is null))::int as refused
      from shadow_predictions as p
      where p.workspace_id = s.workspace_id and p.model_id = s.model_id and p.version_id = s.version_id) as counted
    where s.model_id = ${modelId} and (${before}::text is null or s.version_id < ${before})
    order by s.version_id desc limit ${most}`.execute(tx);
  return rows;
}

/** Starts a shadow that answers predictions with ids after `from`, or changes it; another alias begins anew. */
export async function upsertShadow(
  tx: Tx,
  { organizationId, workspaceId, actor }: Context,
  { modelId, versionId }: ShadowKey,
  { alias, share, cutoff, from }: { alias: string; share: number; cutoff: Cutoff | null; from: string },
): Promise<void> {
  await tx
    .deleteFrom('shadows')
    .where('model_id', '=', modelId)
    .where('version_id', '=', versionId)
    .where('alias', '<>', alias)
    .execute();
  const change = { share, cutoff: cutoff && JSON.stringify(cutoff) };
  await tx
    .insertInto('shadows')
    .values({
      ...{ organization_id: organizationId, workspace_id: workspaceId, model_id: modelId, version_id: versionId },
      ...{ alias, ...change, position: from, seen: from, created_by: actor.label },
    })
    // What came while it answered none is none of its.
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'model_id', 'version_id']).doUpdateSet({
        ...change,
        position: sql`case when shadows.share = 0 then excluded.position else shadows.position end`,
        seen: sql`case when shadows.share = 0 then excluded.seen else shadows.seen end`,
      }),
    )
    .execute();
}

export async function removeShadow(tx: Tx, { modelId, versionId }: ShadowKey): Promise<void> {
  await tx.deleteFrom('shadows').where('model_id', '=', modelId).where('version_id', '=', versionId).execute();
}

/** The shadows that have something to answer, and are nobody's now; from here on they are the caller's for a while. */
export async function claimShadows(tx: Tx, leaseSeconds: number, most: number): Promise<ShadowRow[]> {
  const { rows } = await sql<ShadowRow>`
    update shadows set lease_until = now() + ${leaseSeconds} * interval '1 second'
    where (workspace_id, model_id, version_id) in (
      select workspace_id, model_id, version_id from shadows as s
      where s.share > 0 and s.lease_until <= now()
        and exists (select from predictions as p where p.workspace_id = s.workspace_id and p.id > s.position)
      order by lease_until limit ${most} for update skip locked)
    returning *`.execute(tx);
  return rows;
}

export type ShadowLine = { readonly id: string; readonly snapshot_id: string; readonly line: string };

/**
 * The predictions that a shadow has not answered, by id, at most `most`: those of its alias that are about its share of
 * all, by a hash of the key, or of the inputs without one. A larger share has all of a smaller one.
 */
export async function selectUnanswered(tx: Tx, shadow: ShadowRow, most: number): Promise<ShadowLine[]> {
  const { rows } = await sql<ShadowLine>`
    select id, snapshot_id, jsonb_build_object('id', id, 'version', version_id, 'as_of', as_of, 'alias', alias,
      'entity', entity_key, 'inputs', inputs, 'outputs', outputs)::text as line
    from predictions as p
    where workspace_id = ${shadow.workspace_id} and id > ${shadow.position} and model_id = ${shadow.model_id}
      and alias = ${shadow.alias} and erased_at is null
      and ${hashPlaceOf(sql`coalesce(entity_table || ' ' || entity_key, inputs::text)`)} < ${shadow.share}::float8
      and not exists (select from shadow_predictions as s where s.workspace_id = p.workspace_id
        and s.model_id = p.model_id and s.version_id = ${shadow.version_id} and s.prediction_id = p.id)
    order by id limit ${most}`.execute(tx);
  return rows;
}

/** Where the files of a version are stored, and its GFM version; one, or none where it was deleted. */
export function selectStoredVersion(tx: Tx, id: string) {
  return tx
    .selectFrom('model_versions')
    .select(['id', 'model_id', 'storage_prefix', 'files', 'gfm_version_id'])
    .where('id', '=', id)
    .execute();
}

/** The id of the newest prediction of the workspace. */
export async function selectNewest(tx: Tx, workspaceId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('predictions')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Keeps answers of a shadow that there still is, each once, and how far it is. */
export async function keepAnswers(
  tx: Tx,
  shadow: ShadowRow,
  answered: readonly ShadowAnswer[],
  { position, seen, answers }: { position: string; seen: string; answers: object | null },
): Promise<void> {
  const { organization_id, workspace_id, model_id, version_id } = shadow;
  const { rows } = await sql`
    update shadows set position = greatest(position, ${position}), seen = greatest(seen, ${seen}), lease_until = now(),
      answers = coalesce(${answers && JSON.stringify(answers)}::jsonb, answers)
    where workspace_id = ${workspace_id} and model_id = ${model_id} and version_id = ${version_id}
    returning 1`.execute(tx);
  if (rows.length === 0 || answered.length === 0) return;
  await sql`
    insert into shadow_predictions (organization_id, workspace_id, model_id, version_id, prediction_id, before, after)
    select ${organization_id}, ${workspace_id}, ${model_id}, ${version_id}, p.id, a.before, a.after
    from unnest(${answered.map(({ id }) => id)}::text[], ${answered.map(({ before }) => before)}::float8[],
      ${answered.map(({ after }) => after)}::float8[]) as a (id, before, after)
    join predictions as p on p.id = a.id and p.workspace_id = ${workspace_id} and p.erased_at is null
    on conflict do nothing`.execute(tx);
}

/** How many answers a shadow has, and how many questions it would refuse. */
export async function countAnswers(tx: Tx, { modelId, versionId }: ShadowKey) {
  const { rows } = await sql<{ rows: number; refused: number }>`
    select count(*)::int as rows, (count(*) filter (where after is null))::int as refused
    from shadow_predictions where model_id = ${modelId} and version_id = ${versionId}`.execute(tx);
  return rows[0];
}

/** The newest pairs of answers, at most `most`, by id. */
export async function selectPairs(tx: Tx, { modelId, versionId }: ShadowKey, most: number) {
  const rows = await tx
    .selectFrom('shadow_predictions')
    .select(['before', 'after'])
    .where('model_id', '=', modelId)
    .where('version_id', '=', versionId)
    .where('before', 'is not', null)
    .where('after', 'is not', null)
    .orderBy('prediction_id', 'desc')
    .limit(most)
    .$narrowType<{ before: number; after: number }>()
    .execute();
  return rows.reverse();
}

/** Removes what shadows said to some predictions, or to all with ids before a bound. */
export async function deleteAnswers(
  tx: Tx,
  { workspaceId }: Context,
  which: { readonly ids: readonly string[] } | { readonly before: string },
): Promise<void> {
  const those = 'ids' in which ? sql`prediction_id = any(${which.ids})` : sql`prediction_id < ${which.before}`;
  await sql`delete from shadow_predictions where workspace_id = ${workspaceId} and ${those}`.execute(tx);
}
