import type { Contract, TableContract } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { type Located, liveRows, type Manifest, type Mode } from './manifest.ts';
import type { Taken } from './take-file.ts';

/** How the rows of a table went from `before` to `after`, versions of a row counted once. */
export type TableChanges = {
  readonly table: string;
  readonly before: number;
  readonly after: number;
  /** Counts of rows by their key; null where they cannot be compared by key. */
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
  readonly identical: number | null;
  readonly notes: readonly Notice[];
};

/** From this share of a table's rows on, files are taken to restate it; the lower where most rows are as stored. */
const restatedMin = 0.5;
const mostlyRestatedMin = 0.25;
/** From this share of a table's rows on, it is told that a replacement removed them. */
const removedMin = 0.25;

export type Took = Taken & { readonly mode: Mode };

/** What the files of a call did to one table, whose parts went from `earlier` to `parts`. */
export function changesOf(
  table: TableContract,
  files: readonly Took[],
  earlier: readonly Located[],
  parts: readonly Located[],
  isStale: boolean,
): TableChanges {
  const own = { table: table.name, before: liveRows(earlier), after: liveRows(parts) };
  const isReplaced = files.some(({ mode }) => mode === 'replace');
  if (isReplaced && own.before > 0 && (table.key.length === 0 || isStale)) {
    const why: Notice = { code: 'not_compared', table: table.name, hasKey: table.key.length > 0 };
    return { ...own, added: null, changed: null, removed: null, identical: null, notes: [why] };
  }
  const sum = (count: (file: Took) => number) => files.reduce((total, file) => total + count(file), 0);
  // In the order of the files: those that replace remove what none of them has.
  const met = sum((file) => (isReplaced && file.mode !== 'replace' ? 0 : file.met));
  const left = Math.max(0, own.before - met);
  const counts = { added: sum(({ added }) => added), changed: sum(({ changed }) => changed) };
  const same = sum((file) => file.met - file.changed);
  const restated = same > counts.added + counts.changed ? mostlyRestatedMin : restatedMin;
  const isRestated = !isReplaced && left > 0 && met > 0 && met >= own.before * restated;
  const rowsOf = { table: table.name, rows: left, of: own.before };
  const isRemoved = isReplaced && left > 0 && left >= own.before * removedMin;
  return {
    ...own,
    ...counts,
    removed: isReplaced ? left : 0,
    identical: same,
    notes: [
      ...(isRestated ? [{ code: 'rows_kept', modes: modesOf(files), ...rowsOf } as const] : []),
      ...(isRemoved ? [{ code: 'rows_removed', ...rowsOf } as const] : []),
    ],
  };
}

/** What a contract that has lost columns did to a table of which no file was sent. */
export function columnsGone(table: TableContract, lost: readonly string[], rows: number): TableChanges {
  const counts = { added: 0, changed: 0, removed: 0, identical: rows };
  return {
    table: table.name,
    before: rows,
    after: rows,
    ...counts,
    notes: lost.map((column) => goneColumn(table.name, column)),
  };
}

/** Says that a column is gone, and what that means to models. */
export function goneColumn(table: string, column: string): Notice {
  return { code: 'column_gone', table, column };
}

/** The columns of a table that the contract of the state before has and this one lacks. */
export function lostColumns(previous: Manifest | null, contract: Contract): (table: string) => string[] {
  const before = previous && parseStoredContract(previous.contract, 'the contract of the snapshot');
  const namesIn = (among: Contract | null, table: string) =>
    among?.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
  return (table) => {
    const kept = namesIn(contract, table);
    return namesIn(before, table).filter((name) => !kept.includes(name));
  };
}

function modesOf(files: readonly Took[]): Mode[] {
  return [...new Set(files.map(({ mode }) => mode))];
}
