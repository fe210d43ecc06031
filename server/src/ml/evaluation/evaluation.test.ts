import { describe, expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { resamplingOf } from '../statistics/standard-errors.ts';
import { compareRows, rankCorrelation } from './compare.ts';
import { measureRows } from './measure.ts';
import { measureSegments, SegmentBuilder } from './segments.ts';

const binary = { kind: 'binary', metric: 'log_loss', classes: [] } as const;
const each = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i);

/** Rows whose label comes with the probability `truth`. */
function drawRows(rows: number) {
  const random = seedRandom(5);
  const truth = Float64Array.from({ length: rows }, random);
  const labels = truth.map((p) => Number(random() < p));
  return { truth, labels, noise: truth.map((p) => Math.min(0.99, Math.max(0.01, p + (random() - 0.5)))) };
}

describe('measures', () => {
  test('gains and reliability are what is counted by hand', () => {
    const values = Float64Array.from({ length: 20 }, (_, i) => (i + 1) / 21);
    // Positive are the four highest, and the lowest.
    const labels = values.map((_, i) => Number(i === 0 || i >= 16));
    const measured = measureRows(binary, { labels, values, sure: null }, resamplingOf(values, each(20)));
    expect(measured).toMatchObject({ rows: 20, positives: 5, mean_observed: 0.25 });
    expect(measured.gains).toHaveLength(10);
    expect(measured.gains![1]).toMatchObject({ rows: 2, positives: 2, lift: 4, share: 0.2, captured: 0.8 });
    expect(measured.gains!.at(-1)).toMatchObject({ positives: 1, observed: 0.5, lift: 2, share: 1, captured: 1 });
    expect(measured.gains!.at(-1)!.cumulative_lift).toBe(1);
    expect(measured.reliability![0]).toMatchObject({ rows: 2, from: 1 / 21, to: 2 / 21, observed: 0.5 });
    expect(measured.reliability![0].mean_predicted).toBeCloseTo(1.5 / 21, 12);
  });

  test('intervals hold the value, and are narrower with more rows', () => {
    const widthOf = (rows: number) => {
      const { truth, labels } = drawRows(rows);
      const measured = measureRows(binary, { labels, values: truth, sure: null }, resamplingOf(truth, each(rows)));
      const { value, low, high } = measured.metrics.auroc!;
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
      return high - low;
    };
    expect(widthOf(2_000)).toBeLessThan(widthOf(125) / 2);
  });
});

describe('paired comparison', () => {
  const { truth, labels, noise } = drawRows(1_000);
  const [good, bad] = [truth, noise].map((values) => ({ labels, values, sure: null }));
  const resampling = resamplingOf(new Float64Array(1_000), each(1_000));

  test('says which is better, positive for the first, whichever way the metric points', () => {
    const { gains, better } = compareRows(binary, good, bad, resampling, null);
    expect(better).toBe('model');
    expect(gains.auroc!.low).toBeGreaterThan(0);
    expect(gains.log_loss!.low).toBeGreaterThan(0);
    const turned = compareRows(binary, bad, good, resampling, null);
    expect(turned.better).toBe('compare_with');
    expect(turned.gains.brier!.value).toBe(-gains.brier!.value);
    expect(turned.gains.brier!.low).toBeCloseTo(-gains.brier!.high, 12);
  });

  test('cannot tell a version from itself, nor from one with a little noise', () => {
    const same = compareRows(binary, good, good, resampling, null);
    expect(same).toMatchObject({ better: 'cannot_tell', rank_correlation: 1, decile_changed: 0, mean_change: 0 });
    const near = { ...good, values: truth.map((p, i) => p + (i % 2 === 0 ? 1e-3 : -1e-3) * p * (1 - p)) };
    expect(compareRows(binary, good, near, resampling, null).better).toBe('cannot_tell');
  });

  test('says nothing for a version that has learned from more of the rows, and why', () => {
    const seen = { model: 900, compare_with: 0 };
    const flattered = compareRows(binary, good, bad, resampling, null, seen);
    expect(flattered).toMatchObject({
      better: 'cannot_tell',
      reason:
        'model looks better, and may have learned from 900 of these 1,000 rows, compare_with from 0: such rows flatter',
    });
    expect(flattered.gains.auroc!.low).toBeGreaterThan(0);
    const [turned, level] = [
      compareRows(binary, bad, good, resampling, null, seen),
      compareRows(binary, good, bad, resampling, null, { model: 900, compare_with: 900 }),
    ];
    expect(turned, 'better in spite of it').toMatchObject({ better: 'compare_with', reason: null });
    expect(level).toMatchObject({ better: 'model', reason: null });
  });

  test('is by far surer than two intervals side by side', () => {
    const shifted = { ...good, values: truth.map((p) => Math.min(0.98, p + 0.05)) };
    const own = measureRows(binary, good, resampling).metrics.brier!;
    const { gains } = compareRows(binary, good, shifted, resampling, null);
    expect(gains.brier!.high - gains.brier!.low).toBeLessThan((own.high - own.low) / 2);
  });

  test('tells the share of rows whose tenth and band change', () => {
    const values = Float64Array.from({ length: 10 }, (_, i) => (i + 1) / 100);
    const first = { labels: values.map((_, i) => i % 2), values, sure: null };
    // The last two change places, which is two tenths of the rows.
    const swapped = values.slice();
    [swapped[8], swapped[9]] = [values[9], values[8]];
    const changed = compareRows(binary, first, { ...first, values: swapped }, resamplingOf(values, each(10)), (p) =>
      p > 0.09 ? 100 : 950,
    );
    expect(changed).toMatchObject({ decile_changed: 0.2, band_changed: 0.2 });
  });

  test('correlates ranks as in a textbook', () => {
    // Intelligence and hours of television of ten people, Wikipedia's worked example: -29/165.
    const intelligence = Float64Array.of(106, 100, 86, 101, 99, 103, 97, 113, 112, 110);
    const hours = Float64Array.of(7, 27, 2, 50, 28, 29, 20, 12, 6, 17);
    expect(rankCorrelation(intelligence, hours)).toBeCloseTo(-29 / 165, 12);
    expect(rankCorrelation(intelligence, new Float64Array(10))).toBeNull();
  });
});

describe('segments', () => {
  const { truth, labels } = drawRows(1_000);
  const judged = { labels, values: truth, sure: null, at: new Float64Array(1_000), entities: each(1_000) };
  const build = (value: (row: number) => string | number | null, isDeclared = true) => {
    const builder = new SegmentBuilder('kind', 'file', isDeclared);
    for (let row = 0; row < 1_000; row++) builder.add(value(row));
    return builder.take();
  };

  test('tell each value by its rows, small ones as such', () => {
    const { values, others } = measureSegments(
      binary,
      judged,
      build((row) => (row < 700 ? 'a' : row < 980 ? 'b' : null)),
    );
    expect(values.map(({ value, rows, is_small }) => [value, rows, is_small])).toEqual([
      ['a', 700, false],
      ['b', 280, false],
      [null, 20, true],
    ]);
    expect(others).toBeNull();
    const own = labels.slice(0, 700);
    expect(values[0].positives).toBe(own.reduce((sum, label) => sum + label, 0));
    expect(values[0].mean_observed).toBeCloseTo(own.reduce((sum, label) => sum + label, 0) / 700, 12);
    const loss = own.reduce((sum, y, i) => sum - Math.log(y === 1 ? truth[i] : 1 - truth[i]), 0) / 700;
    expect(values[0].metric.value).toBeCloseTo(loss, 12);
  });

  test('of many texts the largest fifty, and of many numbers ranges', () => {
    const texts = measureSegments(
      binary,
      judged,
      build((row) => `v${row % 100}`),
    );
    expect([texts.values.length, texts.others]).toEqual([50, { values: 50, rows: 500 }]);
    const numbers = measureSegments(
      binary,
      judged,
      build((row) => row),
    );
    expect(numbers.values.map(({ value }) => value).slice(0, 2)).toEqual(['0 to 99', '100 to 199']);
    expect(numbers.values.map(({ rows }) => rows)).toEqual(Array(10).fill(100));
  });

  test('numbers written as texts are ranges, however many', () => {
    const { values } = measureSegments(
      binary,
      judged,
      build((row) => `${row}.50`),
    );
    expect(values.map(({ value, rows }) => [value, rows])[1]).toEqual(['100.5 to 199.5', 100]);
    const builder = new SegmentBuilder('amount', 'file', true);
    for (let row = 0; row < 10_500; row++) builder.add(`${row}.25`);
    expect(builder.take().values).toHaveLength(10_500);
    expect(() => builder.add('unknown')).toThrow('segment amount has more than 10000 different values');
  });

  test('values of fewer than five rows are no more than counted, of what nobody declared of five entities', () => {
    const value = (row: number) => (row < 4 ? 'four' : row < 9 ? 'five' : 'most');
    const tell = (isDeclared: boolean, entities: Int32Array) => {
      const { values, others } = measureSegments(binary, { ...judged, entities }, build(value, isDeclared));
      return { told: values.map(({ value: told }) => told), others };
    };
    const others = { values: 1, rows: 4 };
    expect(tell(true, each(1_000))).toEqual({ told: ['most', 'five'], others });
    expect(tell(false, each(1_000))).toEqual({ told: ['most', 'five'], others });
    const fewer = each(1_000).map((row) => (row === 8 ? 7 : row));
    expect(tell(true, fewer)).toEqual({ told: ['most', 'five'], others });
    expect(tell(false, fewer)).toEqual({ told: ['most'], others: { values: 2, rows: 9 } });
  });

  test('a column of names is none', () => {
    const builder = new SegmentBuilder('name', 'file', false);
    expect(() => {
      for (let row = 0; row < 20_000; row++) builder.add(`name ${row}`);
    }).toThrow('segment name has more than 10000 different values');
  });
});
