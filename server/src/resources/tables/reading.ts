import { refuse } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { openNames } from '../../ml/lake/identifiers.ts';
import { type AskedRows, readStoredRows, type ToldColumns, type ToldRows, toldColumns } from '../../ml/lake/rows.ts';

export type RowsTask = Pick<AskedRows, 'parts' | 'window' | 'start' | 'rowsMax' | 'bytesMax'> & {
  /** That of the snapshot, as text. */
  readonly contract: string;
  readonly table: string;
  /** A local file of the dictionary whose numbers the parts hold; null where they hold names as they came. */
  readonly identifiers: string | null;
};

/** Most tables that a refusal names. */
const tablesTold = 50;

/** Reads rows of a table of a snapshot. Throws Failure 'not_found' where its contract has no such table. */
export async function readRows({
  contract: text,
  table: name,
  identifiers,
  ...asked
}: RowsTask): Promise<ToldColumns & ToldRows> {
  const contract = parseStoredContract(text, 'the contract of the snapshot');
  const table = contract.tables.find((table) => table.name === name);
  if (table === undefined) {
    const known = contract.tables.map((table) => table.name);
    const tables = known.slice(0, tablesTold);
    const because = { code: 'no_data_table', name, tables };
    const message = `there is no table ${name}; there are ${tables.join(', ')}${didYouMean(name, known)}`;
    throw refuse('not_found', message, { because });
  }
  const names = identifiers === null ? null : openNames(identifiers);
  try {
    return { ...toldColumns(contract, table), ...(await readStoredRows({ ...asked, contract, table, names })) };
  } finally {
    names?.close();
  }
}
