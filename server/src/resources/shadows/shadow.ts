import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { AnswerKind, AnswersCompared } from '../../ml/evaluation/compare-answers.ts';
import type { Shadows } from '../../schema/tables.ts';
import { comparedFields, cutoffSchema } from '../backtests/backtest.ts';
import { shadowExample } from './example.ts';

export type ShadowRow = Selectable<Shadows>;

/** What answers are compared by, and the field that has them. */
export type ShadowAnswers = AnswerKind & { readonly field: string };

/** Newest answers that are compared. */
export const comparedMax = 20_000;

const listedFields = {
  model_id: Type.String(),
  version_id: Type.String(),
  alias: Type.String(),
  share: Type.Number({ minimum: 0, maximum: 1 }),
  cutoff: nullable(cutoffSchema),
  answered: Type.Integer({ description: 'Predictions of the alias that the version has answered too.' }),
  refused: Type.Integer({ description: 'Those whose inputs it would refuse.' }),
  seen_until: Type.String({ description: 'Predictions until then have been looked at.' }),
  created_at: Type.String(),
};
const { comparison: _, ...listedExample } = shadowExample;

/** A shadow in the list of a model, without how its answers differ. */
export const listedShadowSchema = answerOf('ListedShadow', listedExample, listedFields);

export const shadowSchema = answerOf('Shadow', shadowExample, {
  ...listedFields,
  comparison: nullable(
    objectOf(
      'ShadowComparison',
      { rows: Type.Integer(), ...comparedFields },
      { description: `Of the newest ${comparedMax} pairs: before is what was answered. Null before the first.` },
    ),
  ),
});

/** How many answers a shadow has, those that it would refuse among them. */
export type ShadowCounts = { readonly rows: number; readonly refused: number };

export function presentListed(row: ShadowRow, { rows, refused }: ShadowCounts) {
  return {
    ...{ model_id: row.model_id, version_id: row.version_id, alias: row.alias, share: row.share, cutoff: row.cutoff },
    ...{ answered: rows - refused, refused },
    seen_until: new Date(Number.parseInt(row.seen.slice('prd_'.length, 'prd_'.length + 12), 16)).toISOString(),
    created_at: row.created_at.toISOString(),
  };
}

export function presentShadow(row: ShadowRow, counts: ShadowCounts, comparison: AnswersCompared | null) {
  return {
    ...presentListed(row, counts),
    comparison: comparison && { field: (row.answers as ShadowAnswers).field, ...comparison },
  };
}
