import type { Column } from '../../lib/files/column.ts';
import { creditScore, riskBand, riskBands } from '../calibration/score.ts';
import { agreeing } from './horizons.ts';
import { type AnswerKind, factorsField, numberColumn, numberField, probabilityField, textField } from './kind.ts';

const exampleScore = 650;
const bands = riskBands.map(({ name }) => name);

/** Probabilities of default by horizon that agree with each other, and the score and band of the longest. */
export const credit: AnswerKind = {
  fields: (_, outputs) => [
    numberField('score', 'Higher means lower risk.', {
      type: 'integer',
      example: exampleScore,
      minimum: 0,
      maximum: 1000,
    }),
    ...outputs.map(({ name }) =>
      probabilityField(name, `Probability of default within ${/\d+/.exec(name)?.[0]} days.`),
    ),
    textField('risk_band', 'Band of the score.', riskBand(exampleScore), { enum: bands }),
    factorsField('key_factors'),
  ],
  columns(task, outputs, { rows, values, told }) {
    const combined = agreeing(task, values, rows);
    const scores = combined.at(-1)!.map((p) => creditScore(p));
    return new Map<string, Column>([
      ['score', numberColumn(scores)],
      ...outputs.map(({ name }, o): [string, Column] => [name, numberColumn(combined[o])]),
      [
        'risk_band',
        { kind: 'text', codes: Int32Array.from(scores, (score) => bands.indexOf(riskBand(score))), dictionary: bands },
      ],
      ['key_factors', told],
    ]);
  },
};
