/** Made-up tables written as CSV, and the contract that is inferred of them; test support. */
import { mkdtempSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableContract } from '../../../src/ml/contract/contract.ts';
import { type Inference, inferContract } from '../../../src/ml/contract/infer.ts';
import { runFolder } from './lib-db.ts';

export type Cell = string | number | null;
export type Sheet = { readonly header: string; readonly rows: readonly (readonly Cell[])[] };

let seed = 1;
/** A whole number from `low` to `high`, the same ones in every run (Lehmer's generator). */
export function pick(low: number, high: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return low + (seed % (high - low + 1));
}

export function day(days: number, from = '2020-01-01'): string {
  return new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
}

export function moment(days: number, from = '2020-01-01'): string {
  return `${day(days, from)} ${String(pick(0, 23)).padStart(2, '0')}:${String(pick(10, 59))}:00`;
}

export function rows(count: number, row: (i: number) => Cell[]): Cell[][] {
  return Array.from({ length: count }, (_, i) => row(i));
}

/** Writes the tables into a folder of this name and infers their contract. What is picked after it starts anew. */
export async function infer(name: string, sheets: Readonly<Record<string, Sheet>>): Promise<Inference> {
  seed = 1;
  const place = join(mkdtempSync(join(runFolder(), 'contract-')), name);
  await mkdir(place);
  for (const [table, { header, rows: lines }] of Object.entries(sheets)) {
    await writeFile(join(place, `${table}.csv`), `${header}\n${lines.map((line) => line.join(',')).join('\n')}\n`);
  }
  return await inferContract(place);
}

export function tableOf(inference: Inference, name: string): TableContract {
  return inference.contract.tables.find((table) => table.name === name)!;
}

/** As `table.column > table.key`. */
export function referencesOf(inference: Inference): string[] {
  return inference.contract.tables.flatMap((table) =>
    table.references.map((to) => `${table.name}.${to.column} > ${to.table}.${to.key}`),
  );
}
