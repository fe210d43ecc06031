import { textColumn } from '../../lib/files/column.ts';
import { decileOf, decileRange } from '../calibration/cohort.ts';
import { factors, numberColumn, numberField, probabilityField, textField } from './fields.ts';
import type { Answer, KnownOutput, PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

/** Whether a lead converts, and which group its value puts it in. */
export const leadScoring = {
  name: 'lead_scoring',
  learns: {
    heads: [
      {
        name: 'conversion',
        objective: 'binary',
        required: true,
        about: 'whether the lead converts',
        bounds: 'conversion_probability',
      },
      {
        name: 'value',
        objective: 'regression',
        metric: 'rmse',
        required: false,
        about: 'what the lead is worth, in BRL',
        bounds: 'ltv',
      },
    ],
  },
  metrics: probabilityMetrics,
  answers(outputs) {
    const value = outputs.find(({ name }) => name === 'value');
    return [
      {
        field: probabilityField('conversion_probability', 'Probability that the lead converts.'),
        column: ({ of }) => numberColumn(of('conversion')),
      },
      ...(value ? valueAnswers(value) : []),
      factors('risk_factors'),
    ];
  },
  example: `kind: lead_scoring
entity: customer
key: customer_id
anchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}
targets:
  conversion: {table: purchase, reference: customer_id, horizons: [30d]}
  value: {table: purchase, reference: customer_id, aggregate: sum(amount), horizons: [60d]}
`,
} as const satisfies PredictionKind;

function valueAnswers({ name, cohort }: KnownOutput): Answer[] {
  return [
    {
      field: numberField('ltv_decile', 'Decile of the expected value among the training cohort; 10 is the highest.', {
        type: 'integer',
        example: 7,
        minimum: 1,
        maximum: 10,
      }),
      column: ({ of }) => numberColumn(of(name).map((value) => decileOf(cohort, value))),
    },
    {
      field: textField('ltv_range', 'Least and greatest expected value of the decile, in BRL.', '1200.00–3400.00', {
        unit: 'BRL',
      }),
      column: ({ of }) =>
        textColumn(
          Array.from(of(name), (value) => {
            const { from, to } = decileRange(cohort, value);
            return `${from.toFixed(2)}–${to.toFixed(2)}`;
          }),
        ),
    },
  ];
}
