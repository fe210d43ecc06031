import { textColumn } from '../../lib/files/column.ts';
import { factors, jsonFormat, numberColumn, probabilityField, textField } from './fields.ts';
import type { PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

const exampleFlags = JSON.stringify([
  {
    kind: 'known_bad_actor',
    hops: 1,
    since: '2024-12-31',
    path: [{ entity: 'id-1', relation: 'device', date: '2024-12-01' }],
    text: 'linked by device to a known bad actor, since 2024-12-31',
  },
]);

/** How likely fraud is, the reasons for it, and which neighbors are known for fraud. */
export const fraud = {
  name: 'fraud',
  learns: {
    heads: [
      { name: 'fraud', objective: 'binary', required: true, about: 'whether it is fraud', bounds: 'fraud_score' },
    ],
  },
  metrics: probabilityMetrics,
  isRisk: true,
  readsNetwork: true,
  answers: () => [
    {
      field: probabilityField('fraud_score', 'Probability of fraud.'),
      column: ({ of }) => numberColumn(of('fraud')),
    },
    factors('risk_factors'),
    {
      field: textField(
        'network_flags',
        'Links over at most three shared rows to known bad actors, and suspicious groups. Files hold the list as JSON text.',
        exampleFlags,
        { format: jsonFormat },
      ),
      column: ({ network }) =>
        textColumn(
          network()
            .flags()
            .map((flags) => JSON.stringify(flags)),
        ),
    },
  ],
  example: `kind: fraud
entity: customer
key: customer_id
anchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}
target: {table: chargeback, reference: customer_id, horizons: [60d]}
`,
} as const satisfies PredictionKind;
