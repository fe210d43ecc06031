import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import type { Column } from '../../lib/files/column.ts';
import { freezeTables, packTables, thawTables, unpackTables } from './frozen.ts';
import type { Table } from './tables.ts';
import { withValueTables } from './values.ts';

const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contract = sampleContract([
  { name: 'customer', key: 'id', columns: { id: 'string', city: 'string', born: 'date' } },
  {
    name: 'loan',
    key: 'number',
    time: 'granted',
    knownAt: 'sent',
    references: { customer: 'customer' },
    columns: { number: 'integer', customer: 'string', granted: 'timestamp', sent: 'timestamp', amount: 'number' },
  },
  {
    name: 'visit',
    time: { reference: 'loan', offset: -day },
    references: { loan: 'loan' },
    columns: { loan: 'integer', note: 'string' },
  },
]);
const draw = draws(7);
const cities = ['Recife', 'São Paulo', 'Åland', '東京', ''];
const tables = sampleTables(contract, {
  customer: [
    ...Array.from({ length: 500 }, (_, i) => ({
      id: `c${i}`,
      city: draw.maybe(0.2, draw.pick(cities)),
      born: at('1990-01-01'),
    })),
    // A repeated key stands for its first row; a row without a key has none.
    { id: 'c3', city: 'Natal', born: null },
    { id: null, city: 'Natal', born: null },
  ],
  loan: Array.from({ length: 900 }, (_, i) => ({
    number: i % 700 === 0 ? 0 : (i % 700) * 1e9,
    customer: draw.maybe(0.1, `c${draw.between(0, 600)}`),
    granted: at('2024-01-01') + i,
    sent: i < 700 ? null : at('2024-02-01') + i,
    amount: draw.maybe(0.1, -draw.next()),
  })),
  visit: Array.from({ length: 100 }, (_, i) => ({ loan: draw.between(0, 800) * 1e9, note: `note ${i}` })),
});

/** The data of a table, without the indexes that only speed up lookups. */
function plain({ columns, rowOf: _, ...rest }: Table) {
  const plainColumn = (column: Column) =>
    column.kind === 'text' ? { kind: 'text', codes: column.codes, dictionary: column.dictionary } : column;
  return { ...rest, columns: new Map([...columns].map(([name, column]) => [name, plainColumn(column)])) };
}

test('thawed tables are those that were frozen, to the bit', async () => {
  const path = join(folder, 'tables');
  await freezeTables(tables, path);
  const shared = await thawTables(path, true);
  expect(shared.get('loan')!.time!.buffer).toBeInstanceOf(SharedArrayBuffer);
  for (const thawed of [await thawTables(path), shared, unpackTables(structuredClone(packTables(shared)))]) {
    expect([...thawed.keys()]).toEqual([...tables.keys()]);
    for (const [name, table] of thawed) expect(plain(table)).toEqual(plain(tables.get(name)!));
  }
});

test('keys and values are found in thawed tables as in the tables themselves', async () => {
  const path = join(folder, 'keys');
  await freezeTables(tables, path);
  const thawed = await thawTables(path);
  const asked = [
    ...Array.from({ length: 620 }, (_, i) => `c${i}`),
    '',
    'c',
    'ç3',
    ...Array.from({ length: 720 }, (_, i) => i * 1e9),
    -0,
    0.5,
    Number.NaN,
  ];
  for (const name of ['customer', 'loan', 'visit'])
    expect(asked.map((key) => thawed.get(name)!.rowOf.get(key))).toEqual(
      asked.map((key) => tables.get(name)!.rowOf.get(key)),
    );
  const [values, frozen] = [tables, thawed].map((of) => withValueTables(of, []).get('customer.city')!);
  expect(frozen.rows).toBe(values.rows);
  const names = [...cities, 'Natal', 'Lima', 3];
  expect(names.map((city) => frozen.rowOf.get(city))).toEqual(names.map((city) => values.rowOf.get(city)));
  expect(frozen.columns.get('value')).toEqual(values.columns.get('value'));
});

test('the same tables give the same bytes, frozen or thawed', async () => {
  const first = await freezeTables(tables, join(folder, 'one'));
  const second = await freezeTables(await thawTables(join(folder, 'one')), join(folder, 'two'));
  expect(second).toEqual(first);
  expect(readFileSync(join(folder, 'two')).equals(readFileSync(join(folder, 'one')))).toBe(true);
});

test('a damaged file is refused, wherever the damage is', async () => {
  const path = join(folder, 'whole');
  await freezeTables(tables, path);
  const whole = readFileSync(path);
  const spoilt = join(folder, 'spoilt');
  const refusal = async (bytes: Buffer) => {
    writeFileSync(spoilt, bytes);
    return await thawTables(spoilt).then(
      () => 'none',
      (error) => error.code,
    );
  };
  const places = Array.from({ length: 40 }, (_, i) => Math.floor((whole.length * i) / 40));
  for (const place of [...places, 0, 4, 8, 15, 16, 30, whole.length - 1]) {
    const bytes = Buffer.from(whole);
    bytes[place] ^= 1;
    expect([place, await refusal(bytes)]).toEqual([place, 'invalid']);
  }
  expect(await refusal(whole.subarray(0, 10))).toBe('invalid');
  expect(await refusal(whole.subarray(0, whole.length - 1))).toBe('invalid');
  expect(await refusal(Buffer.concat([whole, Buffer.of(0)]))).toBe('invalid');
  expect(await refusal(Buffer.from('PAR1 something else'))).toBe('invalid');
  await expect(thawTables(join(folder, 'absent'))).rejects.toMatchObject({ code: 'not_found' });
});
