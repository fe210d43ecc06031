/** A made-up shop small enough to learn from in a second, whose files tests spoil one at a time. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../src/commands/run.ts';
import { type Column, textColumn } from '../src/lib/files/column.ts';
import { openWriter } from '../src/lib/files/write.ts';
import { runFolder } from './support/samples/lib-db.ts';

/** Contents of files by their path inside a data set's folder; null leaves the file out. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

const customers = 40;
const ordersPerCustomer = 12;

/** The day `days` after 2023-01-01. */
export function day(days: number): string {
  return new Date(Date.UTC(2023, 0, 1 + days)).toISOString().slice(0, 10);
}

export function csv(header: string, rows: readonly (readonly (string | number)[])[]): string {
  return `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`;
}

const contract = `apiVersion: v3.1.0
kind: DataContract
id: shop
version: "1"
schema:
  - name: customers
    customProperties:
      - property: eventTime
        value: since
    properties:
      - name: customer_id
        logicalType: string
        primaryKey: true
        required: true
        unique: true
      - name: segment
        logicalType: string
      - name: since
        logicalType: date
  - name: orders
    customProperties:
      - property: eventTime
        value: ordered_at
    properties:
      - name: order_id
        logicalType: string
        primaryKey: true
        required: true
        unique: true
      - name: customer_id
        logicalType: string
        relationships:
          - to: customers.customer_id
      - name: ordered_at
        logicalType: date
      - name: amount
        logicalType: number
`;

const task = `entity: customers
key: customer_id
time: date
label: returns
kind: binary
metric: auroc
window: 30d
`;

/** Every third customer orders small and returns; label rows are a month apart. */
function labelRows(from: number, to: number, labelled: boolean) {
  return Array.from({ length: to - from }, (_, month) => 100 + 30 * (from + month)).flatMap((at) =>
    Array.from({ length: customers }, (_, c) => [
      day(at),
      `C${c}`,
      ...(labelled ? [c % 3 === 0 || (c + at) % 11 === 0 ? 1 : 0] : []),
    ]),
  );
}

export const orderRows = Array.from({ length: customers * ordersPerCustomer }, (_, i) => {
  const c = i % customers;
  return [`O${i}`, `C${c}`, day(7 + 30 * Math.floor(i / customers) + (c % 20)), (c % 3 === 0 ? 10 : 80) + (i % 17)];
});

export const customerRows = Array.from({ length: customers }, (_, c) => [
  `C${c}`,
  c % 2 ? 'retail' : 'trade',
  day(c % 5),
]);

const files: Files = {
  'contract.yaml': contract,
  'tables/customers.csv': csv('customer_id,segment,since', customerRows),
  'tables/orders.csv': csv('order_id,customer_id,ordered_at,amount', orderRows),
  'tasks/returns/task.yaml': task,
  'tasks/returns/train.csv': csv('date,customer_id,returns', labelRows(0, 4, true)),
  'tasks/returns/val.csv': csv('date,customer_id,returns', labelRows(4, 6, true)),
  'tasks/returns/test.csv': csv('date,customer_id', labelRows(6, 7, false)),
};

/** The text of one of the shop's files as it is when nothing is spoilt. */
export function shopText(path: string): string {
  return String(files[path]);
}

export const shopTables = {
  customers: shopText('tables/customers.csv'),
  orders: shopText('tables/orders.csv'),
} as const;

/** Its task: who orders small and returns. */
export const returnsTask = {
  name: 'returns',
  definition: shopText('tasks/returns/task.yaml'),
  labels: { train: shopText('tasks/returns/train.csv'), validation: shopText('tasks/returns/val.csv') },
} as const;

/** The body that proposes its contract. */
export const contractBody = { document: shopText('contract.yaml') } as const;

/** A body that defines its task without labels, with `more` in it. */
export function taskBody(more: object = {}) {
  return { name: returnsTask.name, definition: returnsTask.definition, ...more };
}

/**
 * Writes the shop into a new folder, which goes with the run, with `spoilt` in place of its files, and returns
 * the folder.
 */
export function writeShop(spoilt: Files = {}): string {
  const folder = mkdtempSync(join(runFolder(), 'shop-'));
  for (const [path, content] of Object.entries({ ...files, ...spoilt })) {
    if (content === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Orders as Parquet: the whole file, as the shop's other files are given. */
export async function ordersParquet(): Promise<Uint8Array> {
  const path = join(writeShop(), 'orders.parquet');
  const texts = (column: number) => textColumn(orderRows.map((row) => String(row[column])));
  const writer = await openWriter(path, 'parquet', [
    { name: 'order_id', type: 'string' },
    { name: 'customer_id', type: 'string' },
    { name: 'ordered_at', type: 'date' },
    { name: 'amount', type: 'number' },
  ]);
  await writer.write({
    rows: orderRows.length,
    columns: new Map<string, Column>([
      ['order_id', texts(0)],
      ['customer_id', texts(1)],
      [
        'ordered_at',
        { kind: 'time' as const, values: Float64Array.from(orderRows, (row) => Date.parse(String(row[2])) * 1000) },
      ],
      ['amount', { kind: 'number' as const, values: Float64Array.from(orderRows, (row) => Number(row[3])) }],
    ]),
  });
  await writer.close();
  return readFileSync(path);
}

export type Outcome = { readonly code: number; readonly out: string; readonly said: string };

/** Runs a command as the program does, but in this process. What is no Failure is thrown. */
export async function lastro(...args: string[]): Promise<Outcome> {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runCommand(args, { write: (text: string) => out.push(text) }, (line) => said.push(line));
  return { code, out: out.join(''), said: said.join('\n') };
}
