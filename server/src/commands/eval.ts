import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrainingThreads } from '../config.ts';
import { Failure } from '../lib/failure.ts';
import type { Contract } from '../ml/contract/contract.ts';
import { type Notice, sayNotice } from '../ml/contract/notices.ts';
import { tellFeatures } from '../ml/explain/model-features.ts';
import { isFresh, withLabels } from '../ml/features/anchors.ts';
import { withVectors } from '../ml/gfm-link/vectors.ts';
import type { ToldLeak } from '../ml/leakage/tell.ts';
import { type Examples, entityTable, joinExamples } from '../ml/tasks/examples.ts';
import { parseDay } from '../ml/tasks/target.ts';
import type { Task } from '../ml/tasks/task.ts';
import { type Evaluation, evaluatePool, type LearnedData, predictPool } from '../ml/training/evaluate.ts';
import { compareLayers, describeLayers, type LayerName, type LayerReport, learnLayers } from '../ml/training/layers.ts';
import { learn } from '../ml/training/learn.ts';
import type { LearnedOutput } from '../ml/training/learn-output.ts';
import { describeNaive, evaluateNaive, type NaivePart, referredOf, warnOfNaive } from '../ml/training/naive.ts';
import { warnOfPlausibility } from '../ml/training/plausibility.ts';
import { pretrain } from '../ml/training/pretrain.ts';
import { cutBefore, type Regime, regimeOf } from '../ml/training/questions.ts';
import { describeSureness, sayWithError } from '../ml/training/report.ts';
import { warnOfCalibration } from '../ml/training/warn-of-calibration.ts';
import { warnOfTime, warnOfUndated, warnOfWindow } from '../ml/training/warn-of-time.ts';
import { type ModelWarning, warnOfLeakage } from '../ml/training/warning.ts';
import { describeWidening } from '../ml/training/widen.ts';
import { withTeam } from '../ml/training/with-team.ts';
import { readArguments, readMinutes, requireWritableFile, type Usage } from './arguments.ts';
import { type FiledOutput, openDataset, openGraphLink, openLabels, openTask } from './dataset.ts';
import { type DataOf, foldStudyRowsMax, studyFolds } from './eval-folds.ts';
import { writePredictions } from './eval-predictions.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const evalUsage = {
  usage:
    'eval <dataset> --task <name> [--data-until <date>|none] [--fit train|train+val] [--pretrain] [--gfm <version folder>] [--layers] [--minutes <number>] --out predictions.csv --report report.json',
  about: `Learns a task of a data set, measures it on val.csv and predicts test.csv.

  <dataset>     holds tables/, contract.yaml (inferred when there is none) and tasks/<name>/ with task.yaml and train.csv
  --task        the task's folder name under tasks/
  --data-until  nothing later than the start of this day is read, whatever the anchor; instead of the task's. none lifts it
  --fit         what the model of the predictions learns from; train+val by default
  --pretrain    first learn what the entity's events usually lead to, without labels and from nothing that is read later
  --gfm         a version of the graph model, whose vectors of the entities that rows are linked to may be read: by the columns
                marked graphKey in the contract, by models and by their encoders
  --gfm-key     the column (table.column) that links rows to the graph, where several do or none is marked
  --layers      also say what each layer of the model adds on validation rows: a row's own features, the rows it refers to and
                met, the encoder, the graph model; takes about as long again for each
  --minutes     average more models, that read other features, for about so long in each training, and say what that gained
  --out         the rows of test.csv in order, with a column prediction, and prediction_<head> of each further head (CSV)
  --report      measures, folds and warnings (JSON)`,
  positionals: 1,
  options: {
    task: 'value',
    'data-until': 'value',
    fit: 'value',
    pretrain: 'flag',
    gfm: 'value',
    'gfm-key': 'value',
    layers: 'flag',
    minutes: 'value',
    out: 'value',
    report: 'value',
  },
  required: ['task', 'out', 'report'],
} as const satisfies Usage;

/**
 * Trains a task of a data set, measures it on validation rows, and predicts its test rows. The validation figures come
 * from models that were trained on training labels only; the predictions come from the model of --fit.
 */
export async function evalCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, evalUsage);
  const fit = values.fit ?? 'train+val';
  if (fit !== 'train' && fit !== 'train+val')
    throw new Failure('invalid', `--fit must be train or train+val, not ${fit}`);
  if (!values.out!.endsWith('.csv'))
    throw new Failure('invalid', `--out must end in .csv, as the predictions are written as CSV: ${values.out}`);
  requireWritableFile('--out', values.out!);
  requireWritableFile('--report', values.report!);
  const progress = openProgress(log);
  const warnings: string[] = [];
  const dataset = await openDataset(words[0], progress);
  const folder = join(dataset.folder, 'tasks', values.task!);
  let task = openTask(dataset, values.task!);
  if (task.target)
    throw new Failure(
      'invalid',
      `task ${task.name} makes its labels from a target; eval needs train.csv, val.csv and test.csv (use fit)`,
    );
  task = withDataUntil(task, values['data-until']);
  if (task.dataUntil !== undefined && task.dataUntil > Date.now() * 1000)
    warnings.push(`data_until ${textOf(task.dataUntil)} lies in the future: nothing is held back`);

  const has = (file: string) => existsSync(join(folder, file));
  const files = ['train.csv', ...['val.csv', 'test.csv'].filter(has)];
  const noticed: Notice[] = [];
  const filed = await openLabels(dataset, task, files, noticed);
  const [{ parts, objective }] = filed;
  const [train] = parts;
  warnings.push(...[...noticed, ...dataset.report.warnings].map(sayNotice), ...warnOfFiles(filed, files));
  for (const warning of warnings) progress.say(`warning: ${warning}`);
  const warn: Warn = (told) => {
    const messages = told.map((one) => (typeof one === 'string' ? one : one.message));
    warnings.push(...messages);
    for (const warning of messages) progress.say(`warning: ${warning}`);
  };
  requireLabelsBefore(task, train);
  const val = has('val.csv') ? parts[1] : null;
  const test = has('test.csv') ? parts.at(-1)! : null;
  const outputs = filed.map((output) => ({ ...output, examples: joinExamples(...output.parts) }));
  const fresh = isFresh(task, dataset.tables, train);
  warn(warnOfTime({ task, graph: dataset, outputs }));
  warn(warnOfUndated({ task, graph: dataset, outputs }));
  warn(warnOfWindow({ task, graph: dataset, outputs }));
  if (val) warn(warnOfOverlap(train, val));
  const minutes = readMinutes(values.minutes);
  const graphModel = await openGraphLink(values.gfm, values['gfm-key'], task, fresh, dataset);
  if (graphModel && val) warn(warnOfSight(graphModel.model.gfm.until, val));
  /**
   * Returns the learning data with only the labels of a pool, so that no row that is evaluated or tested can be
   * predicted from its own outcome.
   */
  const dataOf: DataOf = (pool) => {
    const plain = withLabels(task, dataset.tables, labelledOnly(outputs[0].examples, pool), fresh, objective);
    return {
      task,
      fresh,
      graph: graphModel ? withVectors(plain, graphModel.model.gfm, graphModel.link) : plain,
      ...(minutes !== undefined && { minutes }),
      outputs,
    };
  };
  const leakage: ToldLeak[] = [];
  const threads = readTrainingThreads();
  /**
   * Trains on a pool, and looks for leakage by its labels alone. Returns the model with the data as the model reads it.
   */
  const learnFrom = async (pool: Int32Array, regime: Regime) => {
    const data = dataOf(pool);
    const given = graphModel ?? undefined;
    const pretrained = values.pretrain
      ? await pretrain(data, dataset.tables, pool, regime, progress.phase, given)
      : null;
    const read = pretrained?.data ?? data;
    const learned = await withTeam(read, threads, (shared) => learn(shared, pool, regime, progress.phase));
    for (const { objective, widening } of learned.outputs) {
      const widened = describeWidening(objective.metric, widening);
      if (widened !== null) progress.say(`  ${widened}`);
    }
    const told = learned.leakage.filter(({ at }) => leakage.every((known) => known.at !== at));
    leakage.push(...told);
    warn(warnOfLeakage(told));
    return { data: read, learned };
  };
  const evaluateOn = async (
    trained: LearnedData,
    from: Int32Array,
    regime: Regime,
    evaluated: Int32Array,
    until: number,
  ) => {
    const evaluation = tell(
      await evaluatePool(trained, evaluated, until),
      trained,
      { from, evaluated, until },
      dataset.contract,
      progress,
      warn,
    );
    if (values.layers === undefined) return evaluation;
    const layers = await evaluateLayers(trained, from, regime, evaluated, until, progress);
    for (const line of describeLayers(task.metric, layers)) progress.say(`  ${line}`);
    return { ...evaluation, layers };
  };
  const range = (from: number, length: number) => Int32Array.from({ length }, (_, i) => from + i);
  const trainPool = range(0, train.rows.length);
  const valPool = range(train.rows.length, val?.rows.length ?? 0);
  const testPool = range(train.rows.length + valPool.length, test?.rows.length ?? 0);
  const until = task.dataUntil ?? Number.POSITIVE_INFINITY;
  const serving = test ? regimeOf(test.at, until) : ({ kind: 'rolling' } as const);

  const validation: Record<string, unknown> = {};
  let rolling: LearnedData | null = null;
  if (val && valPool.length > 0) {
    progress.say('validation, rolling: data up to each anchor');
    rolling = await learnFrom(trainPool, { kind: 'rolling' });
    validation.rolling = await evaluateOn(rolling, trainPool, { kind: 'rolling' }, valPool, Number.POSITIVE_INFINITY);
    const stale = staleRegime(val.at, serving);
    if (!fresh && stale) {
      progress.say('validation, frozen: nothing read after the first validation anchor');
      const closed = closedPool(outputs[0].examples, trainPool, stale.cut);
      const frozen = await learnFrom(closed, stale);
      validation.frozen = {
        data_until: clockText(stale.cut),
        ...(await evaluateOn(frozen, closed, stale, valPool, stale.cut)),
      };
    }
    if (train.rows.length + valPool.length <= foldStudyRowsMax) {
      progress.say('rolling folds over train and validation');
      validation.folds = await studyFolds(dataOf, range(0, train.rows.length + valPool.length), progress);
    }
  }

  const pool = fit === 'train' ? trainPool : range(0, train.rows.length + valPool.length);
  let final = rolling;
  if (!(rolling && fit === 'train' && serving.kind === 'rolling')) {
    progress.say(
      `learning from ${fit} for ${serving.kind === 'stale' ? 'data that stop before the test' : 'data up to each anchor'}`,
    );
    final = await learnFrom(pool, serving);
  }
  if (test && final) {
    await writePredictions(join(folder, 'test.csv'), values.out!, await predictPool(final, testPool, until));
    progress.say(`wrote ${testPool.length} predictions to ${values.out}`);
  }
  writeFileSync(
    values.report!,
    `${JSON.stringify(
      {
        task: task.name,
        metric: task.metric,
        rows: { train: train.rows.length, val: valPool.length, test: testPool.length },
        fit,
        data_until: Number.isFinite(until) ? clockText(until) : null,
        serving: serving.kind,
        kind: fresh ? 'new rows' : 'entities over time',
        validation,
        model: final && summarise(final, dataset.contract),
        leakage,
        warnings,
      },
      null,
      2,
    )}\n`,
  );
  progress.say(`wrote ${values.report}`);
  return 0;
}

function withDataUntil(task: Task, given: string | undefined): Task {
  if (given === undefined) return task;
  const { dataUntil: _, ...rest } = task;
  if (given === 'none') return rest;
  const dataUntil = parseDay(given);
  if (Number.isNaN(dataUntil))
    throw new Failure('invalid', `--data-until must be a day such as 2010-01-01, or none; not ${given}`);
  return { ...rest, dataUntil };
}

/** A moment of the data's clocks, of which no zone is known. */
function clockText(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, -1);
}

function textOf(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}

/**
 * Throws Failure 'invalid' when the data stop before the first label, since the model would have nothing to learn from.
 */
function requireLabelsBefore({ name, dataUntil }: Task, train: Examples): void {
  if (dataUntil === undefined || train.at.length === 0) return;
  const first = train.at.reduce((a, b) => Math.min(a, b));
  if (first >= dataUntil)
    throw new Failure(
      'invalid',
      `task ${name}: the data stop at ${textOf(dataUntil)}, and the first label is of ${textOf(first)}; choose a later --data-until`,
    );
}

/** Warns of empty label files and of validation labels that are all equal, by file name. */
function warnOfFiles(outputs: readonly FiledOutput[], files: readonly string[]): string[] {
  const told = outputs.flatMap(({ name, objective, parts }) =>
    files.flatMap((file, f) => {
      const { labels } = parts[f];
      if (labels.length === 0) return [`${file} has no rows`];
      const known = labels.filter((label) => !Number.isNaN(label));
      if (file !== 'val.csv' || objective.kind === 'regression' || known.some((label) => label !== known[0])) return [];
      const of = outputs.length > 1 ? ` of ${name}` : '';
      return [`${file}: all ${known.length} labels${of} are alike, so ${objective.metric} on them says nothing`];
    }),
  );
  return [...new Set(told)];
}

/**
 * Warns how many training labels were not known yet when validation began: the label windows of neighboring rows share
 * events.
 */
function warnOfOverlap({ labels, closes }: Examples, { at }: Examples): string[] {
  const first = at.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const known = Array.from(labels.keys()).filter((i) => !Number.isNaN(labels[i]) && Number.isFinite(closes[i]));
  const open = known.filter((i) => closes[i] > first).length;
  return open === 0
    ? []
    : [
        `${open} of ${known.length} labels of train.csv were not known yet at the first row of val.csv, and flatter what is said of validation rows: leave a label window between the files`,
      ];
}

/** Warns when the graph model has learned from facts later than the first row that it helps to predict. */
function warnOfSight(until: number, { at }: Examples): string[] {
  return at.some((moment) => moment < until)
    ? [
        `the graph model has learned its scalings from facts up to ${textOf(until)}, later than the first validation rows`,
      ]
    : [];
}

/** Returns the regime of validating with data that stop at or before the first validation anchor. */
function staleRegime(at: Float64Array, serving: Regime): (Regime & { kind: 'stale' }) | null {
  const first = at.reduce((a, b) => Math.min(a, b));
  if (serving.kind === 'stale') return { ...serving, cut: cutBefore(serving, first) };
  const regime = regimeOf(at, first);
  return regime.kind === 'stale' ? regime : null;
}

/** Returns the examples without the labels of examples outside a pool. */
function labelledOnly(examples: Examples, pool: Int32Array): Examples {
  const labels = new Float64Array(examples.labels.length).fill(Number.NaN);
  for (const i of pool) labels[i] = examples.labels[i];
  return { ...examples, labels };
}

function closedPool({ closes }: Examples, pool: Int32Array, moment: number): Int32Array {
  return pool.filter((i) => !Number.isFinite(closes[i]) || closes[i] <= moment);
}

type Warn = (told: readonly (string | ModelWarning)[]) => void;

/**
 * Prints the metrics of each output next to those of naive predictors, and warns where an output is worse, or better
 * than plausible. Returns the metrics for the report: those of the first output, and those of all heads.
 */
function tell(
  evaluations: readonly Evaluation[],
  { data: { task, outputs, graph, fresh }, learned }: LearnedData,
  { from, evaluated, until }: NaivePart,
  contract: Contract,
  progress: ProgressLine,
  warn: Warn,
) {
  const features = tellFeatures(learned.features, learned.importance, learned.coverage, contract, { ...task, fresh });
  const kept = new Map(
    evaluations.map(({ name, recipe, predictions, measures }) => {
      const { objective, examples } = outputs.find((output) => output.name === name)!;
      const { metric } = objective;
      const of = task.heads ? `${name}: ` : '';
      progress.say(
        `  ${of}${metric} ${sayWithError(measures.value, measures.standard_error)} (${recipe}, ${measures.rows} rows)`,
      );
      const parts = [{ from, evaluated: evaluated.filter((i) => !Number.isNaN(examples.labels[i])), until }];
      const referred = fresh ? referredOf(task, entityTable(task, graph.tables), examples.rows) : [];
      const naive = evaluateNaive(objective, examples, parts, referred, predictions);
      progress.say(`    ${describeNaive(naive)}`);
      for (const line of describeSureness(measures)) progress.say(`    ${line}`);
      warn(warnOfNaive(name, metric, measures.value, naive));
      warn(warnOfCalibration(name, measures, measures));
      warn(warnOfPlausibility({ task, name, objective, examples, measures, parts, features }));
      return [name, { recipe, measures, naive }];
    }),
  );
  return { ...kept.get(outputs[0].name), ...(task.heads && { heads: Object.fromEntries(kept) }) };
}

/**
 * Returns what each layer of a model adds to its first output, on the labelled rows of a pool that the model was not
 * trained on. Returns no layers when there are no such rows.
 */
async function evaluateLayers(
  { data, learned }: LearnedData,
  from: Int32Array,
  regime: Regime,
  pool: Int32Array,
  until: number,
  progress: ProgressLine,
): Promise<LayerReport[]> {
  const { objective, examples } = data.outputs[0];
  const evaluated = pool.filter((i) => !Number.isNaN(examples.labels[i]));
  if (evaluated.length === 0) return [];
  const layers: { layer: LayerName; predictions: Float64Array }[] = [];
  for (const layer of await learnLayers(data, learned, from, regime, progress.phase))
    layers.push({ layer: layer.name, predictions: (await predictPool(layer, evaluated, until))[0].values });
  return compareLayers(
    objective,
    Float64Array.from(evaluated, (i) => examples.labels[i]),
    layers,
    Array.from(evaluated, (i) => examples.at[i]),
    Array.from(evaluated, (i) => examples.rows[i]),
  );
}

/** What the model behind the predictions is, and what it reads. */
function summarise({ data: { task, fresh }, learned }: LearnedData, contract: Contract) {
  const { outputs, trainingRows, notes, unused } = learned;
  const of = ({ recipe, trials, widening }: LearnedOutput) => ({
    ...{ recipe: recipe.name, parts: recipe.parts, trials },
    ...(widening.length > 0 && { widening }),
  });
  return {
    ...of(outputs[0]),
    ...(task.heads && { heads: Object.fromEntries(outputs.map((output) => [output.name, of(output)])) }),
    training_rows: trainingRows,
    features: tellFeatures(learned.features, learned.importance, learned.coverage, contract, { ...task, fresh }),
    notes,
    unused_columns: unused,
  };
}
