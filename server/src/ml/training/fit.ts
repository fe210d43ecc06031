import { Failure } from '../../lib/failure.ts';
import { outputFields } from '../answers/answers.ts';
import { fitCohort } from '../calibration/cohort.ts';
import { fitInterval } from '../calibration/interval.ts';
import { type Contract, microsecondsPerDay } from '../contract/contract.ts';
import { isFresh, withLabels } from '../features/anchors.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { type LinkedGraphModel, readingOf } from '../gfm-link/reading.ts';
import { readsVector, withVectors } from '../gfm-link/vectors.ts';
import { firstVersion } from '../graph/as-of/rows.ts';
import type { Tables } from '../graph/tables.ts';
import { kindNamed } from '../kinds/kinds.ts';
import { type Evidence, earlierDays } from '../leakage/find.ts';
import { type ToldLeak, tellLeaks } from '../leakage/tell.ts';
import type { Rfm } from '../rfm/folder.ts';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { entityTable } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import { forestGains } from '../trees/forest.ts';
import type { ExampleRows } from '../version/example.ts';
import { inputFields } from '../version/schema.ts';
import { saveVersion, type Version } from '../version/version.ts';
import { cutoffs } from './cutoffs.ts';
import { writeModelDocument } from './document.ts';
import { compareLayers, type Layer, type LayerReport, learnLayers } from './layers.ts';
import { type Learned, learn } from './learn.ts';
import type { LearnedOutput } from './learn-output.ts';
import { evaluateQuestions, type LearningData, type Progress } from './learning-data.ts';
import { outOfFoldOf, predictFolds } from './out-of-fold.ts';
import { pretrain } from './pretrain.ts';
import { type Regime, thin, trainingQuestions } from './questions.ts';
import { type FitReport, type Measures, measure } from './report.ts';
import { hideSaid } from './served-names.ts';

/** What a version is learned from: tables under a contract, and a task with its labels. */
export type FitInput = {
  readonly tables: Tables;
  readonly contract: Contract;
  readonly task: Task;
  /** Labels per output, over the same anchors in the same order. */
  readonly outputs: readonly LabelledOutput[];
  readonly regime: Regime;
  /**
   * Whether to pre-train an encoder that becomes part of the version. It encodes the entity; for new rows, one of the
   * rows they refer to.
   */
  readonly isPretrained?: boolean;
  /** A graph model whose vectors the model and the encoder may read, and the link from the task's rows to its nodes. */
  readonly graphModel?: LinkedGraphModel;
  /** Whether the report says what each layer of the model adds. This takes about one training more per layer. */
  readonly withLayers?: boolean;
};

/**
 * Learns a task and writes the version folder `out`. `onMeasures` is called with each output's measures as soon as it
 * is learned. Throws Failure as `learn` and `saveVersion` do.
 */
export async function fit(
  given: FitInput,
  out: string,
  progress: Progress,
  onMeasures: (output: string, measures: Readonly<Record<string, number>>) => void = () => {},
): Promise<FitReport> {
  const { tables } = given;
  const { examples: first, objective } = given.outputs[0];
  const fresh = isFresh(given.task, tables, first);
  const { task, notes } = hideSaid(given.task, given.contract, fresh);
  const input = { ...given, task };
  // With several horizons the labels of the shortest are known soonest; they are the label history that the model
  // reads.
  const plain: LearningData = {
    task,
    fresh,
    outputs: input.outputs,
    graph: withModel(withLabels(task, tables, first, fresh, objective), input.graphModel),
  };
  const pool = Int32Array.from(first.rows.keys());
  if (pool.length === 0) throw new Failure('invalid', `task ${task.name} has no rows to learn from`);
  const pretrained = input.isPretrained
    ? await pretrain(plain, tables, pool, input.regime, progress, input.graphModel)
    : null;
  let leaks: readonly ToldLeak[] = [];
  const learned = learn(
    pretrained?.data ?? plain,
    pool,
    input.regime,
    progress,
    (output) => {
      const measures = measureOutput(output)?.others;
      if (measures) onMeasures(output.name, measures);
    },
    (features) => {
      progress('looking for leakage', 0, 1);
      const told = evaluatedOf(plain).flatMap((output) => tellLeaks(evidenceOf(plain, output, features, pool), plain));
      leaks = told.filter(({ at }, k) => told.findIndex((other) => other.at === at) === k);
    },
  );
  const version = versionOf(input, learned, fresh, pretrained?.rfm);
  const layers = input.withLayers ? learnLayers(pretrained?.data ?? plain, learned, pool, input.regime, progress) : [];
  const report = reportOf(task, learned, notes, leaks, (o) => compareOutput(plain.outputs[o], o, layers));
  await saveVersion(out, version, first, tables, {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'model.md': writeModelDocument(version, report),
  });
  return report;
}

function withModel(graph: Graph, given: FitInput['graphModel']): Graph {
  return given ? withVectors(graph, given.model.gfm, given.link) : graph;
}

/** Most questions checked for leakage: enough to tell leakage from chance. */
const evidenceRowsMax = 4_000;

/** The outputs checked for leakage: each head, or of several horizons the longest. */
function evaluatedOf({ task, outputs }: LearningData): readonly LabelledOutput[] {
  return task.heads ? outputs : outputs.slice(-1);
}

/** The features' values at the training anchors, and their values when reading ends a day earlier. */
function evidenceOf(
  data: LearningData,
  { objective, examples }: LabelledOutput,
  features: readonly Feature[],
  pool: Int32Array,
): Evidence {
  const isNumber = objective.kind === 'regression';
  const known = pool.filter((i) => !Number.isNaN(examples.labels[i]));
  const asked = thin(
    trainingQuestions(examples, known, { kind: 'rolling' }, !isNumber),
    evidenceRowsMax,
    isNumber ? undefined : examples.labels,
  );
  const of = <T>(values: ArrayLike<T>) => Array.from(asked.example, (i) => values[i]);
  const at = Float64Array.from(of(examples.at));
  return {
    features,
    now: evaluateQuestions(data, features, asked),
    earlier: evaluateQuestions(data, features, {
      ...asked,
      until: at.map((moment) => moment - earlierDays * microsecondsPerDay),
    }),
    labels: Float64Array.from(of(examples.labels)),
    isNumber,
    rows: Int32Array.from(of(examples.rows)),
    at,
  };
}

function versionOf(input: FitInput, learned: Learned, fresh: boolean, encoder: Rfm | undefined): Version {
  const { task, contract, graphModel } = input;
  const outputs = learned.outputs.map(({ name, objective, head, calibrator, range, link, ...rest }) => {
    const unseen = outOfFoldOf({ objective, calibrator, range, link, ...rest });
    const { predictions } = unseen;
    return {
      name,
      objective,
      head,
      calibrator,
      range,
      ...(link && { link }),
      cohort: fitCohort(predictions.length > 0 ? predictions : [range[0], range[1]]),
      interval: fitInterval(objective.kind, unseen),
    };
  });
  const visible = { ...contract, tables: contract.tables.filter(({ name }) => !task.ignore.includes(name)) };
  const kept = learned.features.some(({ read }) => read.kind === 'embedding' && !read.of) ? encoder : undefined;
  const readsGraph = kept?.graphModel !== undefined || learned.features.some(readsVector);
  return {
    task,
    contract: visible,
    fresh,
    features: learned.features,
    usual: learned.usual,
    ...(kept && { encoder: kept }),
    ...(graphModel && readsGraph && { graphModel: readingOf(graphModel) }),
    outputs,
    inputFields: inputFields(task, visible, fresh, learned.features, featureGains(learned), givenRows(input, fresh)),
    outputFields: outputFields(task, outputs),
  };
}

/** Most rows that examples of inputs are made from, taken evenly. */
const givenRowsMax = 10_000;

/** The rows that examples ask about; new rows in their first version. */
function givenRows({ task, tables, outputs }: FitInput, fresh: boolean): ExampleRows {
  const table = entityTable(task, tables);
  const asked = outputs[0].examples.rows.filter((row) => row >= 0);
  const step = Math.ceil(asked.length / givenRowsMax);
  const rows = asked.filter((_, i) => i % step === 0);
  return { columns: table.columns, rows: fresh ? rows.map((row) => firstVersion(table, row)) : rows };
}

/** Each feature's share of the gain of the trees, summed over outputs and forests. */
function featureGains(learned: Learned): Float64Array {
  const gains = new Float64Array(learned.features.length);
  for (const { head } of learned.outputs) {
    for (const model of head) {
      if (model.kind !== 'trees') continue;
      const own = forestGains(model.forest);
      const total = own.reduce((a, b) => a + b, 0);
      if (total > 0) for (let f = 0; f < gains.length; f++) gains[f] += own[f] / total;
    }
  }
  return gains;
}

function measureOutput(output: LearnedOutput): Measures | null {
  const { labels, predictions, at } = outOfFoldOf(output);
  if (labels.length === 0) return null;
  const { objective } = output;
  // The final calibrator and interval were fitted on these rows. Their quality is measured with those fitted on earlier
  // folds only.
  const { calibration: _, reliability: __, ...measures } = measure(objective, labels, predictions, Array.from(at));
  const later = predictFolds(output);
  if (!later) return measures;
  const { reliability, calibration, sureness } = measure(objective, later.labels, later.predictions, [], later.sure);
  return {
    ...measures,
    ...(reliability && { reliability }),
    ...(calibration && { calibration }),
    ...(sureness && { sureness }),
  };
}

/** What each layer adds to an output, measured on out-of-fold rows. The folds are the same for all layers. */
function compareOutput(
  { objective, examples: asked }: LabelledOutput,
  o: number,
  layers: readonly Layer[],
): LayerReport[] {
  const told = layers.map(({ name, learned }) => ({ layer: name, ...outOfFoldOf(learned.outputs[o]) }));
  if (told.length === 0 || told[0].labels.length === 0) return [];
  const [{ examples, labels }] = told;
  return compareLayers(
    objective,
    labels,
    told,
    Array.from(examples, (i) => asked.at[i]),
    Array.from(examples, (i) => asked.rows[i]),
  );
}

/**
 * The mean metric of the best recipe that reads the graph model, and of the best that does not. Empty unless both kinds
 * were tried.
 */
function compareGraph(
  { metric }: Objective,
  trials: LearnedOutput['trials'],
): Pick<FitReport['outputs'][number], 'graph'> {
  const { higherIsBetter } = evaluateMetric(metric, [0, 1], [0, 1]);
  const bestOf = (isRead: boolean) => {
    const means = trials.filter(({ graph }) => (graph === true) === isRead).map(({ mean }) => mean);
    const known = means.filter((mean) => !Number.isNaN(mean));
    return known.length === 0 ? null : known.reduce((best, mean) => (mean > best === higherIsBetter ? mean : best));
  };
  const [read, unread] = [bestOf(true), bestOf(false)];
  return read === null || unread === null ? {} : { graph: { read, unread } };
}

function reportOf(
  task: Task,
  learned: Learned,
  notes: readonly string[],
  leakage: readonly ToldLeak[],
  layersOf: (output: number) => readonly LayerReport[],
): FitReport {
  const { score } = kindNamed(task.kind);
  return {
    task: task.name,
    training_rows: learned.trainingRows,
    features: learned.features.length,
    outputs: learned.outputs.map((output, o) => {
      const { name, objective, recipe, trials } = output;
      const { labels, predictions } = outOfFoldOf(output);
      const layers = layersOf(o);
      return {
        name,
        metric: objective.metric,
        recipe: recipe.name,
        trials,
        out_of_fold: measureOutput(output),
        ...(layers.length > 0 && { layers }),
        ...compareGraph(objective, trials),
        // A score is computed from the longest horizon.
        ...(score && o === learned.outputs.length - 1 && labels.length > 0
          ? { cutoffs: cutoffs(labels, predictions, score.of) }
          : {}),
      };
    }),
    notes: [...learned.notes, ...notes, ...leakage.map(({ message }) => `leakage? ${message}`)],
    leakage,
    unused_columns: learned.unused,
  };
}
