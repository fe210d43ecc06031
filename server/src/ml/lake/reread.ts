import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { parseStoredContract } from '../contract/parse.ts';
import type { IncomingFile } from './files.ts';
import type { Identifiers } from './identifiers.ts';
import type { Manifest, TablePart } from './manifest.ts';
import { type StaleTable, staleTables } from './stale.ts';

/** The file of a part as it was sent. */
export type Original = Pick<IncomingFile, 'path' | 'name'> & { readonly taken: number };

type State = {
  readonly previous: Manifest | null;
  readonly contract: Contract;
  readonly identifiers?: Identifiers;
};
type Sent = {
  readonly files: readonly IncomingFile[];
  readonly originalOf?: (part: TablePart) => Original | null;
};

/** The tables with parts that the contract stores otherwise than the one they were written under. */
export function staleOf({ previous, contract, identifiers }: State): StaleTable[] {
  if (previous === null) return [];
  const before = parseStoredContract(previous.contract, 'the contract of the snapshot');
  const hasParts = (name: string) => previous.tables.some((table) => table.name === name);
  return staleTables(before, contract, identifiers !== undefined).filter(({ table }) => hasParts(table));
}

/**
 * The files of stale tables, to be read again; none of a table that the call replaces. Throws Failure 'conflict',
 * reason 'data_behind_contract', where such a file is gone.
 */
export function rereadFiles(
  { previous, files, originalOf }: Pick<State, 'previous'> & Sent,
  stale: readonly StaleTable[],
): IncomingFile[] {
  const isReplaced = (name: string) => files.some(({ table, mode }) => table === name && mode === 'replace');
  const again: IncomingFile[] = [];
  const gone: StaleTable[] = [];
  for (const one of stale.filter(({ table }) => !isReplaced(table))) {
    const { parts } = previous!.tables.find(({ name }) => name === one.table)!;
    const own = parts.flatMap((part): IncomingFile[] => {
      const original = originalOf?.(part) ?? null;
      if (original === null) return [];
      const { source: sha256, mode } = part;
      return [{ ...original, table: one.table, mode, sha256, taken: part.taken ?? original.taken }];
    });
    if (own.length < parts.length) gone.push(one);
    again.push(...own);
  }
  if (gone.length > 0) throw goneFiles(gone);
  return again;
}

/** The Failure where rows are stored under an earlier contract and the files to read again are gone. */
function goneFiles(gone: readonly StaleTable[]): Failure {
  const tables = gone.map(({ table }) => table).join(', ');
  const reasons = gone.flatMap(({ table, reasons }) => reasons.map((reason) => `${table}: ${reason}`)).join('; ');
  return new Failure(
    'conflict',
    `the contract stores ${tables} otherwise than the one they were taken in under (${reasons}), and files that they came from are gone: send all rows of ${tables} with mode replace, in one ingestion`,
    { reason: 'data_behind_contract' },
  );
}

/** A state without the tables that are read again. */
export function without(manifest: Manifest, stale: readonly StaleTable[]): Manifest {
  return {
    ...manifest,
    tables: manifest.tables.filter(({ name }) => stale.every(({ table }) => table !== name)),
  };
}
