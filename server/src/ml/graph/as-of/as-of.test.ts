import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, type Data, day, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { lastReadable } from './days.ts';
import { followReferences, linkMoments, openReference } from './references.ts';
import { isThere, listCurrent, rowAsOf, rowsAsOf } from './rows.ts';
import { changesUndated, isKnown, knownDates, knownMoments } from './values.ts';

const start = at('2024-01-01');
const when = (days: number) => start + days * day;

const contract = sampleContract([
  { name: 'person', key: 'id', time: 'born', columns: { id: 'integer', born: 'timestamp' } },
  {
    name: 'house',
    key: 'id',
    time: 'built',
    knownAt: 'sent',
    references: { owner: 'person' },
    columns: {
      id: 'integer',
      built: 'timestamp',
      owner: { type: 'integer', knownFrom: 'sold' },
      sold: 'date',
      sent: 'timestamp',
    },
  },
  {
    name: 'letter',
    time: 'posted',
    references: { to: 'house' },
    columns: {
      to: 'integer',
      posted: 'timestamp',
      read: 'date',
      due: { type: 'date', planned: true },
      stamp: { type: 'integer', mutable: true },
    },
  },
]);

const data: Data = {
  person: [
    { id: 1, born: when(0) },
    { id: 2, born: when(50) },
  ],
  house: [
    { id: 1, built: when(1), owner: 1, sold: when(10), sent: null },
    { id: 2, built: when(1), owner: 2, sold: when(10), sent: null },
    { id: 3, built: when(1), owner: 1, sold: null, sent: null },
    { id: 1, built: when(1), owner: 2, sold: when(10), sent: when(30) },
  ],
  letter: [{ to: 1, posted: when(2), read: when(5), due: when(90), stamp: 1 }],
};
const tables = sampleTables(contract, data);
const tableOf = (name: string) => tables.get(name)!;
const [person, house, letter] = [tableOf('person'), tableOf('house'), tableOf('letter')];

test('what has no moment is never known, what has none of them always', () => {
  const known = Float64Array.of(5, Number.NaN);
  expect([isKnown(known, 0, 4), isKnown(known, 0, 5), isKnown(known, 1, Number.POSITIVE_INFINITY)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isKnown(undefined, 0, Number.NEGATIVE_INFINITY)).toBe(true);
});

test('a day is known at its last microsecond, and a date that is not planned only when it has come', () => {
  expect(knownMoments(house, 'owner')![0]).toBe(when(11) - 1);
  expect(knownDates(letter, 'read')![0]).toBe(when(6) - 1);
  expect(knownDates(letter, 'due')).toBeUndefined();
});

test('a strict task reads nothing of the moment itself, and nobody anything past the end of what may be read', () => {
  expect(lastReadable({ strict: false }, 100, Number.POSITIVE_INFINITY)).toBe(100);
  expect(lastReadable({ strict: true }, 100, Number.POSITIVE_INFINITY)).toBe(99);
  expect(lastReadable({ strict: true }, 100, 40)).toBe(40);
});

test('a reference is followed once its own date has come and the row is there', () => {
  const follow = openReference(house, 'owner', person);
  expect([follow(0, when(11) - 2), follow(0, when(11) - 1)]).toEqual([-1, 0]);
  expect([follow(1, when(49)), follow(1, when(50))]).toEqual([-1, 1]);
  expect(follow(2, Number.POSITIVE_INFINITY)).toBe(-1);
  // `reach`, when the target row of a new row must be there, may be later than what the row itself may read.
  expect([follow(1, when(20), when(50)), follow(1, when(10), when(50))]).toEqual([1, -1]);
  expect([...linkMoments(house, 'owner', person)!].map((moment) => (moment - start) / day)).toEqual([
    11 - 1 / day,
    50,
    Number.NaN,
    50,
  ]);
});

test('a path leads where the oldest version says, once all on the way is known', () => {
  const { target, rows, since } = followReferences(tables, letter, ['to', 'owner']);
  expect([target, [...rows], [...since!]]).toEqual([person, [0], [when(11) - 1]]);
});

test('what changes without a date or a version says nothing of earlier', () => {
  const column = (table: typeof letter, name: string) => table.contract.columns.find((one) => one.name === name)!;
  expect(changesUndated(letter, column(letter, 'stamp'))).toBe(true);
  expect(changesUndated(letter, column(letter, 'due'))).toBe(false);
  expect(changesUndated(house, { ...column(house, 'built'), mutable: true })).toBe(false);
});

test('all forms of asking for rows agree', () => {
  const moment = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null });
  const row = fc.record({ id: fc.integer({ min: 1, max: 4 }), built: fc.integer({ min: 0, max: 20 }), sent: moment });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.integer({ min: -1, max: 21 }), (given, days) => {
      const rows = given.map(({ id, built, sent }) => ({
        ...{ id, built: when(built), owner: null, sold: null, sent: sent === null ? null : when(sent) },
      }));
      const table = sampleTables(contract, { ...data, letter: [], house: rows }).get('house')!;
      const all = Int32Array.from({ length: table.rows }, (_, k) => k);
      const readable = [...rowsAsOf(table, when(days))];
      const listed = new Int32Array(table.rows);
      const length = listCurrent(table.versions!, all, 0, table.rows, when(days), Int32Array.of(), listed, 0);
      const current = [...all].map((entity) => rowAsOf(table, entity, when(days))).filter((version) => version >= 0);
      expect([...listed.subarray(0, length)].sort()).toEqual(current.sort());
      for (const version of current) expect(readable).toContain(version);
      const entities = [...all].filter(
        (entity) => table.versions!.offsets[entity + 1] > table.versions!.offsets[entity],
      );
      for (const entity of entities)
        expect(isThere(table, entity, when(days))).toBe(rowAsOf(table, entity, when(days)) >= 0);
    }),
    { seed: 1 },
  );
});
