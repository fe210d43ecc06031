import type { Lastro } from '@lastro/sdk';
import type { Batch, BatchError, BatchRowWarning } from './batch.ts';

/** Most rows with something to correct that are read to be shown, and to be written to a file. */
export const rowsShownMax = 1_000;
const rowsTakenMax = 1_000_000;

export type Listed<T> = {
  readonly rows: readonly T[];
  /** Whether these are all. */
  readonly isWhole: boolean;
};

type Reading = { readonly most?: number; readonly signal?: AbortSignal };

/** Why rows were left out. */
export function readErrors(client: Lastro, id: string, reading: Reading = {}): Promise<Listed<BatchError>> {
  return readAll(client.batches.listErrors(id, { limit: 200 }, reading), reading);
}

/** Rows that were scored though their document has wrong check digits. */
export function readMistyped(client: Lastro, id: string, reading: Reading = {}): Promise<Listed<BatchRowWarning>> {
  return readAll(client.batches.listWarnings(id, { limit: 200 }, reading), reading);
}

async function readAll<T>(all: AsyncIterable<T>, { most = rowsTakenMax }: Reading): Promise<Listed<T>> {
  const rows: T[] = [];
  for await (const one of all) {
    if (rows.length === most) return { rows, isWhole: false };
    rows.push(one);
  }
  return { rows, isWhole: true };
}

/** How many answered rows of a batch have a mistyped document. */
export function mistypedRows({ warnings }: Pick<Batch, 'warnings'>): number {
  const told = warnings.filter(({ code }) => code === 'wrong_check_digits');
  return told.reduce((sum, { values }) => sum + Number(values?.rows ?? 0), 0);
}

/** What is to be corrected: the rows that were left out, those with a mistyped document, or both. */
export type Choice = { readonly failed: boolean; readonly mistyped: boolean };

/** What is wrong with a row: the reason why it was left out, or null of a mistyped document. */
export type Fault = { readonly column: string | null; readonly error: BatchError | null };

/** By file, and by the number of the row, what is wrong. */
export type Faults = ReadonlyMap<string, ReadonlyMap<number, readonly Fault[]>>;

export async function readFaults(client: Lastro, id: string, { failed, mistyped }: Choice): Promise<Faults> {
  const errors = failed ? (await readErrors(client, id)).rows : [];
  const warned = mistyped ? (await readMistyped(client, id)).rows : [];
  const faults = new Map<string, Map<number, Fault[]>>();
  const add = (fileId: string, row: number, fault: Fault) => {
    const rows = faults.get(fileId) ?? new Map<number, Fault[]>();
    rows.set(row, [...(rows.get(row) ?? []), fault]);
    faults.set(fileId, rows);
  };
  for (const error of errors) if (error.row !== null) add(error.file_id, error.row, { column: error.column, error });
  for (const { file_id, row, column } of warned) add(file_id, row, { column, error: null });
  return faults;
}
