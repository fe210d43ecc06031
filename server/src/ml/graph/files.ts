import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { filesIn, isFolder, isTableFile, tableNameOf } from '../contract/files.ts';

/**
 * Files of one table: `<name>.<ending>`, or every data file of a folder `<name>/`, sorted by name. Throws Failure
 * 'not_found' when there is none, and 'invalid' when two files, or a file and a folder, have the name of the table.
 */
export function filesOfTable(folder: string, name: string): string[] {
  if (!isFolder(folder)) throw new Failure('not_found', `${folder} is not a folder`);
  const parts = join(folder, name);
  const found = isFolder(parts) ? filesIn(parts) : [];
  const files = readdirSync(folder).filter((file) => isTableFile(file) && tableNameOf(file) === name);
  if (found.length > 0 && files.length > 0)
    throw new Failure(
      'invalid',
      `table ${name}: ${files.sort().join(' and ')} and a folder ${name} in ${folder}; leave one of them`,
    );
  if (found.length > 0) return found;
  if (files.length === 0)
    throw new Failure('not_found', `table ${name}: no file ${name}.csv, .parquet or .jsonl in ${folder}`);
  if (files.length > 1)
    throw new Failure('invalid', `table ${name}: ${files.sort().join(' and ')} in ${folder}; leave one of them`);
  return [join(folder, files[0])];
}
