import { factors, numberColumn, probabilityField } from './fields.ts';
import type { Answer, PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

/** A probability: the field `prediction`, or one field per horizon, named after it. */
export const binary = {
  name: 'binary',
  learns: { objective: 'binary' },
  metrics: probabilityMetrics,
  answers: (outputs, { events, label }) => [
    ...outputs.map(
      ({ name }, o): Answer => ({
        field: probabilityField(name, events ? `Probability of ${events[o]}.` : `Probability that ${label} is 1.`),
        column: ({ of }) => numberColumn(of(name)),
      }),
    ),
    factors('key_factors'),
  ],
  example: 'PREDICT exists(purchase) WITHIN 10d, 30d FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01\n',
} as const satisfies PredictionKind;
