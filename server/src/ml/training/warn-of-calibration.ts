import type { ReliabilityBin } from '../calibration/reliability.ts';
import type { Measures } from './report.ts';
import type { ModelWarning } from './warning.ts';

/** Of right probabilities z is beyond this once in 370 times. */
const spiegelhalterMax = 3;
/** Rows of either label that a check of probabilities needs (Collins, Ogundimu and Altman 2016). */
const labelsLeast = 100;

/** The later rows that answers were held against, and how many of them came; these of probabilities alone. */
export type Checked = Pick<Measures, 'rows' | 'positives'>;

/**
 * Warns where probabilities were wrong by more than chance: the calibration error is above what right ones show 19 of
 * 20 times, and Spiegelhalter's z beyond ±3. Else, where too few rows could tell.
 */
export function warnOfCalibration(output: string, measures: Measures, checked: Checked): ModelWarning[] {
  const wrong = warnOfWrong(output, measures);
  const { rows, positives } = checked;
  if (positives === undefined || wrong.length > 0) return wrong;
  if (Math.min(positives, rows - positives) >= labelsLeast) return [];
  const message = `${output}: whether its probabilities are right cannot be told yet: ${rows} later rows with ${positives} positives could be checked, and it takes ${labelsLeast} with each answer. Take them as an order, not at their word, until an evaluation on more later rows has shown it`;
  return [
    {
      ...{ code: 'calibration_unknown', output, message },
      because: { code: 'few_to_check', output, rows, positives, least: labelsLeast },
    },
  ];
}

function warnOfWrong(output: string, { calibration, reliability }: Measures): ModelWarning[] {
  if (!calibration || !reliability) return [];
  const { expected_calibration_error: error, of_perfect, spiegelhalter_z: z, rows } = calibration;
  if (!(error > of_perfect.high && Math.abs(z) > spiegelhalterMax)) return [];
  const mean = (of: (bin: ReliabilityBin) => number) =>
    (reliability.bins.reduce((sum, bin) => sum + bin.rows * of(bin), 0) / rows).toFixed(3);
  const [said, came] = [mean(({ meanProbability }) => meanProbability), mean(({ observedRate }) => observedRate)];
  const message = `${output}: probabilities were wrong by more than chance on ${rows} later rows: ${said} was said on average and ${came} came (calibration error ${error.toFixed(3)}, right probabilities stay below ${of_perfect.high.toFixed(3)}; z ${z.toFixed(1)}). What leads to the outcome may have changed: look at the newest months, and learn again when newer labels are known`;
  const averages = { said: Number(said), came: Number(came), error, limit: of_perfect.high, z };
  return [
    { code: 'poorly_calibrated', output, message, because: { code: 'wrong_on_average', output, rows, ...averages } },
  ];
}
