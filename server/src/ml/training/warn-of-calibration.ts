import type { ReliabilityBin } from '../calibration/reliability.ts';
import type { Measures } from './report.ts';
import type { ModelWarning } from './warning.ts';

/** Of right probabilities z is beyond this once in 370 times. */
const spiegelhalterMax = 3;
/** Of what was said on average and what came: standard errors that chance sets them apart by, 19 of 20 times. */
const averageErrors = 2;
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
  const { bins } = reliability;
  const mean = (of: (bin: ReliabilityBin) => number) => bins.reduce((sum, bin) => sum + bin.rows * of(bin), 0) / rows;
  const [said, came] = [mean(({ meanProbability }) => meanProbability), mean(({ observedRate }) => observedRate)];
  const start = `${output}: probabilities were wrong by more than chance on ${rows} later rows: `;
  const measured = `(calibration error ${error.toFixed(3)}, right probabilities stay below ${of_perfect.high.toFixed(3)}; z ${z.toFixed(1)})`;
  const figures = { output, rows, error, limit: of_perfect.high, z };
  if (Math.abs(said - came) > averageErrors * Math.sqrt((came * (1 - came)) / rows)) {
    const message = `${start}${said.toFixed(3)} was said on average and ${came.toFixed(3)} came ${measured}. What leads to the outcome may have changed: look at the newest months, and learn again when newer labels are known`;
    const averages = { said: rounded(said), came: rounded(came) };
    return [
      { code: 'poorly_calibrated', output, message, because: { code: 'wrong_on_average', ...figures, ...averages } },
    ];
  }
  const off = (bin: ReliabilityBin) => bin.rows * Math.abs(bin.meanProbability - bin.observedRate);
  const worst = bins.reduce((most, bin) => (off(bin) > off(most) ? bin : most));
  const part = {
    ...{ low: rounded(worst.low), high: rounded(worst.high), part: worst.rows },
    ...{ said: rounded(worst.meanProbability), came: rounded(worst.observedRate) },
  };
  const message = `${start}right on average, but where ${part.low.toFixed(3)} to ${part.high.toFixed(3)} was said (${part.part} rows, ${part.said.toFixed(3)} on average) ${part.came.toFixed(3)} came ${measured}. Take probabilities of that size as an order, not at their word`;
  return [{ code: 'poorly_calibrated', output, message, because: { code: 'wrong_in_part', ...figures, ...part } }];
}

const rounded = (probability: number): number => Number(probability.toFixed(3));
