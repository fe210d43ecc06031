import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

/** Keeps two from changing which days of a workspace are in columns, until the transaction ends. */
export async function lockColumns(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`prediction columns ${workspaceId}`}, 0))`.execute(tx);
}

/** The workspaces that have predictions with ids between two bounds. */
export async function selectWorkspacesWithin(tx: Tx, from: string, until: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w
    where exists (select from predictions as p where p.workspace_id = w.id and p.id >= ${from} and p.id < ${until})
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Which of some days, whose ids lie from `first` to before `until`, have predictions and no columns. */
export async function selectDaysWithout(
  tx: Tx,
  { workspaceId }: Context,
  days: readonly { readonly day: string; readonly first: string; readonly until: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select d.day from unnest(${days.map(({ day }) => day)}::text[], ${days.map(({ first }) => first)}::text[],
      ${days.map(({ until }) => until)}::text[]) as d (day, first, until)
    where exists (select from predictions as p
        where p.workspace_id = ${workspaceId} and p.id >= d.first and p.id < d.until)
      and not exists (select from prediction_columns as c
        where c.workspace_id = ${workspaceId} and c.day = d.day::date)
    order by d.day`.execute(tx);
  return rows.map(({ day }) => day);
}

/** The models that answered predictions with ids between two bounds, which are not erased. */
export async function selectModels(tx: Tx, { workspaceId }: Context, from: string, until: string): Promise<string[]> {
  const { rows } = await sql<{ model_id: string }>`
    select distinct model_id from predictions
    where workspace_id = ${workspaceId} and id >= ${from} and id < ${until} and erased_at is null
    order by model_id`.execute(tx);
  return rows.map(({ model_id }) => model_id);
}

/** A prediction of the log, as a line of JSON. */
export type LogLine = { readonly id: string; readonly line: string };

/** What answers tell beside their numbers, which is not kept in columns. */
const told = ['key_factors', 'risk_factors', 'explanation', 'explained', 'interval', 'warnings', 'network_flags'];

/** The predictions of a model with ids after `after` and before `until`, by id, at most `most`. */
export async function selectLines(
  tx: Tx,
  { workspaceId }: Context,
  { modelId, after, until, most }: { modelId: string; after: string; until: string; most: number },
): Promise<LogLine[]> {
  const { rows } = await sql<LogLine>`
    select id, jsonb_build_object('id', id, 'version', version_id, 'as_of', as_of, 'alias', alias,
      'entity', entity_key, 'inputs', inputs, 'outputs', outputs - ${told}::text[])::text as line
    from predictions
    where workspace_id = ${workspaceId} and id > ${after} and id < ${until} and model_id = ${modelId}
      and erased_at is null
    order by id limit ${most}`.execute(tx);
  return rows;
}

export type ColumnsRow = {
  readonly day: string;
  readonly model_id: string;
  readonly storage_key: string;
  readonly sha256: string | null;
  readonly rows: number;
};

/** The days of a model that are in columns, from one day to another, in order. */
export function selectColumns(
  tx: Tx,
  { workspaceId }: Context,
  modelId: string,
  first: string,
  last: string,
): Promise<ColumnsRow[]> {
  return tx
    .selectFrom('prediction_columns')
    .select(['day', 'model_id', 'storage_key', 'sha256', 'rows'])
    .where('workspace_id', '=', workspaceId)
    .where('model_id', '=', modelId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .where('sha256', 'is not', null)
    .orderBy('day')
    .execute();
}

/** Writes down the objects that are about to be made of a day; none where others are about to. */
export async function insertDay(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  day: string,
  objects: readonly { readonly model_id: string; readonly storage_key: string }[],
): Promise<void> {
  await tx
    .insertInto('prediction_columns')
    .values(objects.map((one) => ({ organization_id: organizationId, workspace_id: workspaceId, day, ...one })))
    .execute();
}

export async function hasDay(tx: Tx, { workspaceId }: Context, day: string): Promise<boolean> {
  const found = await tx
    .selectFrom('prediction_columns')
    .select('day')
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', day)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Says that an object is stored. Returns false where its day was dropped meanwhile. */
export async function finishObject(
  tx: Tx,
  storageKey: string,
  done: { readonly sha256: string; readonly rows: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('prediction_columns')
    .set(done)
    .where('storage_key', '=', storageKey)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Which days' columns go: some days, those before a day, or those that nobody has finished since a moment. */
export type Dropped =
  | { readonly days: readonly string[] }
  | { readonly before: string }
  | { readonly unfinishedSince: Date };

/** Deletes the rows of days of a workspace; returns the keys of their objects. */
export async function deleteDays(tx: Tx, { workspaceId }: Context, dropped: Dropped): Promise<string[]> {
  const which =
    'days' in dropped
      ? sql`day = any(${dropped.days}::date[])`
      : 'before' in dropped
        ? sql`day < ${dropped.before}::date`
        : sql`day in (select day from prediction_columns where workspace_id = ${workspaceId}
            and sha256 is null and created_at < ${dropped.unfinishedSince})`;
  const { rows } = await sql<{ storage_key: string }>`
    delete from prediction_columns where workspace_id = ${workspaceId} and ${which}
    returning storage_key`.execute(tx);
  return rows.map(({ storage_key }) => storage_key);
}
