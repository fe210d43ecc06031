import { creditScore, exactCreditScore, riskBand, riskBands } from '../calibration/score.ts';
import { factors, numberColumn, numberField, probabilityField, textField } from './fields.ts';
import type { Answer, PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

const exampleScore = 650;
const bands = riskBands.map(({ name }) => name);

/** Consistent probabilities of default by horizon, and the score and risk band of the longest horizon. */
export const credit = {
  name: 'credit',
  learns: {
    objective: 'binary',
    horizons: { nameOf: (days) => `pd_${days}d`, about: 'how probable a default is within it' },
  },
  metrics: probabilityMetrics,
  isRisk: true,
  score: { field: 'score', of: creditScore, exact: exactCreditScore },
  answers(outputs) {
    const longest = outputs.at(-1)!.name;
    return [
      {
        field: numberField('score', 'Higher means lower risk.', {
          type: 'integer',
          example: exampleScore,
          minimum: 0,
          maximum: 1000,
        }),
        column: ({ of }) => numberColumn(of(longest).map(creditScore)),
      },
      ...outputs.map(
        ({ name }): Answer => ({
          field: probabilityField(name, `Probability of default within ${/\d+/.exec(name)?.[0]} days.`),
          column: ({ of }) => numberColumn(of(name)),
        }),
      ),
      {
        field: textField(
          'risk_band',
          `Band of the score, the safest first: ${riskBands.map(({ from, name }) => `${name} from ${from}`).join(', ')}.`,
          riskBand(exampleScore),
          { enum: bands },
        ),
        column: ({ of }) => ({
          kind: 'text',
          codes: Int32Array.from(of(longest), (p) => bands.indexOf(riskBand(creditScore(p)))),
          dictionary: bands,
        }),
      },
      factors('key_factors'),
    ];
  },
  example: `kind: credit
entity: customer
anchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}
target: {table: chargeback, reference: customer_id, horizons: [30d, 60d]}
`,
} as const satisfies PredictionKind;
