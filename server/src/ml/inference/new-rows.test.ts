import { expect, test } from 'vitest';
import { at, day, type Row, sampleContract, sampleRows, sampleTables } from '../../../tests/samples.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature, Read } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { inputRequests } from '../version/input-requests.ts';
import { inputFields } from '../version/schema.ts';
import type { Version } from '../version/version.ts';
import { anchorsFor } from './anchors.ts';
import { openOutsideTexts } from './outside.ts';

const contract = sampleContract([
  { name: 'race', key: 'race_id', time: 'held', columns: { race_id: 'integer', held: 'date' } },
  { name: 'driver', key: 'driver_id', columns: { driver_id: 'integer' } },
  {
    name: 'start',
    key: 'start_id',
    time: { reference: 'race_id', offset: 0 },
    references: { race_id: 'race', driver_id: 'driver' },
    columns: {
      start_id: 'integer',
      race_id: 'integer',
      driver_id: 'integer',
      grid: 'number',
      penalty: { type: 'number', knownFrom: 'decided' },
      decided: 'timestamp',
    },
  },
  {
    name: 'lap',
    time: 'driven',
    references: { start_id: 'start' },
    columns: { start_id: 'integer', driven: 'timestamp', seconds: 'number' },
  },
]);
const sunday = at('2024-05-05');
const tables = sampleTables(contract, {
  race: [1, 2].map((race_id) => ({ race_id, held: sunday + (race_id - 1) * 7 * day })),
  driver: [{ driver_id: 7 }, { driver_id: 8 }],
  start: [
    { start_id: 11, race_id: 1, driver_id: 7, grid: 1, penalty: null, decided: null },
    { start_id: 12, race_id: 1, driver_id: 8, grid: 2, penalty: 5, decided: sunday - day },
  ],
  lap: [60, 61, 62].map((seconds, k) => ({ start_id: 11, driven: sunday - day + k, seconds })),
});
const task = parseTask('entity: start\nkey: start_id\ntime: date\nlabel: won\nkind: binary\n', 'win', 'task.yaml');
// The only parts of a version that anchors are made from.
const version = { task, fresh: true } as Version;
const options = { asOf: at('2030-01-01'), dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' } as const;
const startContract = contract.tables[2];
const ask = (rows: readonly Row[], columns?: readonly string[]) => {
  const read = sampleRows(startContract, rows);
  const kept = new Map([...read.columns].filter(([name]) => columns?.includes(name) ?? true));
  return anchorsFor(version, tables, { ...read, columns: kept }, options);
};
const valuesFor = (read: Read, ...asked: Parameters<typeof ask>) =>
  Array.from(evaluate(openGraph(tables), [{ focus: { kind: 'root' }, read }], ask(...asked)).values);

test('a new row has the events of the row it restates, and none of the row that stands where it does', () => {
  const laps: Read = { kind: 'count', events: { table: 'lap', via: ['start_id'] }, span: { all: true } };
  const asked = { race_id: 1, driver_id: 7, grid: 1 };
  expect(valuesFor(laps, [{ ...asked, start_id: null }])).toEqual([0]);
  expect(
    valuesFor(laps, [
      { ...asked, start_id: null },
      { ...asked, start_id: 12 },
      { ...asked, start_id: 11 },
    ]),
  ).toEqual([0, 0, 3]);
});

test('a file of more rows than the table has is answered to its last row', () => {
  const laps: Read = { kind: 'count', events: { table: 'lap', via: ['start_id'] }, span: { all: true } };
  const rows = Array.from({ length: 300 }, () => ({ race_id: 1, driver_id: 7, grid: 1, start_id: 11 }));
  expect(valuesFor(laps, rows)).toEqual(rows.map(() => 3));
});

test('a new row that takes its time from another stands at the start of that day, not at the moment of asking', () => {
  const anchors = ask([
    { start_id: null, race_id: 1, driver_id: 7, grid: 1 },
    { start_id: null, race_id: 2, driver_id: 7, grid: 1 },
    { start_id: null, race_id: 99, driver_id: 7, grid: 1 },
  ]);
  expect(Array.from(anchors.at)).toEqual([sunday, sunday + 7 * day, options.asOf]);
});

test('a value that is known from a date is not read off a row that comes without the date', () => {
  const penalty: Read = { kind: 'attribute', column: 'penalty' };
  const row = { start_id: null, race_id: 1, driver_id: 7, grid: 1, penalty: 5, decided: sunday - 2 * day };
  expect(valuesFor(penalty, [row])).toEqual([5]);
  expect(valuesFor(penalty, [{ ...row, decided: sunday + day }])).toEqual([Number.NaN]);
  expect(valuesFor(penalty, [row], ['start_id', 'race_id', 'driver_id', 'grid', 'penalty'])).toEqual([Number.NaN]);
});

test('a version asks for the date with the value, and for the reference that gives the time', () => {
  const features: Feature[] = [{ focus: { kind: 'root' }, read: { kind: 'attribute', column: 'penalty' } }];
  const names = inputFields(task, contract, true, features, [1]).map(({ name }) => name);
  expect(names).toEqual(['start_id', 'race_id', 'penalty', 'decided', 'reference_date']);
});

test('a version requires what dates the row and the references that it needs, not what it merely reads', () => {
  const columns = startContract.columns.map((column) => ({ ...column, required: true }));
  const strict = { ...contract, tables: [...contract.tables.slice(0, 2), { ...startContract, columns }] };
  const features: Feature[] = [
    { focus: { kind: 'root' }, read: { kind: 'attribute', column: 'grid' } },
    {
      focus: { kind: 'parent', of: { kind: 'root' }, reference: 'driver_id' },
      read: { kind: 'attribute', column: 'driver_id' },
    },
  ];
  const fields = inputFields(task, strict, true, features, [0.9, 0.1]);
  const required = fields.filter((field) => field.required);
  expect(required.map(({ name, nullable, dates_row }) => [name, nullable, dates_row])).toEqual([
    ['race_id', undefined, 'any'],
    ['driver_id', true, undefined],
  ]);
  const datedBy = (planned: boolean) => {
    const races = contract.tables[0].columns.map((column) => ({ ...column, planned }));
    const raceTask = { ...task, entity: 'race' };
    const dated = { ...contract, tables: [{ ...contract.tables[0], columns: races }, ...contract.tables.slice(1)] };
    return inputFields(raceTask, dated, true, [], []).find(({ name }) => name === 'held');
  };
  expect(datedBy(false)).toMatchObject({ required: true, dates_row: 'past' });
  expect(datedBy(true)).toMatchObject({
    dates_row: 'any',
    description: 'Column held of race. Dates the row: required unless reference_date is given.',
  });
});

test('rows to predict are read with the texts that stand for a missing value in the tables', () => {
  const columns = startContract.columns.map((column) =>
    column.name === 'penalty' ? { ...column, missingValues: ['none'] } : column,
  );
  const features: Feature[] = [{ focus: { kind: 'root' }, read: { kind: 'attribute', column: 'penalty' } }];
  const fields = inputFields(task, contract, true, features, [1]);
  const marked = { ...contract, tables: [{ ...startContract, columns }] };
  const requests = inputRequests({ ...version, contract: marked, inputFields: fields }).filter(
    ({ name }) => name === 'penalty' || name === 'decided',
  );
  expect(requests.map(({ name, ...rest }) => [name, 'missing' in rest ? rest.missing : null])).toEqual([
    ['penalty', ['none']],
    ['decided', null],
  ]);
});

test('what a new row does not meet is said of columns that change later too, and of none that it lacks', () => {
  const lead = {
    name: 'lead',
    key: 'lead_id',
    time: 'came',
    knownAt: 'sent',
    columns: {
      lead_id: 'integer',
      came: 'timestamp',
      sent: 'timestamp',
      stage: { type: 'string', mutable: true },
      size: 'number',
    },
  } as const;
  const sales = sampleContract([lead, { name: 'sale', time: 'sold', columns: { sold: 'timestamp' } }]);
  const asked = parseTask(
    "query: PREDICT exists(sale) WITHIN 30d FOR lead WHERE stage = 'new' AND size > 3 ONCE\n",
    'buys',
    'task.yaml',
  );
  const known = sampleTables(sales, { lead: [{ lead_id: 1, came: sunday, sent: sunday, stage: 'new', size: 9 }] });
  const own = { task: asked, fresh: true } as Version;
  const unmet = (given: readonly Row[], columns: readonly string[]) => {
    const read = sampleRows(sales.tables[0], given);
    const kept = new Map([...read.columns].filter(([name]) => columns.includes(name)));
    return openOutsideTexts(own, known).textsOf(anchorsFor(own, known, { ...read, columns: kept }, options));
  };
  const rows = [
    { came: sunday, stage: 'new', size: 4 },
    { came: sunday, stage: 'won', size: 4 },
    { came: sunday, stage: null, size: 3 },
  ];
  expect(unmet(rows, ['came', 'stage', 'size'])).toEqual([null, "stage = 'new'", "stage = 'new' AND size > 3"]);
  expect(unmet(rows, ['came', 'stage'])).toEqual([null, null, null]);
});

test('of a condition that tables can no longer answer nothing is said of an entity', () => {
  const asked = {
    ...parseTask('query: PREDICT exists(lap) WITHIN 1d FOR start WHERE grid > 1\n', 'laps', 'task.yaml'),
  };
  const own = { task: asked, fresh: false } as Version;
  const unmet = (read: typeof tables) => {
    const rows = sampleRows(startContract, [{ start_id: 11 }, { start_id: 12 }, { start_id: 13 }]);
    return openOutsideTexts(own, read).textsOf(anchorsFor(own, read, rows, options));
  };
  expect(unmet(tables)).toEqual(['grid > 1', null, null]);
  const numbered = { ...tables.get('start')!, numbers: { columns: new Set(['grid']) } };
  expect(unmet(new Map([...tables, ['start', numbered]]))).toEqual([null, null, null]);
});
