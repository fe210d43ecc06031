/**
 * Preloaded into a process: notes in the file OPENED_NOTES every file that it opens by node:fs, and every folder that
 * DuckDB may read.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DuckDBConnection } from '@duckdb/node-api';

const { appendFileSync } = fs;
const { OPENED_NOTES } = process.env;
// Its own notes are written by what stood there before.
const note = (what, path) => appendFileSync(OPENED_NOTES, `${what} ${path}\n`);
const pathOf = (path) => (path instanceof URL ? fileURLToPath(path) : String(path));

const readers = [
  'open',
  'readFile',
  'copyFile',
  'cp',
  'opendir',
  'readdir',
  'rename',
  'link',
  'symlink',
  'truncate',
  'unlink',
  'rm',
];
for (const [holder, suffix] of [
  [fs, ''],
  [fs, 'Sync'],
  [fs.promises, ''],
])
  for (const name of readers) {
    const plain = holder[`${name}${suffix}`];
    if (typeof plain !== 'function') continue;
    holder[`${name}${suffix}`] = function (path, ...rest) {
      if (typeof path !== 'number' && pathOf(path) !== OPENED_NOTES) note('opened', pathOf(path));
      return plain.call(this, path, ...rest);
    };
  }
syncBuiltinESMExports();

const { run } = DuckDBConnection.prototype;
DuckDBConnection.prototype.run = function (text, ...rest) {
  const folders = /^set allowed_directories = \[(.*)\]$/.exec(text);
  for (const [, folder] of folders?.[1].matchAll(/'((?:[^']|'')*)'/g) ?? [])
    note('duckdb', folder.replaceAll("''", "'"));
  return run.call(this, text, ...rest);
};
