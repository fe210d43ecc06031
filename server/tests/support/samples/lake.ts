/** Uploads of a made-up lender, taken in on top of each other; test support. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnContract, Contract, TableContract } from '../../../src/ml/contract/contract.ts';
import type { IncomingFile } from '../../../src/ml/lake/files.ts';
import { type Ingested, type IngestInput, ingestFiles } from '../../../src/ml/lake/ingest.ts';
import type { Manifest, Mode } from '../../../src/ml/lake/manifest.ts';
import { at, sampleContract } from '../../samples.ts';
import { runFolder } from './lib-db.ts';

/** Goes with the run. */
export const folder = mkdtempSync(join(runFolder(), 'ingest-'));

export const now = at('2024-06-01');
const plain = sampleContract([
  { name: 'customer', key: 'customer_id', columns: { customer_id: 'string', city: 'string' } },
  {
    name: 'loan',
    key: 'loan_id',
    time: 'granted',
    references: { customer_id: 'customer' },
    columns: { loan_id: 'integer', customer_id: 'string', granted: 'date', amount: 'number', paid: 'boolean' },
  },
  {
    name: 'visit',
    time: 'at',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', at: 'timestamp' },
  },
]);
/** Keys are required, as a contract read from a file has them. */
export const contract: Contract = {
  ...plain,
  tables: plain.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (table.key.includes(column.name) ? { ...column, required: true } : column)),
  })),
};

/** The contract with one more column in a table, and more said of the table. */
export function withColumn(
  name: string,
  column: Pick<ColumnContract, 'name' | 'type'> & Partial<ColumnContract>,
  more: Partial<TableContract> = {},
): Contract {
  const added = { required: false, unique: false, planned: false, mutable: false, pii: false, ...column };
  const tables = contract.tables.map((table) =>
    table.name === name ? { ...table, ...more, columns: [...table.columns, added] } : table,
  );
  return { ...contract, tables };
}

let files = 0;
/** A file as it was uploaded. */
export function fileOf(table: string, mode: Mode, lines: readonly string[], name = `${table}.csv`): IncomingFile {
  const path = join(folder, `upload-${files++}`);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, text);
  return { path, name, table, mode, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Where parts are written. */
export const out = join(folder, 'parts');
mkdirSync(out);
export const pathOf = ({ path }: { path: string }) => join(out, path);

export function ingest(
  previous: Manifest | null,
  incoming: readonly IncomingFile[],
  rest: Partial<IngestInput> = {},
): Promise<Ingested> {
  return ingestFiles({ contract, previous, pathOf, files: incoming, out, now, ...rest });
}

/** As `ingest`, of files that nothing is wrong with. */
export async function accept(
  previous: Manifest | null,
  incoming: readonly IncomingFile[],
  rest: Partial<IngestInput> = {},
) {
  const ingested = await ingest(previous, incoming, rest);
  if (ingested.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(ingested)}`);
  return ingested;
}

export const customers = ['customer_id,city', '007,Recife', '008,', '009,"São Paulo, SP"'];
export const loans = [
  'loan_id,customer_id,granted,amount,paid',
  '1,007,2024-01-05,10.5,true',
  '2,008,2024-02-05,-0.25,',
  '3,007,2024-02-06,,false',
];
export const visits = [
  'customer_id,at',
  '007,2024-01-01T10:00:00.000001Z',
  '007,2024-01-01T10:00:00.000001Z',
  ',2024-03-01',
];
export const people = ['customer_id,city,phone', 'Ana,Recife,81-1', 'Bia,,81-2', 'Caio,Natal,81-3'];

/** A contract with texts that stand for a missing value in these columns. */
export const marked = (of: Contract, ...marks: string[]): Contract => ({
  ...of,
  tables: of.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) =>
      marks.includes(`${table.name}.${column.name}`) ? { ...column, missingValues: ['?', 'n/a'] } : column,
    ),
  })),
});
