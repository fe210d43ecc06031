import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { buildEventIndex, emptySummary, indexNumbers, type Summary, summarise } from './event-index.ts';
import { computeSignal } from './signals.ts';

const contract = sampleContract([
  { name: 'race', key: 'race_id', columns: { race_id: 'integer' } },
  {
    name: 'result',
    key: 'result_id',
    time: 'at',
    references: { race_id: 'race' },
    columns: { result_id: 'integer', race_id: 'integer', at: 'timestamp', points: 'number' },
  },
]);

type Result = { points: number | null; at: number; race_id?: number };

function tablesOf(results: readonly Result[]) {
  return sampleTables(contract, {
    race: [{ race_id: 0 }, { race_id: 1 }],
    result: results.map(({ race_id = 0, ...rest }, result_id) => ({ result_id, race_id, ...rest })),
  });
}

function summaryOf(
  results: readonly Result[],
  from: number,
  to: number,
  skip = Number.POSITIVE_INFINITY,
  detail: 'mean' | 'all' = 'all',
): Summary {
  const table = tablesOf(results).get('result')!;
  const index = buildEventIndex(table, table.references.get('race_id')!.rows, 2);
  const column = indexNumbers(index, (table.columns.get('points') as { values: Float64Array }).values);
  const summary = emptySummary();
  summarise(column, index.offsets[0], index.blockOffsets[0], from, to, skip, Number.POSITIVE_INFINITY, summary, detail);
  return summary;
}

/** Values for which a sum of squares loses precision: large and almost equal. */
const points = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 1000 }).map((k) => 1e6 + k / 1024),
  fc.integer({ min: -9, max: 9 }),
  fc.double({ min: 1e-6, max: 2e-6, noNaN: true }),
);

test('windows across blocks have the count, mean and spread of two passes over their values', () => {
  fc.assert(
    fc.property(
      fc.array(points, { minLength: 1, maxLength: 330 }),
      fc.boolean(),
      fc.nat(),
      fc.nat(),
      fc.option(fc.nat()),
      (all, isClose, a, b, skipped) => {
        const values = isClose ? all.map((value, k) => (value === null ? null : 1e6 + (k % 97) / 64)) : all;
        const skip = skipped === null ? Number.POSITIVE_INFINITY : skipped % values.length;
        const without = values.filter((_, k) => k !== skip);
        const [from, to] = [a % (without.length + 1), b % (without.length + 1)].sort((x, y) => x - y);
        const results = values.map((value, at) => ({ points: value, at }));
        const found = summaryOf(results, from, to, skip);
        // Asking for less detail does not change what is still given.
        const { count, sum, mean: lean } = summaryOf(results, from, to, skip, 'mean');
        expect([count, sum, lean]).toEqual([found.count, found.sum, found.mean]);
        const x = without.slice(from, to).filter((value) => value !== null);
        expect(found.count).toBe(x.length);
        if (x.length === 0) return;
        const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
        const m2 = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        const large = Math.max(...x.map(Math.abs));
        expect(Math.abs(found.mean - mean)).toBeLessThanOrEqual(large * 1e-13);
        expect(Math.abs(Math.sqrt(found.m2) - Math.sqrt(m2))).toBeLessThanOrEqual(Math.sqrt(m2) * 1e-9 + large * 1e-14);
        expect([found.min, found.max]).toEqual([Math.min(...x), Math.max(...x)]);
      },
    ),
    { numRuns: 150, seed: 3 },
  );
});

test('the first event after a moment is the one a walk finds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 40 }), fc.nat(), fc.nat(), (moments, a, b) => {
      const time = Float64Array.from(moments).sort();
      const [from, to] = [a % (time.length + 1), b % (time.length + 1)].sort((x, y) => x - y);
      for (const readableUntil of [Number.NEGATIVE_INFINITY, -3.5, 0, 4, Number.POSITIVE_INFINITY]) {
        let walked = from;
        while (walked < to && time[walked] <= readableUntil) walked++;
        expect(firstAfter(time, from, to, readableUntil)).toBe(walked);
      }
    }),
    { numRuns: 200, seed: 5 },
  );
});

test('the difference of two sums of squares would not pass for the spread', () => {
  const x = Array.from({ length: 200 }, (_, k) => 1e6 + (k % 7) / 1024);
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const m2 = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const naive = x.reduce((sum, value) => sum + value * value, 0) - x.length * mean * mean;
  const found = summaryOf(
    x.map((value, at) => ({ points: value, at })),
    0,
    x.length,
  );
  expect(Math.abs(found.m2 / m2 - 1)).toBeLessThan(1e-7);
  expect(Math.abs(naive / m2 - 1)).toBeGreaterThan(1e-2);
});

test('rows of other entities, before or between, do not move a bit of a summary', () => {
  const own = Array.from({ length: 150 }, (_, k) => ({ points: Math.sin(k) * 1e3, at: k }));
  const others = Array.from({ length: 90 }, (_, k) => ({ points: 1e9 + k, at: k / 2, race_id: 1 }));
  for (const [from, to] of [
    [0, 150],
    [3, 131],
    [70, 72],
  ] as const)
    expect(summaryOf([...others, ...own, ...others], from, to)).toEqual(summaryOf(own, from, to));
});

test('siblings of later date change no standing, not even by being too many to compare', () => {
  const ranked = (results: readonly Result[]) => {
    const tables = tablesOf(results);
    return (['percentile', 'deviation'] as const).map((as) => {
      const signal = { kind: 'rank', within: 'race_id', column: 'points', as } as const;
      const { values } = computeSignal(tables, tables.get('result')!, signal) as { values: Float64Array };
      return Array.from(values);
    });
  };
  for (const size of [4, 256, 400]) {
    const together = Array.from({ length: size }, (_, k) => ({ points: Math.cos(k), at: day }));
    const before = ranked(together);
    expect(before[0].every((value) => value >= 0 && value <= 1)).toBe(true);
    const late = Array.from({ length: 5 }, (_, k) => ({ points: 0.5, at: (2 + k) * day }));
    expect(ranked([...together, ...late]).map((values) => values.slice(0, size))).toEqual(before);
    const early = late.map((row) => ({ ...row, at: 0 }));
    expect(ranked([...together, ...early]).map((values) => values.slice(0, size))).not.toEqual(before);
  }
});
