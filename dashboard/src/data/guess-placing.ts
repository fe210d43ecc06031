import type { Head } from '../uploads/head-of-file.ts';
import type { ContractTable } from './contract.ts';
import { takenNames } from './taken-names.ts';

/** Where the rows of a file go. */
export type Placing = { readonly table: string; readonly mode: 'append' | 'upsert' | 'replace' };

const taken = Object.values(takenNames).flatMap(({ good, bad }) => [good, bad]);
/** Browsers number what is downloaded once more. */
const takenEnd = new RegExp(`-(${taken.join('|')})( ?\\(\\d+\\))?$`, 'i');

/**
 * The table that a file's name says, as the contract writes it, also of rows that were taken out of a file of that
 * name; else the only table that has the file's columns; else a new one of the file's name. `modes`: how files of a
 * table were taken in the last time, by table.
 */
export function placingOf(
  name: string,
  tables: readonly ContractTable[],
  head: Head | null = null,
  modes: ReadonlyMap<string, Placing['mode']> = new Map(),
): Placing {
  const plain = name.replace(/(\.(csv|tsv|txt|parquet|pq|jsonl|ndjson|json))?(\.gz)?$/i, '');
  const said = tableNameOf(plain);
  const from = tableNameOf(plain.replace(takenEnd, ''));
  const named = (one: string) => tables.find((table) => table.name.toLowerCase() === one.toLowerCase());
  const table = (named(said) ?? named(from) ?? tableLike(head, tables))?.name ?? from;
  return { table, mode: modes.get(table) ?? 'append' };
}

const tableNameOf = (text: string): string => text.replace(/[^\p{L}\p{N}_ .-]+/gu, '_').replace(/^[ .-]+|[ .-]+$/g, '');

/** The only table that has all columns of a file, which has all that the table requires. */
function tableLike(head: Head | null, tables: readonly ContractTable[]): ContractTable | undefined {
  if (!head || head.columns.length === 0) return undefined;
  const columns = head.columns.map((column) => column.trim().toLowerCase());
  const alike = tables.filter((table) => {
    const names = table.columns.map(({ name, aliases }) => [name, ...aliases].map((one) => one.toLowerCase()));
    return (
      columns.every((column) => names.some((own) => own.includes(column))) &&
      table.columns.every(({ isRequired }, at) => !isRequired || names[at]!.some((one) => columns.includes(one)))
    );
  });
  return alike.length === 1 ? alike[0] : undefined;
}
