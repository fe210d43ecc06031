import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Column } from '../../../lib/files/column.ts';
import { openWriter } from '../../../lib/files/write.ts';
import { importFiles } from './import.ts';
import { entityOf, type FactStore, openStore, writeStore } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-facts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (text: string) => Date.parse(text) * 1000;
const endOf = (day: string) => at(day) + 86_400_000_000 - 1;

function file(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Facts as text, in the order of the store. */
function factsOf({ facts, relations, entities }: FactStore): string[] {
  const name = (entity: number) => entities.entryOf(entity + 1)!.identifier;
  const day = (time: number) => (Number.isFinite(time) ? new Date(time / 1000).toISOString().slice(0, 10) : '');
  return Array.from(facts.subject, (subject, i) =>
    [
      ...[
        name(subject),
        relations[facts.relation[i]].name,
        name(facts.object[i]),
        day(facts.from[i]),
        day(facts.to[i]),
      ],
      ...[facts.weight[i], day(facts.known[i]), day(facts.until[i])],
    ].join(' '),
  );
}

const nodes = [
  'id,kind,sector,staff,founded,synthetic',
  'a,company,steel,10,2001-02-03,true',
  'b,company,wood,,,true',
  'p,individual,,,,true',
];

test('nodes and edges become facts in order, with the kinds and attributes of their ends', async () => {
  const { store, report } = await importFiles([
    file(
      'edges.csv',
      'subject,relation,object,from,to,weight',
      'p,owns,b,2020-01-01,,0.5',
      'p,owns,a,2019-05-01,2021-05-01,',
      'a,supplies,c,2020-02-02,,2',
    ),
    file('records.csv', 'subject,relation,object,at', 'a,recorded,x,2020-03-03', 'a,recorded,x,2020-03-03'),
    file('nodes.csv', ...nodes),
  ]);
  expect(report.rejectedTotal).toBe(0);
  expect(store.isSynthetic).toBe(true);
  expect(store.relations).toEqual([
    { name: 'owns', class: 'lasting' },
    { name: 'supplies', class: 'lasting' },
    { name: 'recorded', class: 'momentary' },
  ]);
  expect(factsOf(store)).toEqual([
    'a supplies c 2020-02-02  2 2020-02-02 ',
    'a recorded x 2020-03-03 2020-03-03 1 2020-03-03 ',
    'a recorded x 2020-03-03 2020-03-03 1 2020-03-03 ',
    'p owns a 2019-05-01 2021-05-01 1 2019-05-01 ',
    'p owns b 2020-01-01  0.5 2020-01-01 ',
  ]);
  expect(entityOf(store, 'a', 'company')).toBe(0);
  expect(entityOf(store, 'c', 'other')).toBeGreaterThan(0);
  expect(entityOf(store, 'c', 'company')).toBe(-1);
  const [sector, staff, founded] = store.nodes.attributes;
  expect(sector).toMatchObject({ name: 'sector', kind: 'text', dictionary: ['steel', 'wood'] });
  expect(staff).toMatchObject({ name: 'staff', kind: 'number', values: Float64Array.of(10, Number.NaN, Number.NaN) });
  expect(founded).toMatchObject({ kind: 'time', values: Float64Array.of(at('2001-02-03'), Number.NaN, Number.NaN) });
});

test('days are known at their end, moments at once, and nothing before somebody knew it', async () => {
  const header = 'subject,relation,object,from,known_at';
  const days = await importFiles([file('days.csv', header, 'a,r,b,2020-01-01,', 'a,r,c,2020-01-01,2020-06-01')]);
  expect(Array.from(days.store.facts.known)).toEqual([endOf('2020-01-01'), endOf('2020-06-01')]);
  const moments = await importFiles([file('moments.csv', header, 'a,r,b,2020-01-01T10:00:00Z,')]);
  expect(Array.from(moments.store.facts.known)).toEqual([at('2020-01-01T10:00:00Z')]);
});

test('a fact that is sent again changed is a version that takes the place of the one before', async () => {
  const { store } = await importFiles([
    file(
      'edges.csv',
      'subject,relation,object,from,to,known_at',
      'a,r,b,2020-01-01,2022-01-01,2022-03-01',
      'a,r,b,2020-01-01,,2020-01-05',
      'a,r,b,2020-01-01,,2020-01-05',
    ),
  ]);
  expect(factsOf(store)).toEqual([
    'a r b 2020-01-01  1 2020-01-05 2022-03-01',
    'a r b 2020-01-01 2022-01-01 1 2022-03-01 ',
  ]);
});

test('rows that cannot be placed are told and the others go on', async () => {
  const { store, report } = await importFiles([
    file(
      'edges.csv',
      'subject,relation,object,from,to,weight',
      'a,r,b,,,',
      'a,r,b,2020-01-02,2020-01-01,',
      'a,r,b,2020-01-01,,0',
      'a,r,,2020-01-01,,',
      'a,r,b,2020-01-01,,3',
      'a,r,b,2020-01-01,,-1',
    ),
    file('nodes.csv', 'id,kind', 'a,company', ',company', 'b,planet'),
  ]);
  expect(store.facts.subject.length).toBe(1);
  expect(report.rejectedTotal).toBe(7);
  expect(report.rejects.map(({ column, row }) => `${column} ${row}`).sort()).toEqual([
    'from 1',
    'id 2',
    'kind 3',
    'object 4',
    'to 2',
    'weight 3',
    'weight 6',
  ]);
  expect(store.isSynthetic).toBe(false);
});

test('all rows that cannot be placed are counted, however many a file has', async () => {
  const nobody = Array.from({ length: 1_500 }, () => ',r,b,2020-01-01');
  const { report } = await importFiles([
    file('edges.csv', 'subject,relation,object,at', ...nobody),
    file('more.csv', 'subject,relation,object,at', 'a,r,b,', ...nobody),
  ]);
  expect(report.rejectedTotal).toBe(3_001);
  expect(report.rejects).toHaveLength(1_000);
});

test('files that are neither, or ends that may be two things, are refused', async () => {
  await expect(importFiles([file('x.csv', 'a,b', '1,2')])).rejects.toThrow(/neither edges .* nor nodes/);
  const twice = [
    file('n.csv', 'id,kind', '1,company', '1,individual'),
    file('e.csv', 'subject,relation,object,at', '1,r,2,2020-01-01'),
  ];
  await expect(importFiles(twice)).rejects.toThrow(/1 is of several kinds/);
  const told = file('t.csv', 'subject,subject_kind,relation,object,at', '1,individual,r,2,2020-01-01');
  const { store } = await importFiles([twice[0], told]);
  expect(store.facts.subject[0]).toBe(entityOf(store, '1', 'individual'));
});

test('a store is written whole, opened the same, and refused when a byte changes', async () => {
  const parquet = join(folder, 'edges.parquet');
  const writer = await openWriter(parquet, 'parquet', [
    ...(['subject', 'relation', 'object'] as const).map((name) => ({ name, type: 'string' as const })),
    { name: 'at', type: 'timestamp' },
  ]);
  const text = (value: string) => ({ kind: 'text' as const, codes: Int32Array.of(0), dictionary: [value] });
  const columns = new Map<string, Column>([
    ['subject', text('a')],
    ['relation', text('pays')],
    ['object', text('b')],
    ['at', { kind: 'time', values: Float64Array.of(at('2020-01-01T12:00:00Z')) }],
  ]);
  await writer.write({ rows: 1, columns });
  await writer.close();
  const { store } = await importFiles([parquet, file('nodes.csv', ...nodes)]);
  const out = join(folder, 'store');
  const hash = await writeStore(out, store);
  expect(await writeStore(join(folder, 'again'), store)).toBe(hash);
  const opened = await openStore(out);
  const { entities: _, ...kept } = store;
  expect(opened).toMatchObject(kept);
  expect(entityOf(opened, 'p')).toBe(entityOf(store, 'p'));
  await expect(writeStore(out, store)).rejects.toThrow(/exists already/);
  const bytes = readFileSync(join(out, 'facts.bin'));
  bytes[bytes.length - 50] ^= 1;
  writeFileSync(join(out, 'facts.bin'), bytes);
  await expect(openStore(out)).rejects.toThrow(/damaged/);
  await expect(openStore(folder)).rejects.toThrow(/no store of facts/);
});
