import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure } from '../../lib/failure.ts';

export type TableFile = { readonly table: string; readonly path: string };

const extension = /\.(?:csv|tsv|parquet|jsonl|ndjson)(?:\.gz)?$/i;

/** Whether a file of this name may hold a table. */
export function isTableFile(name: string): boolean {
  return extension.test(name);
}

/** The name of the table in a file, from the name of the file. */
export function tableNameOf(path: string): string {
  return basename(path).replace(extension, '');
}

/**
 * The table files of a folder, or of its `tables` folder, sorted by name. Throws: Failure 'not_found' without such a
 * folder, 'invalid' without files or with two files for one table.
 */
export async function findTableFiles(folder: string): Promise<TableFile[]> {
  const inner = join(folder, 'tables');
  const isInner = await stat(inner).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const place = isInner ? inner : folder;
  const names = await readdir(place).catch((cause: unknown) => {
    throw new Failure('not_found', `${folder} is not a folder that can be read.`, { cause });
  });
  const files = names
    .filter(isTableFile)
    .sort()
    .map((name) => ({ table: tableNameOf(name), path: join(place, name) }));
  if (files.length === 0) {
    throw new Failure('invalid', `${place} holds no table: no file ends in .csv, .parquet or .jsonl (.gz).`);
  }
  const twice = files.find((file, i) => files.findIndex((other) => other.table === file.table) !== i);
  if (twice !== undefined) throw new Failure('invalid', `${place} holds two files for the table ${twice.table}.`);
  return files;
}
