/** Files made for a test in a folder of its own, and what was read of them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDuckDb } from '../../../src/lib/duckdb/duckdb.ts';
import { Failure } from '../../../src/lib/failure.ts';
import type { Rows } from '../../../src/lib/files/column.ts';
import type { ColumnRequest } from '../../../src/lib/files/read.ts';
import { runFolder } from './lib-db.ts';

/** Goes with the run. */
export const folder = mkdtempSync(join(runFolder(), 'files-'));

let files = 0;
export function save(extension: string, content: string | Uint8Array): string {
  const path = join(folder, `f${files++}.${extension}`);
  writeFileSync(path, content);
  return path;
}

/** What a query of DuckDB gives, as Parquet. */
export async function saveParquet(query: string, settings = 'compression zstd'): Promise<string> {
  const path = join(folder, `f${files++}.parquet`);
  const duckdb = await openDuckDb({ folders: [folder] });
  await duckdb.run(`copy (${query}) to '${path}' (format parquet, ${settings})`);
  duckdb.close();
  return path;
}

/** The cells of a column as JavaScript values; missing is null. */
export function cells(rows: Rows, name: string): (number | string | null)[] {
  const column = rows.columns.get(name)!;
  if (column.kind === 'text') return Array.from(column.codes, (code) => (code < 0 ? null : column.dictionary[code]));
  return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
}

export const text = (...names: string[]): ColumnRequest[] => names.map((name) => ({ name, type: 'string' }));
/** Microseconds. */
export const us = (iso: string) => Date.parse(iso) * 1000;

/** What a refusal says; nothing else may be thrown. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(Failure);
  expect((error as Failure).code).toBe('invalid');
  return (error as Failure).message;
}
