import type { Selectable } from 'kysely';
import { type TSchema, Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { metricNames } from '../../ml/statistics/metrics.ts';
import { checkNames } from '../../ml/validation/checks.ts';
import { verdicts } from '../../ml/validation/verdict.ts';
import type { Validations } from '../../schema/tables.ts';
import { estimateSchema, measuredSchema } from '../evaluations/evaluation.ts';
import { failureSchema } from '../job.ts';
import { validationExample } from './example.ts';

export type ValidationRow = Selectable<Validations>;

export const validationStatuses = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export const finishedStatuses: readonly string[] = ['succeeded', 'failed', 'interrupted'];

const number = Type.Number();
const integer = Type.Integer();
const text = Type.String();
const figure = (description?: string) => nullable(Type.Number(description === undefined ? {} : { description }));
const listOf = <T extends TSchema>(schema: T) => Type.Array(schema);

const check = objectOf('ValidationCheck', {
  name: Type.String({ enum: [...checkNames] }),
  status: Type.String({
    enum: ['passed', 'failed', 'cannot_tell'],
    description: 'By the default threshold. What gates of the model ask instead decides about aliases.',
  }),
  value: figure('Null where there was too little to measure it.'),
  low: figure('With high, a 95 % interval, where one can be told.'),
  high: figure(),
  before: figure('The same of the version that it would replace: what is no further off does not fail.'),
  borne_out: Type.Boolean({ description: 'Whether later labels bear out what differs from the version before.' }),
  threshold: number,
  message: text,
});

const sources = objectOf('ValidationSources', {
  later: Type.Integer({ description: 'Later than every label that the version learned from.' }),
  held_out: Type.Integer({ description: 'Predicted in training by models of folds that had not learned from them.' }),
  unlearned: Type.Integer({ description: 'Of the time of those, and not among the labels that it learned from.' }),
});

const part = objectOf('ValidationPart', {
  name: nullable(text),
  rows: integer,
  positives: nullable(integer),
  mean_predicted: figure(),
  mean_observed: figure(),
  model: figure("The task's metric; null where the rows are too few."),
  compare_with: figure(),
  gain: nullable(estimateSchema),
});

const perVersion = <T extends TSchema>(title: string, schema: T) =>
  objectOf(title, { model: schema, compare_with: nullable(schema) });

const latency = objectOf('ValidationLatency', { median_ms: number, p95_ms: number });

const decided = objectOf('ValidationDecided', {
  approval_rate: Type.Number({ description: 'The share of rows of the present that is accepted.' }),
  expected_default: figure('The mean probability of default of these.'),
  observed_default: figure('The share of the judged rows with at least the score that defaulted.'),
});

const resultSchema = objectOf('ValidationResult', {
  verdict: Type.String({ enum: [...verdicts] }),
  reason: text,
  checks: listOf(check),
  output: text,
  kind: Type.String({ enum: ['binary', 'regression', 'multiclass'] }),
  metric: Type.String({ enum: [...metricNames] }),
  judged: objectOf('ValidationRows', {
    labelled: Type.Integer({ description: 'The newest rows with a label that is known.' }),
    rows: Type.Integer({ description: 'Those of them that flatter neither version.' }),
    positives: nullable(integer),
    model: sources,
    compare_with: nullable(sources),
    from: nullable(text),
    until: nullable(text),
  }),
  model: nullable(measuredSchema),
  compare_with: nullable(measuredSchema),
  gains: nullable(
    Type.Object(Object.fromEntries(metricNames.map((name) => [name, Type.Optional(estimateSchema)])), {
      title: 'ValidationGains',
      description: 'By how much the version is better on the same rows, whichever way the metric points.',
    }),
  ),
  months: listOf(part),
  segments: listOf(objectOf('ValidationSegment', { column: text, values: listOf(part) })),
  bands: listOf(
    objectOf('ValidationBand', {
      name: text,
      rows: integer,
      mean_predicted: number,
      observed: number,
      observed_low: number,
      observed_high: number,
      means_from: Type.Number({ description: 'With means_to, the probabilities that the band means.' }),
      means_to: number,
    }),
  ),
  present: nullable(
    objectOf('ValidationPresent', {
      rows: integer,
      at: text,
      histogram: listOf(
        objectOf('ValidationBin', {
          from: figure(),
          to: figure(),
          model: integer,
          compare_with: nullable(integer),
        }),
      ),
      stability_index: figure('Of its predictions against those of the version before.'),
      largest_distance: figure('The statistic of Kolmogorov and Smirnov between both.'),
      rank_correlation: figure("Spearman's."),
      bands: listOf(text),
      migration: nullable(
        Type.Array(listOf(integer), { description: 'Rows by the band before (outer) and the band now (inner).' }),
      ),
      cutoffs: Type.Optional(
        listOf(
          objectOf('ValidationCutoff', {
            score: Type.Integer({ description: 'All rows with at least this score are accepted.' }),
            model: decided,
            compare_with: nullable(decided),
            swapped_in: nullable(
              Type.Integer({ description: 'Rows that the version accepts, and the one before does not.' }),
            ),
            swapped_out: nullable(
              Type.Integer({ description: 'Rows that the version before accepts, and this one does not.' }),
            ),
          }),
        ),
      ),
      judged: Type.Optional(
        nullable(objectOf('ValidationDifference', { stability_index: figure(), rank_correlation: figure() })),
      ),
      since_judged: objectOf('ValidationSinceJudged', {
        ...{ model: figure(), compare_with: figure() },
        beside: Type.Optional(figure()),
      }),
    }),
  ),
  shadow: Type.Optional(
    nullable(
      objectOf(
        'ValidationShadow',
        {
          answered: integer,
          refused: Type.Integer({ description: 'Questions that it would refuse, beside those.' }),
          ...{ from: text, until: text },
          stability_index: figure('Of its answers against those that were given.'),
          ...{ largest_distance: figure(), rank_correlation: figure() },
        },
        {
          description:
            'Of the newest 20000 questions of callers within 30 days that it answered in the shadow of the version before; null where it answered none.',
        },
      ),
    ),
  ),
  missing: listOf(
    objectOf('ValidationMissing', {
      at: Type.String({ description: 'table.column, or a table whose rows are counted.' }),
      importance: number,
      judged: Type.Number({ description: 'The share of judged rows without a value.' }),
      present: Type.Number({ description: 'The share of rows of the present without one.' }),
    }),
  ),
  replay: nullable(
    objectOf('ValidationReplay', {
      ...{ rows: integer, at: text, model: figure(), compare_with: figure() },
      hindsight: Type.Optional(
        nullable(
          objectOf('ValidationHindsight', {
            ...{ rows: integer, model: estimateSchema, compare_with: nullable(estimateSchema) },
          }),
        ),
      ),
    }),
  ),
  latency: nullable(perVersion('ValidationLatencies', latency)),
});

export const validationSchema = answerOf('Validation', validationExample, {
  id: text,
  model_id: text,
  version_id: text,
  status: Type.String({ enum: [...validationStatuses] }),
  alias: nullable(Type.String({ description: 'Whose version it is held against.' })),
  compare_with_version_id: nullable(text),
  segments: listOf(text),
  snapshot_id: text,
  earlier_snapshot_id: nullable(Type.String({ description: 'Earlier data, by which both are asked again.' })),
  as_of: Type.String({ description: 'Nothing later is read.' }),
  phase: nullable(text),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  verdict: nullable(Type.String({ enum: [...verdicts] })),
  result: nullable(resultSchema),
  failure: nullable(failureSchema),
  created_by: text,
  created_at: text,
  started_at: nullable(text),
  finished_at: nullable(text),
});

export function presentValidation(row: ValidationRow) {
  return {
    ...{ id: row.id, model_id: row.model_id, version_id: row.version_id, status: row.status },
    ...{ alias: row.alias, compare_with_version_id: row.compare_with_version_id, segments: row.segments },
    ...{ snapshot_id: row.snapshot_id, earlier_snapshot_id: row.earlier_snapshot_id },
    as_of: row.as_of.toISOString(),
    phase: row.phase,
    fraction: Math.round(row.fraction * 1000) / 1000,
    verdict: row.verdict,
    result: row.result,
    failure: row.failure,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
