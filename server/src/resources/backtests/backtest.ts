import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { metricNames } from '../../ml/statistics/metrics.ts';
import type { Backtests } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { backtestExample } from './example.ts';

export type BacktestRow = Selectable<Backtests>;

export const backtestStatuses = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export const finishedStatuses: readonly string[] = ['succeeded', 'failed', 'interrupted'];

/** A version as it was meant when the backtest was asked for. */
export type BacktestedModel = {
  readonly model_id: string;
  readonly alias: string | null;
  readonly version_id: string;
  readonly number: number;
};

const number = Type.Number();
const integer = Type.Integer();
const text = Type.String();
const figure = (description?: string) => nullable(Type.Number(description === undefined ? {} : { description }));
const pair = objectOf('BacktestPair', { before: number, after: number });
const part = objectOf('BacktestPart', {
  name: text,
  rows: integer,
  mean: nullable(pair),
  moved: Type.Number({ description: 'Share of rows in another group of migration.' }),
  accepted: nullable(pair),
  swapped_in: nullable(Type.Integer({ description: 'Accepted after and not before; null without a cutoff.' })),
  swapped_out: nullable(integer),
  labelled: integer,
  observed: figure(),
});
const group = objectOf('BacktestGroup', {
  rows: integer,
  expected: pair,
  labelled: Type.Integer({ description: 'Of how many the tables say by now what came true.' }),
  observed: figure('Mean of what came true of these; null where nothing is known.'),
});

export const cutoffSchema = Type.Union(
  [
    Type.Object(
      { score: Type.Number({ minimum: 0, maximum: 1_000 }) },
      { title: 'ByScore', additionalProperties: false },
    ),
    Type.Object(
      { probability: Type.Number({ minimum: 0, maximum: 1 }) },
      { title: 'ByProbability', additionalProperties: false },
    ),
    Type.Object({ value: Type.Number() }, { title: 'ByValue', additionalProperties: false }),
  ],
  {
    description:
      'Where decisions are made: accepted from this score on; up to this probability of a risk, or from this one of anything else on; from this number on.',
  },
);

/** How two answers to the same questions differ, as backtests and shadows tell it. */
export const comparedFields = {
  field: Type.String({ description: 'The field of the answers that is compared.' }),
  mean: nullable(pair),
  mean_change: figure('Mean of after less that of before; null for classes.'),
  rank_correlation: figure("Spearman's; null for classes, and where all answers of one side are equal."),
  psi: figure('Population stability index of after against before, over the tenths of before. Null for classes.'),
  ks: figure('Largest distance of the two distributions, 0 to 1. Null for classes.'),
  equal: Type.Number({ description: 'Share of rows with the same answer.' }),
  distribution: Type.Array(objectOf('BacktestBin', { from: number, to: number, before: integer, after: integer }), {
    description: 'Of scores, where there is one; empty for classes.',
  }),
  changes: Type.Array(objectOf('BacktestChange', { from: number, to: number, rows: integer }), {
    description: 'How many moved by from or more and less than to, in the unit of distribution; none where none moved.',
  }),
  migration: objectOf('BacktestMigration', {
    by: Type.String({ enum: ['band', 'class', 'tenth'] }),
    groups: Type.Array(text),
    rows: Type.Array(Type.Array(integer), { description: 'By group before, and in it by group after.' }),
    moved: Type.Number({ description: 'Share of rows in another group.' }),
  }),
  by_group: Type.Array(part, { description: 'The rows of each group of migration before.' }),
  decisions: nullable(
    objectOf('BacktestDecisions', {
      accepted: pair,
      expected: objectOf(
        'BacktestExpected',
        { before: number, after: number },
        {
          description:
            'Of what each accepts, the sum of its own probabilities or numbers: such as the defaults that it expects.',
        },
      ),
      ...{ swapped_in: group, swapped_out: group, kept_in: group, kept_out: group },
    }),
  ),
};

const resultSchema = objectOf('BacktestResult', {
  rows: objectOf('BacktestRows', {
    logged: integer,
    compared: Type.Integer({ description: 'Those that both have answered.' }),
    refused: Type.Array(objectOf('BacktestRefused', { code: text, column: nullable(text), rows: integer }), {
      description: 'Why a version answers rows not, which its real-time route would refuse.',
    }),
  }),
  versions: Type.Array(objectOf('BacktestedVersion', { version_id: text, rows: integer }), {
    description: 'Who had answered them, those that did most leading.',
  }),
  ...comparedFields,
  by_month: Type.Array(part, { description: 'By the month in which a prediction was answered, as 2026-01.' }),
  labelled: objectOf('BacktestLabelled', {
    rows: Type.Integer({ description: 'Rows of which the tables say by now what came true.' }),
    observed: figure(),
    metrics: Type.Object(Object.fromEntries(metricNames.map((name) => [name, Type.Optional(pair)])), {
      title: 'BacktestMetrics',
    }),
  }),
  moved_most: Type.Array(objectOf('BacktestMover', { prediction_id: text, before: number, after: number })),
});

const modelSchema = objectOf('BacktestModel', {
  ...{ model_id: text, alias: nullable(text), version_id: text, number: integer },
});

export const backtestSchema = answerOf('Backtest', backtestExample, {
  id: text,
  status: Type.String({ enum: [...backtestStatuses] }),
  model: modelSchema,
  compare_with: nullable(modelSchema),
  from: text,
  until: Type.String({ description: 'Not included.' }),
  as_of: Type.String({
    enum: ['then'],
    description: 'Each row is answered as of its own moment, and nothing later is read.',
  }),
  cutoff: nullable(cutoffSchema),
  snapshot_id: text,
  phase: nullable(text),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  result: nullable(resultSchema),
  failure: nullable(failureSchema),
  created_at: text,
  started_at: nullable(text),
  finished_at: nullable(text),
});

export function presentBacktest(row: BacktestRow) {
  return {
    id: row.id,
    status: row.status,
    ...{ model: row.model, compare_with: row.compare_with },
    ...{ from: row.from_at.toISOString(), until: row.until_at.toISOString(), as_of: 'then' },
    ...{ cutoff: row.cutoff, snapshot_id: row.snapshot_id },
    ...{ phase: row.phase, fraction: row.fraction, result: row.result, failure: row.failure },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
