import { expect, test } from 'vitest';
import { psi } from '../statistics/distributions.ts';
import { seedRandom } from '../statistics/random.ts';
import { normalQuantile } from '../statistics/ranks.ts';
import { studentQuantile } from '../statistics/student.ts';
import { type AlarmRule, alarmAfter, type Level } from './alarm.ts';
import { type Bins, countsOf, layNumberBins, layTextBins, placeOf } from './bins.ts';
import { type Counts, driftRule, judgeDrift, windowFor } from './drift.ts';
import { measurePerformance, type Promised } from './performance.ts';

test('PSI is the sum by hand, and what a normal shift makes of it', () => {
  // Shares 0.2 and 0.8 against 0.5 and 0.5: (0.5 − 0.2) · ln 2.5 + (0.5 − 0.8) · ln 0.625.
  const many = [2e9, 8e9];
  expect(psi(many, [5e9, 5e9])).toBeCloseTo(0.3 * Math.log(2.5) - 0.3 * Math.log(0.625), 6);
  expect(psi([10, 20, 30], [100, 200, 300])).toBeLessThan(0.002);
  // An empty bin has a logarithm, and order does not matter.
  expect(psi([0, 100], [50, 50])).toBeCloseTo(psi([50, 50], [0, 100]), 12);
  // Jeffreys' divergence of two normals of one spread is the square of their distance; bins lose some of it.
  const half = shares(0.5, 1e6);
  expect(psi(shares(0, 1e6), half)).toBeGreaterThan(0.22);
  expect(psi(shares(0, 1e6), half)).toBeLessThan(0.25);
});

/** Rows in tenths of the standard normal of a normal that is shifted. */
function shares(shift: number, rows: number): number[] {
  const random = seedRandom(1);
  const bins: Bins = { kind: 'number', edges: Array.from({ length: 9 }, (_, k) => normalQuantile((k + 1) / 10)) };
  const counts = new Array<number>(10).fill(0);
  for (let row = 0; row < rows; row++) counts[placeOf(bins, normalQuantile(random()) + shift) - 1]++;
  return counts;
}

test('bins hold about a tenth each; equal values share one, and what is missing or rare has its own', () => {
  const bins = layNumberBins(Float64Array.from({ length: 1000 }, (_, i) => (i < 400 ? 0 : i)));
  const counts = new Array<number>(countsOf(bins)).fill(0);
  for (let i = 0; i < 1000; i++) counts[placeOf(bins, i < 400 ? 0 : i)]++;
  expect(counts[0]).toBe(0);
  expect(counts.reduce((a, b) => a + b, 0)).toBe(1000);
  expect(Math.max(...counts.slice(2))).toBeLessThanOrEqual(101);
  expect(placeOf(bins, null)).toBe(0);
  expect(placeOf(bins, Number.NaN)).toBe(0);
  expect(layNumberBins([3, 3, 3])).toEqual({ kind: 'number', edges: [] });
  const texts = layTextBins([...'aaaabbbc', null]);
  expect(texts).toEqual({ kind: 'text', values: ['a', 'b', 'c'] });
  expect(['b', 'never seen', null].map((value) => placeOf(texts, value))).toEqual([2, 4, 0]);
});

test("Student's quantiles are those of the tables", () => {
  for (const [p, degrees, value] of [
    [0.975, 27, 2.0518],
    [0.995, 27, 2.7707],
    [0.9995, 27, 3.6896],
    [0.9995, 55, 3.4759],
  ])
    expect(studentQuantile(p, degrees)).toBeCloseTo(value, 3);
});

/** Whether an alarm is on after each reading, the oldest first; off before the first. */
function alarmsAfter(levels: readonly Level[], rule: AlarmRule): boolean[] {
  const states: boolean[] = [];
  for (const at of levels.keys()) states.push(alarmAfter(states[at - 1] ?? false, levels.slice(0, at + 1), rule));
  return states;
}

test('an alarm needs two readings or an extreme one, and what swings about a threshold is one alarm', () => {
  const rule = { of: 2, among: 2, clear: 3 };
  const run = (text: string) => {
    const names: Record<string, Level> = { x: 'extreme', a: 'above', m: 'between', b: 'below' };
    return alarmsAfter(
      Array.from(text, (one) => names[one]),
      rule,
    )
      .map(Number)
      .join('');
  };
  expect(run('abababa')).toBe('0000000');
  expect(run('baambab')).toBe('0011111');
  expect(run('aamammabbb')).toBe('0111111110');
  expect(run('bxbbbb')).toBe('011100');
});

/** Days of counts of a column in tenths, with a day effect. */
function traffic(days: number, rows: number, seed: number, from = Number.POSITIVE_INFINITY, by = 0): Counts[] {
  const random = seedRandom(seed);
  const bins: Bins = { kind: 'number', edges: Array.from({ length: 9 }, (_, k) => normalQuantile((k + 1) / 10)) };
  return Array.from({ length: days }, (_, day) => {
    const usual = 0.1 * normalQuantile(random()) + (day % 7 > 4 ? 0.3 : 0) + (day >= from ? by : 0);
    const counts = new Array<number>(10).fill(0);
    for (let row = 0; row < rows; row++) counts[placeOf(bins, normalQuantile(random()) + usual) - 1]++;
    return counts;
  });
}

test('a shift of half a standard deviation is told within a week, and a year without one is quiet', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const judge = (days: Counts[]) =>
      alarmsAfter(
        judgeDrift([days], 7)[0].map(({ level }) => level),
        driftRule,
      );
    const from = 30 + seed;
    const told = judge(traffic(60, 300, seed, from, 0.5)).indexOf(true) + 28;
    expect(told).toBeGreaterThanOrEqual(from);
    expect(told).toBeLessThan(from + 7);
    expect(judge(traffic(393, 300, 100 + seed)).filter(Boolean)).toHaveLength(0);
  }
});

test('a day that is broken is told on that day; a day of few rows is not', () => {
  const days = traffic(35, 300, 3);
  const broken = [...days.slice(0, 34), [300, 0, 0, 0, 0, 0, 0, 0, 0, 0]];
  expect(judgeDrift([broken], 7)[0].at(-1)!.level).toBe('extreme');
  const few = [...days.slice(0, 34), [20, 0, 0, 0, 0, 0, 0, 0, 0, 0]];
  expect(judgeDrift([few], 7)[0].at(-1)!.level).not.toBe('extreme');
});

test('windows are as long as it takes to have rows, or there are none', () => {
  expect(windowFor(new Array(28).fill(100))).toBe(7);
  expect(windowFor(new Array(27).fill(100))).toBeNull();
  expect(windowFor(new Array(112).fill(20))).toBe(14);
  expect(windowFor(new Array(112).fill(8))).toBe(28);
  expect(windowFor(new Array(400).fill(1))).toBeNull();
});

const promised: Promised = { auroc: 0.8, auroc_error: 0.01, mae: 1, swing: 0.1 };

function outcomes(rows: number, oddsBy: number, seed: number, isRandom = false) {
  const random = seedRandom(seed);
  const predicted = Float64Array.from({ length: rows }, () => 0.02 + 0.4 * random() ** 3);
  const labels = predicted.map((p) => {
    const odds = (p / (1 - p)) * oddsBy;
    return Number(random() < (isRandom ? 0.12 : odds / (1 + odds)));
  });
  const days = Int32Array.from({ length: rows }, (_, row) => row % 28);
  return { kind: 'binary', predicted, labels, bands: predicted.map(() => 0) as never, days } as const;
}
const plain = (closed: ReturnType<typeof outcomes>) => ({ ...closed, bands: Array.from(closed.predicted, () => null) });

test('bands say what was expected and what came, by hand', () => {
  const predicted = Float64Array.from([0.1, 0.1, 0.1, 0.1, 0.5, 0.5]);
  const labels = Float64Array.from([0, 0, 0, 1, 1, 0]);
  const bands = ['Low', 'Low', 'Low', 'Low', 'High', 'High'];
  const days = new Int32Array(6);
  const { bands: told, ...measured } = measurePerformance({ kind: 'binary', predicted, labels, bands, days }, promised);
  expect(told.map(({ band, rows, expected, observed }) => [band, rows, expected, observed])).toEqual([
    ['High', 2, 0.5, 0.5],
    ['Low', 4, 0.1, 0.25],
  ]);
  // Wilson's interval of one in four.
  expect(told[1].observed_low).toBeCloseTo(0.0456, 3);
  expect(told[1].observed_high).toBeCloseTo(0.6994, 3);
  expect(measured.figures[0].value).toBeCloseTo(2 / 1.4, 12);
  // Two more standard errors of chance, and none of the swing: (2 − 1.4) / √(4 · 0.09 + 2 · 0.25 + (0.1 · 0.86)²).
  expect(measured.figures[0].z).toBeCloseTo(0.6 / Math.sqrt(0.86 + 0.086 ** 2), 12);
});

test('rates that come as promised are below; double odds and an order by chance are above', () => {
  const right = measurePerformance(plain(outcomes(4000, 1, 1)), { ...promised, auroc: 0.7 });
  expect(right.figures.find(({ name }) => name === 'calibration')!.level).toBe('below');
  const doubled = measurePerformance(plain(outcomes(4000, 2, 2)), promised);
  expect(doubled.figures[0]).toMatchObject({ name: 'calibration', level: 'above' });
  const random = measurePerformance(plain(outcomes(4000, 1, 3, true)), promised);
  expect(random.figures[1]).toMatchObject({ name: 'discrimination', level: 'above' });
});

test('errors of numbers are held against those of before', () => {
  const random = seedRandom(9);
  const days = Int32Array.from({ length: 2000 }, (_, row) => row % 28);
  const labels = Float64Array.from(days, () => normalQuantile(Math.max(1e-9, random())));
  const closed = (size: number) => ({
    ...({ kind: 'regression', labels, days, bands: [] } as const),
    predicted: labels.map((label, row) => label + (row % 2 === 0 ? size : -size)),
  });
  expect(measurePerformance(closed(1), promised).figures[0]).toMatchObject({ name: 'error', level: 'below' });
  expect(measurePerformance(closed(1.5), promised).figures[0]).toMatchObject({
    name: 'error',
    value: 1.5,
    level: 'above',
  });
});
