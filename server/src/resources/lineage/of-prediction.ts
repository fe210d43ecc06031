import type { Static } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { pageSize } from '../../api/list.ts';
import { refuse } from '../../errors.ts';
import { makeCursor, readCursor } from '../../lib/http/cursor.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import {
  listedRowsMax,
  type ToldFeatureRows,
  type ToldLineage,
  type ToldPlace,
  type ToldRow,
} from '../../ml/inference/lineage.ts';
import { readManifest, type TablePart } from '../../ml/lake/manifest.ts';
import { momentOf } from '../../serving/as-of.ts';
import { readBody } from '../../serving/rows/body.ts';
import { endOfToday, momentAt } from '../../serving/rows/moments.ts';
import { requireSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type PartOf, type Source, sourcesOf } from '../ingestions/sources.ts';
import type { PredictionRow } from '../predictions/prediction.ts';
import type { predictionLineageSchema } from './prediction-lineage.ts';

export type LineageQuery = {
  readonly factor?: string;
  readonly language?: Context['language'];
  readonly limit?: number;
  readonly cursor?: string;
};

/**
 * Tells from which rows the factors of an answer were computed, by asking the version that answered once more over the
 * data that it answered from, as of then. The trail has an entry of the tables whose values are told. Throws Failure
 * 'pin_gone', 'invalid_parameter' for a factor that the answer does not have, 'invalid_cursor', 'budget_exceeded',
 * 'object_damaged'.
 */
export async function predictionLineage(
  app: App,
  ctx: Context,
  row: PredictionRow,
  { factor, language = ctx.language, limit, cursor }: LineageQuery,
): Promise<Static<typeof predictionLineageSchema>> {
  const { id, model_id, version_id, snapshot_id } = row;
  const list = JSON.stringify([ctx.workspaceId, 'lineage', id, factor]);
  const skip = cursor === undefined ? 0 : Number(readCursor(app.keys.cursors, list, cursor));
  const most = pageSize(limit);
  const pin = { versionId: version_id, snapshotId: snapshot_id };
  // That of the workspace may have changed since; of an older prediction it was not kept.
  const timeZone = row.time_zone ?? ctx.timeZone;
  const told = await app.serving.usePinned(ctx, pin, async ({ opened }) => {
    const now = Date.parse((row.outputs as { readonly generated_at: string }).generated_at);
    const today = endOfToday(timeZone, now);
    const { rows, day: asked } = readBody(row.inputs as Record<string, unknown>, opened.inputs, opened.missing, today);
    const moments = momentAt(timeZone, momentOf(asked, timeZone, now));
    return opened.lineage(rows, { ...moments, language, factor: factor ?? null, skip, most });
  });
  if (factor !== undefined && told.factors.length === 0) throw unknownFactor(factor, told.codes);
  const sourceOf = await openSources(app, ctx, snapshot_id, told);
  const rights = {
    values: ctx.permissions.has('download_files'),
    files: ctx.permissions.has('view_files'),
    ingestions: ctx.permissions.has('view_models'),
  };
  const data = told.features.map((feature) => presentFeature(feature, sourceOf, rights));
  if (rights.values) await recordRead(app, ctx, told.features);
  const next = skip + most;
  const hasMore = next < told.listed;
  return {
    ...{ prediction_id: id, model_id, version_id, snapshot_id, as_of: row.as_of.toISOString() },
    ...{ factors: [...told.factors], data, are_values_hidden: !rights.values },
    next_cursor: hasMore ? makeCursor(app.keys.cursors, list, String(next)) : null,
    has_more: hasMore,
  };
}

function unknownFactor(factor: string, codes: readonly string[]) {
  const known = codes.length === 0 ? 'it has none' : `it has ${codes.join(', ')}`;
  const message = `is no factor of the answer: ${known}${didYouMean(factor, codes)}`;
  return refuse('invalid_parameter', `factor ${message}`, { problems: [{ at: '/query/factor', message }] });
}

type Told = ToldFeatureRows;
type SourceOf = (place: ToldPlace) => { readonly source: Source; readonly rowNumber: number | null } | null;

/** Returns a function that finds where a row came from: null of what is no row of a file, and where it is not kept. */
async function openSources(app: App, ctx: Context, snapshotId: string, told: ToldLineage): Promise<SourceOf> {
  const places = told.features.flatMap(({ rows }) => rows.flatMap((row) => (row.holder ? [row, row.holder] : [row])));
  if (places.length === 0) return () => null;
  return tenant(app.db, ctx, async (tx) => {
    const { tables } = readManifest((await requireSnapshot(tx, snapshotId)).manifest);
    const partOf = new Map<ToldPlace, PartOf & { readonly place: number }>();
    for (const [name, own] of Map.groupBy(places, ({ table }) => table)) {
      const parts = tables.find((table) => table.name === name)?.parts ?? [];
      // Rows stand in the order of the parts. Where some were not read of them, their places say nothing.
      if (parts.reduce((sum, part) => sum + part.rows, 0) !== told.tableRows[name]) continue;
      for (const one of own) {
        const found = one.row === null ? null : locate(parts, one.row);
        if (found) partOf.set(one, { table: name, ...found });
      }
    }
    const sources = await sourcesOf(tx, ctx, [
      ...new Map([...partOf.values()].map((one) => [one.part.path, one])).values(),
    ]);
    return (one) => {
      const found = partOf.get(one);
      const source = found && sources.get(found.part.path);
      return source ? { source, rowNumber: source.isWhole ? found.place + 1 : null } : null;
    };
  });
}

/** The part that has a row of its table, and the row's place there from 0. */
function locate(parts: readonly TablePart[], row: number): { part: TablePart; place: number } | null {
  let place = row;
  for (const part of parts) {
    if (place < part.rows) return { part, place };
    place -= part.rows;
  }
  return null;
}

type Rights = { readonly values: boolean; readonly files: boolean; readonly ingestions: boolean };

function presentFeature(
  { span, contribution, whole, count, rows, subjects, value, ...feature }: Told,
  sourceOf: SourceOf,
  rights: Rights,
) {
  // The value of one subject is that of the feature; of several, it may be a value of a row of its own.
  const isOfOne = subjects.length === 1;
  return {
    ...{ code: feature.code, description: feature.description, path: feature.path, aggregate: feature.aggregate },
    ...{ span, contribution, value, whole },
    subjects: subjects.map(({ weight, value: own, ...place }) => ({
      ...{ ...presentPlace(place), weight, value: isOfOne || rights.values ? own : null },
    })),
    ...{ rows_count: count, is_truncated: count > listedRowsMax },
    rows: rows.map((row) => presentRow(row, sourceOf, rights)),
  };
}

function presentRow(row: ToldRow, sourceOf: SourceOf, rights: Rights) {
  const { role, of, knownAt, column, value, holder } = row;
  return {
    ...{ ...presentPlace(row), role, subject: of, known_at: knownAt, column },
    value: rights.values ? value : null,
    held_by: holder && { ...presentPlace(holder), ...presentSource(holder, sourceOf, rights) },
    ...presentSource(row, sourceOf, rights),
  };
}

function presentPlace({ table, kind, key, row, date, isErased }: ToldPlace) {
  return { table, kind, key, row, date: isErased ? null : date, is_erased: isErased };
}

function presentSource(place: ToldPlace, sourceOf: SourceOf, rights: Rights) {
  const found = sourceOf(place);
  return {
    ingestion_id: (rights.ingestions && found?.source.ingestionId) || null,
    file_id: (rights.files && found?.source.fileId) || null,
    path: (rights.files && found?.source.path) || null,
    row_number: (rights.files && found?.rowNumber) || null,
  };
}

/** Records the rows of which values are told, as of a page of their table. */
async function recordRead(app: App, ctx: Context, features: readonly Told[]): Promise<void> {
  const read = features.flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'data'));
  if (read.length === 0) return;
  await tenant(app.db, ctx, async (tx) => {
    for (const [id, rows] of Map.groupBy(read, ({ table }) => table))
      await record(tx, ctx, 'table-rows-view', { type: 'table', id }, { rows: rows.length });
  });
}
