import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { isTableFile, tableNameOf } from '../contract/files.ts';

/** The folder that holds the table files: `tables/` inside a data set folder, else the folder itself. */
export function tablesFolder(folder: string): string {
  const inner = join(folder, 'tables');
  return existsSync(inner) && statSync(inner).isDirectory() ? inner : folder;
}

/**
 * Files of one table: `<name>.<ending>`, or every data file of a folder `<name>/`, sorted by name. Throws Failure
 * 'not_found' when there is none, and 'invalid' when two files have the name of the table.
 */
export function filesOfTable(folder: string, name: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Failure('not_found', `${folder} is not a folder`);
  const parts = join(folder, name);
  if (existsSync(parts) && statSync(parts).isDirectory()) {
    const found = readdirSync(parts).filter(isTableFile).sort();
    if (found.length > 0) return found.map((file) => join(parts, file));
  }
  const files = readdirSync(folder).filter((file) => isTableFile(file) && tableNameOf(file) === name);
  if (files.length === 0)
    throw new Failure('not_found', `table ${name}: no file ${name}.csv, .parquet or .jsonl in ${folder}`);
  if (files.length > 1)
    throw new Failure('invalid', `table ${name}: ${files.sort().join(' and ')} in ${folder}; leave one of them`);
  return [join(folder, files[0])];
}
