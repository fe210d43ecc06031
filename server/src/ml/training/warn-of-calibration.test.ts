import { expect, test } from 'vitest';
import { evaluateCalibration } from '../calibration/evaluate.ts';
import { reliability } from '../calibration/reliability.ts';
import { seedRandom } from '../statistics/random.ts';
import type { Measures } from './report.ts';
import { warnOfCalibration } from './warn-of-calibration.ts';
import type { WarningReason } from './warning.ts';

/** The warnings of rows with probabilities up to .6, each of which came with `factor` times its probability. */
const warningsOf = (factor: number, rows = 2_000) => warningsWhere((probability) => factor * probability, rows);

/** The warnings of rows with probabilities up to .6, by how probable each was in truth. */
function warningsWhere(truth: (said: number) => number, rows = 2_000) {
  const random = seedRandom(7);
  const said = Float64Array.from({ length: rows }, () => 0.6 * random());
  const labels = Float64Array.from(said, (probability) => (random() < truth(probability) ? 1 : 0));
  const bins = { bins: 10, binning: 'equal_count' } as const;
  const measures: Measures = {
    ...{ value: 0.7, standard_error: 0.01, rows, others: {} },
    ...{ calibration: evaluateCalibration(labels, said, null), reliability: reliability(labels, said, bins) },
  };
  return warnOfCalibration('late', measures, { rows, positives: labels.filter((label) => label === 1).length });
}

test('probabilities that are right by chance are not warned of, and those that are half too high are', () => {
  expect(warningsOf(1)).toEqual([]);
  const [warning] = warningsOf(2 / 3);
  expect(warning).toMatchObject({ code: 'poorly_calibrated', output: 'late' });
  const [, said, came] = /: (0\.\d+) was said on average and (0\.\d+) came/.exec(warning.message)!;
  expect(Number(said)).toBeCloseTo(0.3, 1);
  expect(Number(came) / Number(said)).toBeCloseTo(2 / 3, 1);
});

test('of probabilities that are right on average and too extreme it is said where they are furthest off', () => {
  const [warning, ...others] = warningsWhere((said) => 0.3 + 0.4 * (said - 0.3));
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    code: 'poorly_calibrated',
    because: { code: 'wrong_in_part', rows: 2_000, part: 200 },
  });
  const { low, high, said, came } = warning.because as Extract<WarningReason, { code: 'wrong_in_part' }>;
  expect(low <= said && said <= high).toBe(true);
  // Tenths near either end are furthest off: at .57 it was said where .41 came, at .03 where .19 came.
  expect(Math.abs(said - 0.3)).toBeGreaterThan(0.15);
  expect(Math.abs(said - came)).toBeGreaterThan(0.1);
  expect(warning.message).toContain(`right on average, but where ${low.toFixed(3)} to ${high.toFixed(3)} was said`);
});

test('of few rows it is said that they cannot tell, unless they are wrong by more than chance all the same', () => {
  const [few, ...others] = warningsOf(1, 200);
  expect(others).toEqual([]);
  expect(few).toMatchObject({
    ...{ code: 'calibration_unknown', output: 'late' },
    because: { code: 'few_to_check', rows: 200, least: 100 },
  });
  expect(few.message).toContain('200 later rows');
  expect(warningsOf(1 / 4, 200).map(({ code }) => code)).toEqual(['poorly_calibrated']);
  const none = { value: 0.7, standard_error: 0.1, rows: 60, others: {} };
  expect(warnOfCalibration('late', none, { rows: 0, positives: 0 })).toMatchObject([{ code: 'calibration_unknown' }]);
});
