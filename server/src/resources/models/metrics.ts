import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import { reliabilityRows } from '../../ml/calibration/curves.ts';
import type { FitReport } from '../../ml/training/report.ts';
import { reportFile } from '../../ml/version/report-file.ts';
import type { App } from '../app.ts';
import { calibrationSchema, gainsRowSchema, naiveSchema, reliabilityRowSchema, surenessSchema } from '../measures.ts';
import { metricsExample } from './example.ts';
import { requireVersion } from './require.ts';

/** A figure that the rows may not be able to tell. */
const figure = (description?: string) => nullable(Type.Number(description === undefined ? {} : { description }));
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const rows = Type.Integer();
const days = objectOf(
  'MetricsDays',
  { from: Type.String(), to: Type.String() },
  { description: 'The first and the last day that rows were asked about.' },
);
const histogram = (description: string) =>
  nullable(
    Type.Array(objectOf('MetricsBin', { from: Type.Number(), to: Type.Number(), rows }), {
      description,
    }),
  );

const outputSchema = objectOf('OutputMetrics', {
  name: Type.String(),
  metric: Type.String({ description: 'The metric by which recipes were chosen.' }),
  recipe: Type.String({ description: 'How it was learned.' }),
  rows: nullable(rows),
  days: nullable(days),
  learned: nullable(
    objectOf(
      'MetricsLearned',
      { rows, days },
      { description: 'What it learned from, of which the usual number of explanations is the average case.' },
    ),
  ),
  value: figure('Of the metric, on all rows together; null where there were too few to tell.'),
  standard_error: figure(),
  folds: Type.Array(figure(), { description: 'Of the metric, fold after fold in time, the earliest first.' }),
  others: Type.Record(Type.String(), figure(), { description: 'Other metrics on the same rows, by name.' }),
  naive: nullable(naiveSchema),
  calibration: nullable(calibrationSchema),
  reliability: nullable(
    Type.Array(reliabilityRowSchema, {
      description:
        'Of probabilities, by ascending prediction, on rows that neither models nor calibrator had learned from where there are such.',
    }),
  ),
  sureness: nullable(surenessSchema),
  positives: nullable(Type.Integer({ description: 'Rows whose label is 1; null unless labels are yes or no.' })),
  histogram: histogram('Of probabilities from 0 to 1, of numbers from the lowest prediction to the highest.'),
  score_histogram: histogram('Of the scores, 0 to 1000, where a score is computed from this output.'),
  thresholds: nullable(
    Type.Array(
      objectOf('MetricsThreshold', {
        threshold: share('Rows with at least this probability are acted on.'),
        rate: share('Share of the rows that are acted on.'),
        precision: share('Share of those acted on that are positive.'),
        recall: figure('Share of the positives that are acted on.'),
        false_positive_rate: figure('Share of the negatives that are acted on; with recall it draws the ROC curve.'),
      }),
      { description: 'Of probabilities, the highest first.' },
    ),
  ),
  cutoffs: nullable(
    Type.Array(
      objectOf('MetricsCutoff', {
        score: Type.Integer({ description: 'Rows with at least this score are accepted.' }),
        approval_rate: share('Share of the rows that are accepted.'),
        expected_default: figure('Mean probability of default of those accepted.'),
        observed_default: figure('Share of those accepted that defaulted.'),
      }),
      { description: 'Where a score is computed from this output.' },
    ),
  ),
  gains: nullable(Type.Array(gainsRowSchema, { description: 'Of probabilities, by descending prediction.' })),
  classes: nullable(
    Type.Array(
      objectOf('MetricsClass', {
        name: Type.String(),
        rows,
        predicted: Type.Integer({ description: 'Rows of which it was the most probable class.' }),
        correct: Type.Integer({ description: 'Those of them that are of it.' }),
      }),
    ),
  ),
});

export const metricsSchema = answerOf('ModelMetrics', metricsExample, {
  model_id: Type.String(),
  version_id: Type.String(),
  training_rows: Type.Integer(),
  outputs: Type.Array(outputSchema),
});

/**
 * How good a version of a model, named by its id or name, was on rows later than what its models had learned from, with
 * the curves that were drawn when it was learned. Throws Failure 'not_found' where there is no such version, or where
 * it was made before versions kept curves; 'object_damaged'.
 */
export async function versionMetrics(app: App, ctx: Context, model: string, name: string) {
  const version = await tenant(app.db, ctx, (tx) => requireVersion(tx, model, name));
  const { storage_prefix, files } = version;
  const path = await app.storage.localPath(`${storage_prefix}${reportFile}`, files[reportFile]);
  // Our own file, in which numbers that the rows could not tell are null.
  const report = JSON.parse(await readFile(path, 'utf8')) as FitReport;
  if (report.outputs.some(({ curves }) => curves === undefined))
    throw refuse(
      'not_found',
      `version ${name} was made before versions kept their curves: train the model again to see them; GET /v1/api/models/${model}/versions/${name} has its metrics`,
    );
  return {
    model_id: version.model_id,
    version_id: version.id,
    training_rows: report.training_rows,
    outputs: report.outputs.map(presentOutput),
  };
}

type Output = FitReport['outputs'][number];
type Trial = { readonly recipe: string; readonly folds: readonly (number | null)[] };

function presentOutput({ name, metric, recipe, learned, trials, out_of_fold: measures, naive, ...drawn }: Output) {
  const { curves, cutoffs } = drawn;
  return {
    ...{ name, metric, recipe, naive },
    rows: measures?.rows ?? null,
    days: measures?.days ?? null,
    learned: learned ?? null,
    value: measures?.value ?? null,
    standard_error: measures?.standard_error ?? null,
    // The cast holds: a report lists the trials of `learnOutput`.
    folds: (trials as readonly Trial[]).find((trial) => trial.recipe === recipe)?.folds ?? [],
    others: measures?.others ?? {},
    calibration: measures?.calibration ?? null,
    reliability: measures?.reliability ? reliabilityRows(measures.reliability.bins) : null,
    sureness: measures?.sureness ?? null,
    positives: curves?.positives ?? null,
    histogram: curves?.histogram ?? null,
    score_histogram: curves?.score_histogram ?? null,
    thresholds: curves?.thresholds ?? null,
    cutoffs: cutoffs ?? null,
    gains: curves?.gains ?? null,
    classes: curves?.classes ?? null,
  };
}
