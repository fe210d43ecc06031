import { expect, test } from 'vitest';
import { evaluateCalibration } from '../calibration/evaluate.ts';
import { reliability } from '../calibration/reliability.ts';
import { seedRandom } from '../statistics/random.ts';
import type { Measures } from './report.ts';
import { warnOfCalibration } from './warn-of-calibration.ts';

/** Of 2,000 rows with probabilities up to .6, each came with `factor` times its probability. */
function measured(factor: number): Measures {
  const random = seedRandom(7);
  const said = Float64Array.from({ length: 2_000 }, () => 0.6 * random());
  const labels = Float64Array.from(said, (probability) => (random() < factor * probability ? 1 : 0));
  const bins = { bins: 10, binning: 'equal_count' } as const;
  return {
    ...({ metric: 'auroc', value: 0.7, standard_error: 0.01, rows: 2_000, others: {} } as unknown as Measures),
    ...{ calibration: evaluateCalibration(labels, said), reliability: reliability(labels, said, bins) },
  };
}

test('probabilities that are right by chance are not warned of, and those that are half too high are', () => {
  expect(warnOfCalibration('late', measured(1))).toEqual([]);
  const [warning] = warnOfCalibration('late', measured(2 / 3));
  expect(warning).toMatchObject({ code: 'poorly_calibrated', output: 'late' });
  const [, said, came] = /: (0\.\d+) was said on average and (0\.\d+) came/.exec(warning.message)!;
  expect(Number(said)).toBeCloseTo(0.3, 1);
  expect(Number(came) / Number(said)).toBeCloseTo(2 / 3, 1);
});
