import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from '../../lib/files/read.ts';
import { columnRequests } from '../graph/load.ts';
import { checkFile } from './check.ts';
import type { ColumnContract, Contract, TableContract } from './contract.ts';
import { parseContract } from './parse.ts';
import type { Values } from './renames.ts';
import { writeContract } from './write.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-renames-'));
});
afterAll(async () => rm(folder, { recursive: true }));

function column(name: string, type: ColumnContract['type'], rest: Partial<ColumnContract> = {}): ColumnContract {
  return { name, type, required: false, unique: false, planned: false, mutable: false, pii: false, ...rest };
}

const people: TableContract = { name: 'people', key: ['id'], references: [], columns: [column('id', 'string')] };
const sales: TableContract = {
  name: 'sales',
  key: ['number'],
  references: [{ column: 'person', table: 'people', key: 'id' }],
  time: { column: 'day' },
  columns: [
    column('number', 'string', { required: true }),
    column('person', 'string'),
    column('day', 'date', { required: true }),
    column('state', 'string', { missingValues: ['?'] }),
    column('amount', 'number', { knownFrom: 'day' }),
  ],
};
const contract: Contract = { id: 'c', version: '1.2.0', tables: [people, sales] };
const keysOf = async () => new Set(Array.from({ length: 50 }, (_, i) => `P${i}`));

const states = ['new', 'paid', 'paid', 'late'];
type Sale = Readonly<Record<'number' | 'person' | 'day' | 'state' | 'amount', string>>;

/** Sales by a plain rule: every value of a column follows from the number alone. */
function sale(at: number): Sale {
  const day = new Date(Date.UTC(2024, 0, 1 + (at % 300))).toISOString().slice(0, 10);
  const amount = String(((at * 7919) % 1000) / 8);
  return { number: `S${at}`, person: `P${(at * 31) % 50}`, day, state: states[at % 4], amount };
}

const span = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => sale(from + i));

function earlierOf(rows: readonly Sale[]): (columns: readonly string[]) => Promise<Values> {
  return async (columns) => new Map(columns.map((name) => [name, rows.map((row) => row[name as keyof Sale])]));
}

async function check(
  header: string,
  rows: readonly Sale[],
  earlier: readonly Sale[],
  more: (row: Sale) => string[] = () => [],
) {
  const path = join(folder, 'sales.csv');
  await writeFile(path, [header, ...rows.map((row) => [...Object.values(row), ...more(row)].join(','))].join('\n'));
  const report = await checkFile(path, sales, contract, { keysOf, earlierOf: earlierOf(earlier) });
  return { ...report, told: report.deviations.map(({ message }) => message) };
}

test('a reference under another name is known by the keys that it holds, and keeps leading there', async () => {
  const { told, proposal } = await check('number,buyer,day,state,amount', span(0, 400), []);
  expect(told).toEqual(['person: the file has it as buyer, it seems: 100 % of its values are keys of people']);
  expect(proposal!.changes).toEqual([
    { path: 'sales.person.aliases', kind: 'added', before: null, after: ['buyer'], breaking: false },
  ]);
  const next = parseContract(writeContract(proposal!.contract), 'contract.yaml');
  expect(next.tables[1]).toMatchObject({ references: sales.references, time: sales.time, key: sales.key });
  const path = join(folder, 'sales.csv');
  expect((await checkFile(path, next.tables[1], next, { keysOf })).deviations).toEqual([]);
  const read = await readTable([path], columnRequests(next, next.tables[1]));
  const person = read.rows.columns.get('person')!;
  expect(person.kind === 'text' && person.dictionary[person.codes[3]]).toBe(sale(3).person);
});

test('the date of the rows and their key are known by rows that were there before', async () => {
  const { told, proposal } = await check('number,person,moment,state,amount', span(0, 400), span(200, 600));
  expect(told).toEqual(['day: the file has it as moment, it seems: equal in 100 % of 200 known rows']);
  expect(proposal!.contract.tables[1].columns.find(({ name }) => name === 'amount')).toMatchObject({
    knownFrom: 'day',
  });
  const { told: ofKey } = await check('id,person,day,state,amount', span(0, 400), span(0, 400));
  expect(ofKey).toEqual(['number: the file has it as id, it seems: it has the same values']);
});

test('categories and amounts of other rows are known by how often each comes and how they are spread', async () => {
  const { told } = await check('number,person,day,status,value', span(600, 1_200), span(0, 600));
  expect(told).toEqual([
    'state: the file has it as status, it seems: its values come as often',
    'amount: the file has it as value, it seems: its values are spread alike',
  ]);
});

test('a column of other values in known rows is another column, however alike', async () => {
  const other = span(0, 400).map((row, at) => ({ ...row, state: sale(at + 1).state }));
  const { told, proposal } = await check('number,person,day,status,amount', other, span(0, 400));
  expect(told).toEqual([
    'state: the file has no such column',
    'status: the contract knows no such column (it reads as string)',
  ]);
  expect(proposal!.contract.tables[1].columns.map(({ name }) => name)).not.toContain('state');
});

test('where two columns could be the one, none is taken for it', async () => {
  const { told } = await check('number,buyer,day,state,amount,payer', span(0, 400), [], ({ person }) => [person]);
  expect(told).toEqual([
    'person: the file has no such column',
    'buyer: the contract knows no such column (it reads as string)',
    'payer: the contract knows no such column (it reads as string)',
  ]);
});

test('few rows show nothing', async () => {
  const { told } = await check('number,buyer,day,state,amount', span(0, 15), []);
  expect(told).toContain('person: the file has no such column');
});

test('names that mean two columns are refused', () => {
  const twice = {
    ...sales,
    columns: sales.columns.map((one) => (one.name === 'state' ? { ...one, aliases: ['Amount', 'x', 'X'] } : one)),
  };
  expect(() => parseContract(writeContract({ ...contract, tables: [people, twice] }), 'contract.yaml')).toThrow(
    /aliases: Amount is a name of sales.amount already \(and 1 more\)/,
  );
});
