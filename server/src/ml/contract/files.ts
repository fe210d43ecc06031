import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../lib/failure.ts';

/** The files of one table: one, or those of a folder of its name. */
export type TableFiles = { readonly table: string; readonly paths: readonly string[] };

const extension = /\.(?:csv|tsv|parquet|jsonl|ndjson)(?:\.gz)?$/i;

/** Whether a file of this name may hold a table. */
export function isTableFile(name: string): boolean {
  return extension.test(name);
}

/** The name of the table in a file, from the name of the file. */
export function tableNameOf(path: string): string {
  return basename(path).replace(extension, '');
}

/** The folder that holds the table files: `tables/` inside a data set folder, else the folder itself. */
export function tablesFolder(folder: string): string {
  const inner = join(folder, 'tables');
  return isFolder(inner) ? inner : folder;
}

/**
 * The tables of a folder, or of its `tables` folder, sorted by name: each a file `<name>.<ending>`, or a folder
 * `<name>/` of files, sorted by name. Throws: Failure 'not_found' without such a folder, 'invalid' without tables or
 * where a table has both or two files.
 */
export function findTableFiles(folder: string): TableFiles[] {
  if (!isFolder(folder)) throw new Failure('not_found', `${folder} is not a folder that can be read.`);
  const place = tablesFolder(folder);
  const found = readdirSync(place).flatMap((name): TableFiles[] => {
    const path = join(place, name);
    if (isFolder(path)) {
      const paths = name.startsWith('.') ? [] : filesIn(path);
      return paths.length === 0 ? [] : [{ table: name, paths }];
    }
    return isTableFile(name) ? [{ table: tableNameOf(name), paths: [path] }] : [];
  });
  if (found.length === 0) {
    throw new Failure('invalid', `${place} holds no table: no file ends in .csv, .parquet or .jsonl (.gz).`);
  }
  found.sort((a, b) => (a.table < b.table ? -1 : 1));
  const twice = found.find(({ table }, i) => found[i + 1]?.table === table);
  if (twice !== undefined) {
    const names = readdirSync(place).filter((name) => name === twice.table || tableNameOf(name) === twice.table);
    throw new Failure('invalid', `table ${twice.table}: ${names.sort().join(' and ')} in ${place}; leave one of them`);
  }
  return found;
}

/** The data files of a folder, sorted by name. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(isTableFile)
    .sort()
    .map((name) => join(folder, name));
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
