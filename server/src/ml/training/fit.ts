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
import type { Given } from '../version/example.ts';
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
   * Whether an encoder of the entity is pre-trained, where the task is not about new rows, and becomes part of the
   * version.
   */
  readonly isPretrained?: boolean;
  /** A graph model whose vectors the model may read, and how its rows lead there; the encoder is composed with it. */
  readonly graphModel?: LinkedGraphModel;
  /** Whether the report says what each layer of the model adds; takes about as long again for each. */
  readonly withLayers?: boolean;
};

/**
 * Learns a task and writes the version folder `out`; `onMeasures` hears how good each output is as soon as it is
 * learned. Throws Failure as `learn` and `saveVersion` do.
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
  // With several horizons the shortest is known soonest and is the history the model reads.
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

/** Questions looked at for leakage: as many as it takes to tell knowledge from chance. */
const evidenceRowsMax = 4_000;

/** Each head, or of horizons of one answer the longest. */
function evaluatedOf({ task, outputs }: LearningData): readonly LabelledOutput[] {
  return task.heads ? outputs : outputs.slice(-1);
}

/** What the features say at the training anchors, and what they would have said a day earlier. */
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

/** Rows that examples are made of, evenly taken. */
const givenRowsMax = 10_000;

/** The rows that were asked about, as they first came. */
function givenRows({ task, tables, outputs }: FitInput, fresh: boolean): Given {
  const table = entityTable(task, tables);
  const asked = outputs[0].examples.rows.filter((row) => row >= 0);
  const step = Math.ceil(asked.length / givenRowsMax);
  const rows = asked.filter((_, i) => i % step === 0);
  return { columns: table.columns, rows: fresh ? rows.map((row) => firstVersion(table, row)) : rows };
}

/** Each feature's share of the trees' gain, averaged over outputs and forests. */
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
  // The calibrator and the interval that answer have seen these rows; those of earlier folds have not.
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

/**
 * What each layer adds to an output, on rows later than what made the predictions; folds are the same for all of them.
 */
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
 * How good the best recipe is that reads the graph model, and the best that does not; nothing where one of them was not
 * tried.
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
        // A score is made of the longest horizon.
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
