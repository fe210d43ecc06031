import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Outcomes } from '../../schema/tables.ts';
import { outcomeExample } from './example.ts';

export type OutcomeRow = Selectable<Outcomes>;
export type OutcomeValue = number | string;

export const outcomeSources = ['api', 'tables'] as const;

const valueSchema = Type.Union([Type.Number(), Type.String()], {
  description: '0 or 1 of a probability, a number, or the name of a class.',
});
const told = {
  value: valueSchema,
  observed_at: Type.String(),
  source: Type.String({ enum: [...outcomeSources], description: 'tables: it was found in the data, as labels are.' }),
  recorded_by: Type.String(),
  recorded_at: Type.String(),
};

export const outcomeSchema = answerOf('Outcome', outcomeExample, {
  id: Type.String(),
  prediction_id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  output: Type.String({ description: 'The field of the answer that it is of.' }),
  ...told,
  closes_at: nullable(
    Type.String({ description: 'When the window of the prediction closes; null where its task says none.' }),
  ),
  is_decided: Type.Boolean({
    description:
      'Whether it counts: its window had closed when it was observed, or what was predicted had happened by then.',
  }),
  revision: Type.Integer({ description: 'Counts up with each correction.' }),
  corrections: Type.Array(objectOf('OutcomeCorrection', told), { description: 'What it was before, oldest first.' }),
});

export function presentOutcome(row: OutcomeRow) {
  return {
    id: row.id,
    prediction_id: row.prediction_id,
    model_id: row.model_id,
    version_id: row.version_id,
    output: row.output,
    // What `record.ts` has checked and written, so that the casts hold.
    value: row.value as OutcomeValue,
    observed_at: row.observed_at.toISOString(),
    closes_at: row.closes_at?.toISOString() ?? null,
    is_decided: row.is_decided,
    source: row.source,
    revision: row.revision,
    corrections: row.corrections as never[],
    recorded_by: row.recorded_by,
    recorded_at: row.recorded_at.toISOString(),
  };
}
