import { factors, mostProbable, numberColumn, numberField, probabilityField, textField } from './fields.ts';
import type { Answer, PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

/** Classes of change from the past to a future window of the same length, in order of class number. */
const growthSignals = ['contraction', 'stable', 'expansion'] as const;

/** A change by less than this share counts as stable. */
const growthShareMin = 0.1;

/** Whether a prospect buys, whether it grows, and through how many customers it can be reached. */
export const fieldSales = {
  name: 'field_sales',
  learns: {
    heads: [
      {
        name: 'propensity',
        objective: 'binary',
        required: true,
        about: 'whether the prospect buys',
        bounds: 'propensity_score',
      },
      {
        name: 'growth',
        objective: 'multiclass',
        required: false,
        about: 'a sum or count that grows, holds or shrinks',
        classes: { names: growthSignals, of: growthOf },
      },
    ],
  },
  metrics: probabilityMetrics,
  readsNetwork: true,
  answers: (outputs) => [
    {
      field: probabilityField('propensity_score', 'Probability that the prospect buys.'),
      column: ({ of }) => numberColumn(of('propensity')),
    },
    ...(outputs.some(({ name }) => name === 'growth') ? [growthAnswer] : []),
    {
      field: numberField(
        'network_density',
        'Warm paths: shared rows with existing customers, one per row and customer.',
        {
          type: 'integer',
          example: 2,
          minimum: 0,
        },
      ),
      column: ({ network }) => numberColumn(network().warmPaths()),
    },
    factors('risk_factors'),
  ],
  example: `kind: field_sales
entity: customer
key: customer_id
anchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}
targets:
  propensity: {table: purchase, reference: customer_id, horizons: [30d]}
  growth: {table: purchase, reference: customer_id, aggregate: sum(amount), horizons: [90d]}
`,
} as const satisfies PredictionKind;

const growthAnswer: Answer = {
  field: textField(
    'growth_signal',
    'What the window ahead is most likely to be against the one before it.',
    'expansion',
    { enum: growthSignals },
  ),
  column: ({ of }) => ({
    kind: 'text',
    codes: mostProbable(of('growth'), growthSignals.length),
    dictionary: growthSignals,
  }),
};

/** The class number of the growth from `past` to `future`. */
function growthOf(past: number, future: number): number {
  const change = future - past;
  if (Math.abs(change) <= Math.abs(past) * growthShareMin) return growthSignals.indexOf('stable');
  return growthSignals.indexOf(change > 0 ? 'expansion' : 'contraction');
}
