import { join } from 'node:path';
import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import type { CsvDialect } from '../../../lib/files/csv-dialect.ts';
import type { CsvFormulas } from '../../../lib/files/formulas.ts';
import type { ColumnMapping } from '../../../ml/version/other-names.ts';
import { selectStoredGfms } from '../../../serving/graph-models.ts';
import { currentIdentifiers, requireSnapshot } from '../../../serving/snapshot.ts';
import { localSnapshot } from '../../../serving/snapshot-files.ts';
import type { App } from '../../app.ts';
import { requireUploaded } from '../../files/require.ts';
import type { BatchFileRow, BatchModel, BatchRow, BatchUnitRow, OutputFormat } from '../batch.ts';
import { placeTargets } from '../place-targets.ts';
import type { ScoreTask } from '../scoring/score-unit.ts';
import { selectVersions } from '../sql.ts';
import type { Targets } from '../target.ts';

/** A unit that a worker has started. */
export type Begun = { readonly batch: BatchRow; readonly file: BatchFileRow; readonly unit: BatchUnitRow };

/**
 * Builds the task with which a child process scores a unit, and fetches everything that it reads into local files. The
 * child process writes into `folder`.
 */
export async function makeTask(
  app: App,
  ctx: Context,
  { batch, file, unit }: Begun,
  folder: string,
): Promise<ScoreTask> {
  const pinned = batch.targets as Targets;
  const { endpoints, fallback, ids } = pinnedVersions({ batch, file });
  const { source, snapshot, identifiersKey, versions, graphModels } = await tenant(app.db, ctx, async (tx) => {
    const versions = await selectVersions(tx, ids);
    return {
      source: await requireUploaded(tx, file.file_id),
      snapshot: await requireSnapshot(tx, batch.snapshot_id),
      identifiersKey: await currentIdentifiers(tx, ctx),
      versions,
      graphModels: await selectStoredGfms(tx, versions),
    };
  });
  const indexOf = (versionId: string) => versions.findIndex(({ id }) => id === versionId);
  const local = await localSnapshot(app.storage, snapshot, identifiersKey);
  return {
    path: await app.storage.localPath(source.storage_key, source.sha256),
    name: file.path,
    range: unit.rows === null ? null : { first: unit.first_row, count: unit.rows },
    data: {
      id: `${snapshot.id} ${identifiersKey}`,
      frozen: local.frozen,
      identifiers: local.names,
    },
    targets: await placeTargets(app, folder, versions, graphModels),
    endpoints: endpoints && Object.fromEntries(endpoints.map((name) => [name, indexOf(pinned[name])])),
    fallback: fallback === null ? null : indexOf(fallback),
    timeZone: batch.time_zone,
    language: batch.language as 'en' | 'pt-BR',
    referenceColumn: batch.reference_column,
    columnMapping: batch.column_mapping as ColumnMapping,
    rowNumbers: batch.include.includes('row'),
    isRepeating: batch.include.includes('input_columns'),
    ...(batch.include.includes('warnings') && { rowWarnings: file.output_format === 'csv' ? 'joined' : 'json' }),
    interval: batch.include.includes('interval'),
    now: batch.created_at.getTime(),
    asOf: batch.as_of.getTime(),
    isDayGiven: batch.reference_date !== null,
    out: join(folder, 'part'),
    format: file.output_format as OutputFormat,
    csv: { formulas: batch.csv_formulas as CsvFormulas, dialect: batch.csv_dialect as CsvDialect },
    errors: join(folder, 'errors'),
  };
}

/** The targets that rows of a file name, the version of rows that name none, and the ids of all of these versions. */
export function pinnedVersions({ batch, file }: Pick<Begun, 'batch' | 'file'>) {
  const pinned = batch.targets as Targets;
  const model = batch.model as BatchModel | null;
  const named = file.endpoints as (string | null)[] | null;
  const endpoints = named?.filter((name) => name !== null) ?? null;
  const fallback = model && (named === null || named.includes(null)) ? model.version_id : null;
  const ids = [...(fallback === null ? [] : [fallback]), ...(endpoints ?? []).map((name) => pinned[name])];
  return { endpoints, fallback, ids: [...new Set(ids)] };
}
