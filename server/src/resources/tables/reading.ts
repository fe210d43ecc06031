import { refuse } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import type { Contract, TableContract } from '../../ml/contract/contract.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { openNames } from '../../ml/lake/identifiers.ts';
import {
  type AskedByTime,
  type AskedRows,
  readRowsByTime as readByTime,
  readStoredRows,
  type ToldByTime,
  type ToldColumns,
  type ToldRows,
  toldColumns,
} from '../../ml/lake/rows.ts';

type Stored = {
  /** That of the snapshot, as text. */
  readonly contract: string;
  readonly table: string;
  /** A local file of the dictionary whose numbers the parts hold; null where they hold names as they came. */
  readonly identifiers: string | null;
};

export type RowsTask = Stored & Pick<AskedRows, 'parts' | 'window' | 'start' | 'rowsMax' | 'bytesMax' | 'key'>;
export type RowsByTimeTask = Stored & Pick<AskedByTime, 'parts' | 'isNewestFirst' | 'after' | 'rowsMax' | 'bytesMax'>;

/** Most tables that a refusal names. */
const tablesTold = 50;

/**
 * Reads rows of a table of a snapshot. Throws Failure 'not_found' where its contract has no such table, and
 * 'invalid_parameter' where a key is asked for that the table lacks, or that says who people are.
 */
export async function readRows(task: RowsTask): Promise<ToldColumns & ToldRows> {
  const { contract, table } = openTable(task);
  const told = toldColumns(contract, table);
  const { key } = task;
  if (key) {
    const name = key.isPrefix ? 'key_prefix' : 'key';
    if (table.key.length === 0) throw refuseQuery(name, `the table ${table.name} has no key`);
    if (told.personal.includes(table.key[0]))
      throw refuseQuery(name, `the key of ${table.name} says who people are: its rows are not found by it`);
  }
  return withNames(task, async (names) => ({
    ...told,
    ...(await readStoredRows({ ...task, contract, table, names })),
  }));
}

/**
 * The same by the event times of the rows. Throws Failure 'invalid_parameter' where the table has no column of its own
 * that dates them.
 */
export async function readRowsByTime(task: RowsByTimeTask): Promise<ToldColumns & ToldByTime> {
  const { contract, table } = openTable(task);
  const told = toldColumns(contract, table);
  const column = table.time && 'column' in table.time ? table.time.column : null;
  if (column === null || told.personal.includes(column))
    throw refuseQuery('order', `the rows of ${table.name} have no date of their own to be ordered by`);
  return withNames(task, async (names) => ({
    ...told,
    ...(await readByTime({ ...task, contract, table, names, column })),
  }));
}

function openTable({ contract: text, table: name }: Stored): { contract: Contract; table: TableContract } {
  const contract = parseStoredContract(text, 'the contract of the snapshot');
  const table = contract.tables.find((table) => table.name === name);
  if (table !== undefined) return { contract, table };
  const known = contract.tables.map((table) => table.name);
  const tables = known.slice(0, tablesTold);
  const because = { code: 'no_data_table', name, tables };
  const message = `there is no table ${name}; there are ${tables.join(', ')}${didYouMean(name, known)}`;
  throw refuse('not_found', message, { because });
}

async function withNames<R>({ identifiers }: Stored, read: (names: AskedRows['names']) => Promise<R>): Promise<R> {
  const names = identifiers === null ? null : openNames(identifiers);
  try {
    return await read(names);
  } finally {
    names?.close();
  }
}

function refuseQuery(name: string, message: string) {
  return refuse('invalid_parameter', message, { problems: [{ at: `/query/${name}`, message }] });
}
