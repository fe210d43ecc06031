import { mostProbable, numberColumn, probabilityField, textField } from './fields.ts';
import type { Answer, PredictionKind } from './kind.ts';
import { classMetrics } from './metrics.ts';

/**
 * The most probable class, and the probability of each class. It has no explanation of one class against the others.
 */
export const multiclass = {
  name: 'multiclass',
  learns: { objective: 'multiclass' },
  metrics: classMetrics,
  answers: (outputs) =>
    outputs.flatMap(({ name, objective: { classes } }): Answer[] => [
      {
        field: textField(name, 'The most probable class.', classes[0] ?? '', { enum: classes }),
        column: ({ of }) => ({
          kind: 'text',
          codes: mostProbable(of(name), classes.length),
          dictionary: classes,
        }),
      },
      ...classes.map((label, c): Answer => {
        const own = `${name.replace(/^prediction/, 'probability')}_${label}`;
        return {
          field: probabilityField(own, `Probability of ${label}.`),
          column: ({ of }) => numberColumn(of(name).filter((_, k) => k % classes.length === c)),
        };
      }),
    ]),
  example: 'PREDICT next(visit.pages) WITHIN 60d FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01\n',
} as const satisfies PredictionKind;
