import { factors, numberColumn, numberField, typical } from './fields.ts';
import type { Answer, PredictionKind } from './kind.ts';
import { numberMetrics } from './metrics.ts';

/** A number: the field `prediction`, or one field per horizon, named after it. */
export const regression = {
  name: 'regression',
  learns: { objective: 'regression' },
  metrics: numberMetrics,
  answers: (outputs, { events, label }) => [
    ...outputs.map(
      (output, o): Answer => ({
        field: numberField(output.name, `Expected ${events ? events[o] : label}.`, { example: typical(output) }),
        column: ({ of }) => numberColumn(of(output.name)),
      }),
    ),
    factors('key_factors'),
  ],
  example: 'PREDICT sum(purchase.amount) WITHIN 60d FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01\n',
} as const satisfies PredictionKind;
