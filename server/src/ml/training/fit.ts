import { Failure } from '../../lib/failure.ts';
import { outputFields } from '../answers/answers.ts';
import { fitCohort } from '../calibration/cohort.ts';
import { fitInterval } from '../calibration/interval.ts';
import { type Contract, microsecondsPerDay } from '../contract/contract.ts';
import { type History, newestReasons } from '../explain/lineage.ts';
import { type ModelFeature, tellFeatures } from '../explain/model-features.ts';
import { isFresh, withLabels } from '../features/anchors.ts';
import { openCompleteness } from '../features/complete.ts';
import type { Graph } from '../features/graph.ts';
import { type LinkedGraphModel, readingOf } from '../gfm-link/reading.ts';
import { readsVector, withVectors } from '../gfm-link/vectors.ts';
import { firstVersion } from '../graph/as-of/rows.ts';
import type { Sampled } from '../graph/sample.ts';
import type { Tables } from '../graph/tables.ts';
import { featureGains } from '../heads/gains.ts';
import { kindNamed } from '../kinds/kinds.ts';
import type { Rfm } from '../rfm/folder.ts';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { entityTable } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import type { ExampleRows } from '../version/example.ts';
import { reportFile } from '../version/report-file.ts';
import { inputFields } from '../version/schema.ts';
import { saveVersion, type Version } from '../version/version.ts';
import { curvesOf } from './curves.ts';
import { cutoffs } from './cutoffs.ts';
import { daysOf } from './days.ts';
import { writeModelDocument } from './document.ts';
import { compareLayers, type Layer, type LayerReport, learnLayers } from './layers.ts';
import { type Learned, learn } from './learn.ts';
import type { LearnedOutput } from './learn-output.ts';
import type { LearningData, Progress } from './learning-data.ts';
import { evaluateNaive, type Naive, referredOf, warnOfNaive } from './naive.ts';
import { foldsOutOfFold, heldOutOf, outOfFoldOf, predictFolds } from './out-of-fold.ts';
import { warnOfPlausibility } from './plausibility.ts';
import { pretrain } from './pretrain.ts';
import { isClosed, type Regime } from './questions.ts';
import { type FitReport, type Measures, measure } from './report.ts';
import { hideSaid } from './served-names.ts';
import { type Checked, warnOfCalibration } from './warn-of-calibration.ts';
import { warnOfTime, warnOfUndated, warnOfWindow } from './warn-of-time.ts';
import { type ModelWarning, warnOfLeakage } from './warning.ts';
import { withTeam } from './with-team.ts';

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
  /** How long more models may be averaged (`widen`), in minutes. */
  readonly minutes?: number | undefined;
  /** Set where the tables are a sample: what it has only a part of is not read, nor are earlier labels. */
  readonly sampled?: Sampled;
  /** How many threads learn; one by default. The version is the same whatever their number. */
  readonly threads?: number;
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
  const { task, notes: hidden } = hideSaid(given.task, given.contract, fresh);
  const notes = [...hidden, ...(given.sampled ? [tellSample(given.sampled)] : [])];
  const input = { ...given, task };
  // With several horizons the labels of the shortest are known soonest; they are the label history that the model
  // reads.
  const graph = withModel(withLabels(task, tables, first, fresh, objective), input.graphModel);
  const plain: LearningData = {
    task,
    fresh,
    outputs: input.outputs,
    graph,
    ...(input.sampled && { mayRead: openCompleteness(graph, task.entity, input.sampled) }),
    ...(input.minutes !== undefined && { minutes: input.minutes }),
  };
  const pool = Int32Array.from(first.rows.keys());
  if (pool.length === 0) throw new Failure('invalid', `task ${task.name} has no rows to learn from`);
  const pretrained = input.isPretrained
    ? await pretrain(plain, tables, pool, input.regime, progress, input.graphModel)
    : null;
  const { learned, layers } = await withTeam(pretrained?.data ?? plain, input.threads ?? 1, async (data) => {
    const learned = await learn(data, pool, input.regime, progress, (output) => {
      const measures = measureOutput(output, null)?.measures.others;
      if (measures) onMeasures(output.name, measures);
    });
    const layers = input.withLayers ? await learnLayers(data, learned, pool, input.regime, progress) : [];
    return { learned, layers };
  });
  const history = historyOf(plain.graph.tables, newestLabel(input.outputs));
  const version = versionOf(input, learned, fresh, history, pretrained?.rfm);
  const features = tellFeatures(learned.features, learned.importance, learned.coverage, input.contract, {
    ...task,
    ...{ fresh, history },
  });
  const report = reportOf(plain, learned, pool, features, notes, (o) => compareOutput(plain.outputs[o], o, layers));
  const documents = {
    [reportFile]: `${JSON.stringify(report, null, 2)}\n`,
    'model.md': writeModelDocument(version, report),
  };
  await saveVersion(out, version, first, tables, documents, learned.outputs.map(heldOutOf));
  return report;
}

function tellSample({ root, rows, of }: Sampled): string {
  return `learned from ${rows} of ${of} rows of ${root} and all that refers to them; what several of these share was not read as history, nor were earlier outcomes`;
}

function withModel(graph: Graph, given: FitInput['graphModel']): Graph {
  return given ? withVectors(graph, given.model.gfm, given.link) : graph;
}

function versionOf(
  input: FitInput,
  learned: Learned,
  fresh: boolean,
  history: History,
  encoder: Rfm | undefined,
): Version {
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
    newestLabel: newestLabel(input.outputs),
    reasons: newestReasons,
    history,
    usual: learned.usual,
    ...(kept && { encoder: kept }),
    ...(graphModel && readsGraph && { graphModel: readingOf(graphModel) }),
    outputs,
    inputFields: inputFields(
      task,
      visible,
      fresh,
      learned.features,
      featureGains(
        learned.outputs.map(({ head }) => head),
        learned.features.length,
      ),
      givenRows(input, fresh),
    ),
    outputFields: outputFields(task, outputs),
  };
}

/** The newest anchor with a label of any output. */
function newestLabel(outputs: FitInput['outputs']): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { examples } of outputs)
    examples.at.forEach((at, i) => {
      if (at > newest && !Number.isNaN(examples.labels[i])) newest = at;
    });
  return newest;
}

/** How many days of rows each table with times had by `until`. */
function historyOf(tables: Tables, until: number): History {
  const days = [...tables].flatMap(([name, { time }]): [string, number][] => {
    const oldest = time?.reduce((one, other) => (other < one ? other : one), Number.POSITIVE_INFINITY) ?? until;
    return oldest < until ? [[name, Math.ceil((until - oldest) / microsecondsPerDay)]] : [];
  });
  return Object.fromEntries(days);
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

/**
 * `checked`: the rows that calibration was measured on. `entities`: of each example, or null where no error is asked.
 */
function measureOutput(
  output: LearnedOutput,
  entities: Int32Array | null,
): { measures: Measures; checked: Checked } | null {
  const { labels, predictions, at } = outOfFoldOf(output);
  if (labels.length === 0) return null;
  const { objective } = output;
  // The final calibrator and interval were fitted on these rows. Their quality is measured with those fitted on earlier
  // folds only.
  const { calibration: _, reliability: __, ...own } = measure(objective, labels, predictions, Array.from(at));
  const measures = { ...own, days: daysOf(at) };
  const later = predictFolds(output);
  if (!later) return { measures, checked: { rows: 0, ...(objective.kind === 'binary' && { positives: 0 }) } };
  // Windows of one entity overlap where anchors lie closer than they reach: its rows are not so many proofs.
  const groups = entities ? Array.from(later.examples, (i) => entities[i]!) : [];
  const checked = measure(objective, later.labels, later.predictions, groups, later.sure);
  const { reliability, calibration, sureness } = checked;
  return {
    measures: {
      ...measures,
      ...(reliability && { reliability }),
      ...(calibration && { calibration, checked: daysOf(later.at) }),
      ...(sureness && { sureness }),
    },
    checked,
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
  data: LearningData,
  learned: Learned,
  pool: Int32Array,
  features: readonly ModelFeature[],
  notes: readonly string[],
  layersOf: (output: number) => readonly LayerReport[],
): FitReport {
  const { task, outputs } = data;
  const { score } = kindNamed(task.kind);
  const evaluated = learned.outputs.map((output, o) => evaluateOutput(data, output, outputs[o], pool, features));
  return {
    task: task.name,
    training_rows: learned.trainingRows,
    features,
    outputs: learned.outputs.map((output, o) => {
      const { name, objective, recipe, trials, widening } = output;
      const { labels, predictions } = outOfFoldOf(output);
      const layers = layersOf(o);
      // A score is computed from the longest horizon.
      const scoreOf = score && o === learned.outputs.length - 1 ? score.of : null;
      return {
        name,
        metric: objective.metric,
        recipe: recipe.name,
        trials,
        ...(widening.length > 0 && { widening }),
        learned: { rows: output.rows, days: output.days },
        out_of_fold: evaluated[o].measures,
        naive: evaluated[o].naive,
        ...(layers.length > 0 && { layers }),
        ...compareGraph(objective, trials),
        ...(scoreOf && labels.length > 0 ? { cutoffs: cutoffs(labels, predictions, scoreOf) } : {}),
        curves: curvesOf(objective, labels, predictions, scoreOf),
      };
    }),
    notes: [...learned.notes, ...notes],
    warnings: [
      ...warnOfTime(data),
      ...warnOfUndated(data),
      ...warnOfWindow(data),
      ...warnOfLeakage(learned.leakage),
      ...evaluated.flatMap(({ warnings }) => warnings),
    ],
    leakage: learned.leakage,
    unused_columns: learned.unused,
  };
}

/** Measures an output on its out-of-fold rows, beside what takes no learning. */
function evaluateOutput(
  { task, graph, fresh }: LearningData,
  output: LearnedOutput,
  { examples }: LabelledOutput,
  pool: Int32Array,
  features: readonly ModelFeature[],
): { measures: Measures | null; naive: Naive | null; warnings: ModelWarning[] } {
  const measured = measureOutput(output, examples.rows);
  if (!measured) return { measures: null, naive: null, warnings: [] };
  const { measures, checked } = measured;
  const { name, objective } = output;
  const parts = foldsOutOfFold(output).map(({ start, examples: evaluated }) => ({
    from: pool.filter((i) => isClosed(examples, i, start)),
    evaluated,
    until: start,
  }));
  const referred = fresh ? referredOf(task, entityTable(task, graph.tables), examples.rows) : [];
  const naive = evaluateNaive(objective, examples, parts, referred, outOfFoldOf(output).predictions);
  return {
    measures,
    naive,
    warnings: [
      ...warnOfPlausibility({ task, name, objective, examples, measures, parts, features }),
      ...warnOfNaive(name, objective.metric, measures.value, naive),
      ...warnOfCalibration(name, measures, checked),
    ],
  };
}
