import { readFile } from 'node:fs/promises';
import type { ModelFeature } from '../../ml/explain/model-features.ts';
import { reportFile } from '../../ml/version/report-file.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { App } from '../app.ts';
import type { VersionRow } from './model.ts';

/**
 * The tables, and the columns as `table.column`, that a version reads, each with the share of the version's importance
 * that features which read it have, 0 to 1. Of a version that was made before versions kept what they read, those of
 * its inputs alone. Throws Failure 'object_damaged'.
 */
export async function readColumns(
  { storage }: Pick<App, 'storage'>,
  { storage_prefix, files, inputs }: Pick<VersionRow, 'storage_prefix' | 'files' | 'inputs'>,
): Promise<ReadonlyMap<string, number>> {
  const path = await storage.localPath(`${storage_prefix}${reportFile}`, files[reportFile]);
  // Our own file, as `listFeatures` reads it.
  const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: number | readonly ModelFeature[] };
  const found = new Map<string, number>();
  const add = (at: string, importance: number) => found.set(at, (found.get(at) ?? 0) + importance);
  for (const { source, importance = 0 } of inputs as readonly Field[])
    if (source) add(`${source.table}.${source.column}`, typeof features === 'number' ? importance : 0);
  if (typeof features !== 'number')
    for (const { columns, path, table, importance } of features)
      for (const at of new Set([...columns, ...path, ...(table === null ? [] : [table])])) add(at, importance);
  return found;
}
