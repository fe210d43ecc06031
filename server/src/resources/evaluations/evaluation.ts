import type { Selectable } from 'kysely';
import { type TProperties, type TSchema, Type } from 'typebox';
import { becauseSchema, codesSchema } from '../../api/because.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { metricNames } from '../../ml/statistics/metrics.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import type { Evaluations } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { calibrationSchema, gainsRowSchema, naiveSchema, reliabilityRowSchema, surenessSchema } from '../measures.ts';
import { evaluationExample } from './example.ts';

export type EvaluationRow = Selectable<Evaluations>;

export const evaluationStatuses = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export const finishedStatuses: readonly string[] = ['succeeded', 'failed', 'interrupted'];

/** A version as it was meant when the evaluation was asked for. */
export type EvaluatedModel = {
  readonly model_id: string;
  readonly alias: string | null;
  readonly version_id: string;
  /** That of the version; absent of older evaluations. */
  readonly number?: number;
};

const number = Type.Number();
const integer = Type.Integer();
const text = Type.String();
/** A figure that the rows may not be able to tell. */
const figure = (description?: string) => nullable(Type.Number(description === undefined ? {} : { description }));
const listOf = <T extends TSchema>(schema: T) => Type.Array(schema);
const optionally = (properties: TProperties): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));

export const estimateSchema = objectOf('EvaluationEstimate', {
  value: figure(),
  low: figure('With high, where 95 % of the draws of a bootstrap lie; null where the rows cannot tell.'),
  high: figure(),
});

const estimates = objectOf(
  'EvaluationMetrics',
  optionally(Object.fromEntries(metricNames.map((name) => [name, estimateSchema]))),
);

export const measuredSchema = objectOf('EvaluationMeasures', {
  rows: integer,
  positives: nullable(integer),
  mean_predicted: figure('Mean of the predictions; null for classes.'),
  mean_observed: figure('Mean of the labels; null for classes.'),
  metrics: estimates,
  reliability: nullable(listOf(reliabilityRowSchema)),
  gains: nullable(listOf(gainsRowSchema)),
  calibration: nullable(calibrationSchema),
  sureness: nullable(surenessSchema),
  classes: nullable(listOf(objectOf('EvaluationClass', { name: text, rows: integer, mean_predicted: number }))),
});

const comparison = objectOf('EvaluationComparison', {
  gains: Type.Object(optionally(Object.fromEntries(metricNames.map((name) => [name, estimateSchema]))), {
    title: 'EvaluationPairedGains',
    description: 'By how much `model` is better than `compare_with` on the same rows, whichever way the metric points.',
  }),
  better: Type.String({
    enum: ['model', 'compare_with', 'cannot_tell'],
    description:
      "By the output's metric; cannot_tell where the interval of its gain holds 0, or where what looks better may have learned from more of these rows.",
  }),
  reason: Type.Optional(nullable(Type.String({ description: 'Why these rows cannot tell; null where they can.' }))),
  rank_correlation: figure("Spearman's."),
  mean_change: figure('Mean prediction of `model` less that of `compare_with`.'),
  decile_changed: figure('Share of rows in another tenth.'),
  band_changed: figure('Share of rows in another band of the score.'),
  class_changed: figure('Share of rows with another most probable class.'),
});

const segment = objectOf('EvaluationSegment', {
  column: text,
  of: Type.String({ enum: ['file', 'table'] }),
  values: listOf(
    objectOf('EvaluationSegmentValue', {
      value: nullable(text),
      rows: integer,
      positives: nullable(integer),
      metric: estimateSchema,
      mean_predicted: figure(),
      mean_observed: figure(),
      is_small: Type.Boolean({ description: 'Fewer than 100 rows, or than ten of either label.' }),
    }),
  ),
  others: nullable(
    Type.Object(
      { values: integer, rows: integer },
      {
        title: 'EvaluationOtherValues',
        description: 'Values beyond the 50 largest, and those of so few rows that they could tell of one.',
      },
    ),
  ),
});

const rowsReport = objectOf('EvaluatedRows', {
  drawn: Type.String({ enum: ['moments', 'entities'], description: 'What intervals draw with replacement.' }),
  model: measuredSchema,
  naive: nullable(naiveSchema),
  segments: listOf(segment),
  compare_with: nullable(measuredSchema),
  comparison: nullable(comparison),
});

const resultSchema = objectOf('EvaluationResult', {
  rows: objectOf('EvaluationRows', {
    read: integer,
    unreadable: Type.Integer({ description: 'Could not be read, and are in no other number.' }),
    unknown: Type.Integer({ description: 'Their key is not in the tables.' }),
  }),
  errors: Type.Array(
    objectOf('EvaluationRowError', {
      ...{ row: integer, column: nullable(text), message: text, because: Type.Optional(becauseSchema) },
    }),
    {
      description: 'The first rows that could not be read, without their values.',
    },
  ),
  learned: nullable(
    Type.Object(
      {
        newest_label: text,
        rows: integer,
        matched: Type.Optional(
          nullable(
            Type.Integer({
              description:
                'Rows that have, by key and moment, a label that was learned from; null where versions keep none.',
            }),
          ),
        ),
        of: integer,
      },
      { title: 'EvaluationLearned', description: 'Rows up to the newest label that was learned from: they flatter.' },
    ),
  ),
  outputs: listOf(
    objectOf('EvaluatedOutput', {
      name: text,
      kind: Type.String({ enum: ['binary', 'regression', 'multiclass'] }),
      metric: Type.String({ enum: [...metricNames] }),
      labelled_by: Type.String({ enum: ['file', 'tables'] }),
      unlabelled: integer,
      open: Type.Integer({ description: 'Left out, as the window of their label had not closed.' }),
      all: nullable(rowsReport),
      later: nullable(rowsReport),
    }),
  ),
  warnings: listOf(text),
  warning_codes: codesSchema(),
});

const modelSchema = objectOf('EvaluatedModel', {
  ...{ model_id: text, alias: nullable(text), version_id: text },
  number: Type.Optional(Type.Integer({ description: 'Of the version; absent of older evaluations.' })),
});

export const evaluationSchema = answerOf('Evaluation', evaluationExample, {
  id: text,
  status: Type.String({ enum: [...evaluationStatuses] }),
  file_id: text,
  path: text,
  model: modelSchema,
  compare_with: nullable(modelSchema),
  segments: listOf(text),
  column_mapping: Type.Record(Type.String(), Type.String(), {
    description: 'The columns of the file that are called otherwise, by the name by which they are read.',
  }),
  snapshot_id: text,
  reference_date: nullable(text),
  as_of: Type.String({ description: 'Nothing later is read.' }),
  phase: nullable(text),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  result: nullable(resultSchema),
  failure: nullable(failureSchema),
  created_at: text,
  started_at: nullable(text),
  finished_at: nullable(text),
});

export function presentEvaluation(row: EvaluationRow) {
  return {
    id: row.id,
    status: row.status,
    ...{ file_id: row.file_id, path: row.path },
    ...{ model: row.model, compare_with: row.compare_with, segments: row.segments },
    column_mapping: row.column_mapping as ColumnMapping,
    snapshot_id: row.snapshot_id,
    reference_date: row.reference_date,
    as_of: row.as_of.toISOString(),
    phase: row.phase,
    fraction: Math.round(row.fraction * 1000) / 1000,
    result: row.result,
    failure: row.failure,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
