import { Failure } from '../../lib/failure.ts';
import { requireNew } from '../../lib/files/artifact.ts';
import type { Contract } from '../contract/contract.ts';
import { columnsRead, tablesRead } from '../explain/lineage.ts';
import { openSteering } from '../explain/steering.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import type { OpenGraphModel } from '../gfm-link/reading.ts';
import { lastReadable } from '../graph/as-of/days.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import { viewTables } from '../graph/view.ts';
import { type LabelledAnchors, searchedRowsMax, searchLeakage } from '../leakage/search.ts';
import type { Objective } from '../statistics/objective.ts';
import { type Random, seedRandom } from '../statistics/random.ts';
import { applyRankMap, fitRankMap } from '../statistics/ranks.ts';
import type { Examples } from '../tasks/examples.ts';
import { closedColumns, type Task } from '../tasks/task.ts';
import { cutOf } from './cut.ts';
import { encoderModel } from './encoder-model.ts';
import { type Evaluation, type Evaluations, evaluate, evaluatedPairsMax, type Said } from './evaluate.ts';
import { type Rfm, readRfm, rfmArtifact, rfmId, saveRfm } from './folder.ts';
import { keptWeights, parametersOf, type Weights } from './forward.ts';
import { datedEvents, drawMoments, type Moments, stretchOf } from './moments.ts';
import type { Heads } from './network.ts';
import { composedGraph } from './open.ts';
import type { RfmProgress } from './report.ts';
import { principalAxes, rotatedPairs } from './rotation.ts';
import { joinSamples, type MomentSample, makeSample } from './sample.ts';
import { describeTarget, type EncoderTarget, widthOf } from './targets.ts';
import { trainSteps } from './train-steps.ts';
import { readTrainingState, type TrainingState } from './training-state.ts';

/** A task whose labels an encoder is fine-tuned on, and what the task may not read. */
export type FineTuneTask = Pick<Task, 'entity' | 'strict' | 'hide' | 'ignore' | 'outcome'> &
  Partial<Pick<Task, 'key' | 'trust' | 'features' | 'target' | 'label'>> & {
    readonly task: string;
    readonly objective: Objective;
    readonly examples: Examples;
  };

export type FeedbackOptions = {
  /**
   * Nothing later is read, and no label that closes later; microseconds. It may not be before the encoder's own
   * `until`, which is the default.
   */
  readonly until?: number;
  /**
   * By how much the loss of any head, relative to a constant's, may rise on later moments, beyond what may be chance
   * (one-sided 95 %).
   */
  readonly tolerance: number;
  readonly steps?: number;
  /** The graph model that the encoder reads, if any. */
  readonly graphModel?: OpenGraphModel;
};

export type FeedbackReport = {
  readonly entity: string;
  readonly task: string;
  /** `rfmId` of the encoder that was fine-tuned. */
  readonly parent: string;
  readonly until: string;
  readonly validated_after: string;
  readonly labels: number;
  readonly steps: number;
  readonly tolerance: number;
  readonly accepted: boolean;
  /** How well the new head predicts labels of later rows; null where there are none to evaluate on. */
  readonly label: HeadEvaluation | null;
  /**
   * Every other head on later moments, with its loss relative to a constant's. `after`: the fine-tuned network.
   * `before`: the better of the unchanged network and one trained for as many steps without the label.
   */
  readonly heads: readonly {
    readonly target: string;
    readonly days: number;
    readonly rows: number;
    readonly before: number;
    readonly after: number;
    /** Standard error of the difference. */
    readonly standard_error: number;
    readonly fell: boolean;
  }[];
};

type HeadEvaluation = { readonly rows: number; readonly relative_loss: number; readonly auroc?: number };

const stepsDefault = 150;
/**
 * Learning rate: a fifth of the highest rate of pre-training, to adjust what is known instead of learning anew.
 */
const rate = 0.0004;
/** With fewer labels no encoder is fine-tuned. */
const labelsMin = 50;
/** Heads with fewer known later rows are not evaluated. If no head can be evaluated, the result is not accepted. */
const evaluatedRowsMin = 50;
const seedStep = 100;

/**
 * Fine-tunes a copy of an encoder on the closed labels of a task, while it still learns all its earlier targets. The
 * first network learns from labels known by the cut and is compared with its earlier state on later moments. Only if no
 * head gets worse beyond the tolerance, the second network, which answers, learns from all labels, and `out` is
 * written. In rows with labels, inputs that the task may not read count as missing. Returns the report in either case.
 * Throws Failure 'invalid' where the task is multiclass or about another entity, has too few closed labels or equal
 * ones only, where an input is all but the label (`leakage_found`), or where the graph model that the encoder reads is
 * missing; 'conflict' when `out` exists.
 */
export async function feedBack(
  folder: string,
  tables: Tables,
  fineTuneTask: FineTuneTask,
  options: FeedbackOptions,
  out: string,
  progress: RfmProgress,
): Promise<FeedbackReport> {
  requireNew(rfmArtifact, out);
  const { task, entity, objective, examples } = fineTuneTask;
  if (objective.kind === 'multiclass')
    throw new Failure('invalid', `task ${task}: an encoder is fine-tuned on yes or no, or a number`);
  const { contract, ...rfm } = readRfm(folder);
  if (entity !== rfm.entity)
    throw new Failure('invalid', `task ${task} is about ${entity}, and the encoder of rows of ${rfm.entity}`);
  const trainingState = readTrainingState(folder);
  const { until = rfm.until, tolerance, steps = stepsDefault } = options;
  if (until < rfm.until)
    throw new Failure(
      'invalid',
      `the encoder has read up to ${dayOf(rfm.until)}: it cannot be fine-tuned as of an earlier day`,
    );
  const plain = openGraph(withValueTables(viewTables(tables, contract), rfm.hide));
  const graph = composedGraph(plain, rfm, options.graphModel);
  const table = graph.tables.get(rfm.entity);
  if (!table) throw new Failure('invalid', `the encoder is of ${rfm.entity}, which is not a table here`);
  const { objectives, horizonsDays, gapMaxDays, seed, pairs } = trainingState;
  const stretch = stretchOf(horizonsDays, gapMaxDays);
  const events = datedEvents(graph, rfm.entity);
  // The first network may not be evaluated on a period it has learned from.
  const cut = Math.max(trainingState.cut, Math.min(until, cutOf(graph, events, until, horizonsDays)));
  const random = seedRandom(seed + seedStep);
  const read = (moments: Moments, to: number, unread?: readonly number[]) =>
    makeSample(graph, table, moments, rfm.inputs, objectives, to, unread);
  const draw = (count: number, from: number, to: number): MomentSample | null => {
    const moments = drawMoments(graph, events, count, { ...stretch, from, until: to }, random);
    return moments && read(moments, to);
  };
  const known = Array.from(examples.rows.keys()).filter(
    (i) => examples.rows[i] >= 0 && !Number.isNaN(examples.labels[i]) && examples.at[i] <= until,
  );
  const closedBy = (moment: number) => known.filter((i) => labelKnownAt(examples, i) <= moment);
  const [early, all] = [closedBy(cut), closedBy(until)];
  if (early.length < labelsMin)
    throw new Failure(
      'invalid',
      `task ${task}: ${early.length} labels were known by ${dayOf(cut)}, and ${labelsMin} are needed to fine-tune an encoder and still evaluate it`,
    );
  const one = examples.labels[early[0]];
  if (early.every((i) => examples.labels[i] === one))
    throw new Failure(
      'invalid',
      `task ${task}: all ${early.length} labels known by ${dayOf(cut)} are ${one}; an encoder is fine-tuned on at least two different ones`,
    );
  const later = all.filter((i) => examples.at[i] > cut);
  const score = openScore(
    objective,
    early.map((i) => examples.labels[i]),
  );
  const unread = unreadOf(rfm.inputs.features, fineTuneTask, contract);
  await searchLeakage(
    { task: { ...fineTuneTask, name: task }, graph },
    rfm.inputs.features.filter((_, f) => !unread.includes(f)),
    labelledAnchors(table, fineTuneTask, all),
  );
  const labelled = (asked: readonly number[], to: number): MomentSample & { label: Float32Array } => ({
    ...read(pairsOf(fineTuneTask, asked, stretch.apart, random), to, unread),
    label: Float32Array.from(asked.flatMap((i) => [score(examples.labels[i]), Number.NaN])),
  });

  progress('reading moments', 0, 3);
  const trainLabels = labelled(early, cut);
  const trainSample = draw(pairs, Number.NEGATIVE_INFINITY, cut);
  progress('reading moments', 1, 3);
  const evaluationSample = draw(Math.min(evaluatedPairsMax, pairs), cut, until);
  if (!trainSample || !evaluationSample)
    throw new Failure('invalid', `nothing goes on with ${rfm.entity} after ${dayOf(cut)}, so no head can be evaluated`);
  const heads: Heads = {
    logistic: objectives.logistic.length,
    numbers: objectives.numbers.length,
    groups: objectives.groups.map(widthOf),
    restored: rfm.inputs.features.length,
    label: objective.kind === 'binary' ? 'logistic' : 'numbers',
  };
  const trainFrom = (
    sample: MomentSample,
    labels: number,
    initial: Weights,
    count: number,
    offset: number,
    told: (step: number) => void,
  ) =>
    trainSteps(sample, rfm.shape, heads, {
      ...{ seed: seed + seedStep + offset, steps: count, initial, rate, labelled: labels, progress: told },
    });
  const evaluateOthers = (said: readonly Said[]) => evaluate(said[0], evaluationSample, trainSample, heads.groups);
  const before: Evaluations[] = [];
  for (const without of [0, steps]) {
    const network = await trainFrom(trainSample, 0, trainingState.first, without, 1, (step) =>
      progress('first network', step, 2 * steps),
    );
    before.push(evaluateOthers(await network.say(evaluationSample)));
    await network.close();
  }
  const first = await trainFrom(
    joinSamples(trainSample, trainLabels),
    early.length,
    trainingState.first,
    steps,
    1,
    // Progress starts at one half: the network without labels has done as many steps.
    (step) => progress('first network', steps + step, 2 * steps),
  );
  const after = evaluateOthers(await first.say(evaluationSample));
  const questions = later.length > 0 ? labelled(later, until) : null;
  const label = questions && evaluateLabel((await first.say(questions))[0], questions, trainLabels, heads);
  await first.close();
  const compared = compareHeads(trainingState, before, after, tolerance);
  const report: FeedbackReport = {
    ...{ entity: rfm.entity, task, parent: rfmId(folder), until: new Date(until / 1000).toISOString() },
    validated_after: new Date(cut / 1000).toISOString(),
    ...{
      labels: all.length,
      steps,
      tolerance,
      accepted: compared.length > 0 && compared.every(({ fell }) => !fell),
      label,
      heads: compared,
    },
  };
  if (!report.accepted) return report;

  progress('reading moments', 2, 3);
  const whole = draw(pairs, Number.NEGATIVE_INFINITY, until)!;
  const second = await trainFrom(
    joinSamples(whole, labelled(all, until)),
    all.length,
    trainingState.second,
    steps,
    2,
    (step) => progress('second network', step, steps),
  );
  progress('turning axes', 0, 1);
  const { shape } = rfm;
  const turned = principalAxes(await second.embed(whole, Math.min(pairs, rotatedPairs)), shape.width);
  await second.close();
  const trained: Rfm = {
    ...rfm,
    until,
    weights: keptWeights(second.parameters, shape),
    axes: Float32Array.from(turned),
  };
  const next: TrainingState = {
    ...trainingState,
    ...{
      cut,
      first: withoutLabel(parametersOf(first.parameters)),
      second: withoutLabel(parametersOf(second.parameters)),
    },
  };
  await saveRfm(out, { rfm: trained, trainingState: next }, contract, report, encoderModel(trained), report.parent);
  return report;
}

/** Labels, evenly thinned, and the moments of their rows. */
function labelledAnchors(table: Table, task: FineTuneTask, known: readonly number[]): LabelledAnchors {
  const step = Math.ceil(known.length / searchedRowsMax);
  const asked = known.filter((_, k) => k % step === 0);
  const of = (values: ArrayLike<number>) => Float64Array.from(asked, (i) => values[i]);
  const { examples, objective, entity } = task;
  const [rows, at] = [Int32Array.from(of(examples.rows)), of(examples.at)];
  const readableUntil = at.map((moment) => lastReadable(task, moment, Number.POSITIVE_INFINITY));
  const own = new Int32Array(rows.length).fill(-1);
  return {
    anchors: { table, fresh: false, rows, own, ownTable: entity, at, readableUntil },
    rows,
    labels: of(examples.labels),
    isNumber: objective.kind === 'regression',
  };
}

/** The moment from which a label is known: when its window closes, or without a window its anchor. */
function labelKnownAt({ at, closes }: Examples, i: number): number {
  return Number.isFinite(closes[i]) ? closes[i] : at[i];
}

/** The inputs that read a column the task closes, a table it ignores, or what it lets no feature read. */
function unreadOf(features: readonly Feature[], task: FineTuneTask, contract: Contract): number[] {
  const { entity, ignore } = task;
  const source = { contract, entity };
  const closed = closedColumns(task);
  const { mayRead } = openSteering(source, task.features);
  return Array.from(features.keys()).filter((f) => {
    const feature = features[f];
    const tables = tablesRead(source, feature);
    return (
      !mayRead(feature) ||
      ignore.some((name) => tables.has(name)) ||
      columnsRead(source, feature).some(({ table, column }) => closed.includes(`${table?.name}.${column.name}`))
    );
  });
}

/**
 * For each label a pair of moments of its row: the anchor, and a moment before it. Both read no further than the task
 * does.
 */
function pairsOf(task: FineTuneTask, asked: readonly number[], apart: number, random: Random): Moments {
  const { rows, at } = task.examples;
  const moments = Float64Array.from(asked.flatMap((i) => [at[i], at[i] - Math.floor(apart * random())]));
  return {
    rows: Int32Array.from(asked.flatMap((i) => [rows[i], rows[i]])),
    at: moments,
    readableUntil: moments.map((moment) => lastReadable(task, moment, Number.POSITIVE_INFINITY)),
  };
}

/** Maps a label to the scale of its head: yes or no as it is, a number by its rank among the training labels. */
function openScore({ kind }: Objective, labels: readonly number[]): (label: number) => number {
  if (kind === 'binary') return (label) => label;
  const map = fitRankMap(Float32Array.from(labels).sort(), { knotsMax: 64, scoreMax: 3 });
  return (label) => applyRankMap(map, label);
}

function evaluateLabel(
  said: Said,
  evaluated: MomentSample,
  trained: MomentSample,
  { label: kind }: Heads,
): HeadEvaluation | null {
  const none = new Float32Array(0);
  const [asLogistic, asNumber] = kind === 'logistic' ? [true, false] : [false, true];
  const of = (sample: MomentSample, values: Float32Array) => ({
    ...sample,
    ...{ logistic: asLogistic ? values : none, numbers: asNumber ? values : none, groups: none },
  });
  const told = { logistic: asLogistic ? said.label! : none, numbers: asNumber ? said.label! : none, groups: none };
  const { logistic, numbers } = evaluate(told, of(evaluated, evaluated.label!), of(trained, trained.label!), []);
  const [{ rows, auroc, loss, constant }] = [...logistic, ...numbers] as [Evaluation];
  return { rows, relative_loss: loss / constant, ...(auroc !== undefined && { auroc }) };
}

/** Compares each head with the better of two states: unchanged, or trained for as many steps without the label. */
function compareHeads(
  { objectives }: TrainingState,
  before: readonly Evaluations[],
  after: Evaluations,
  tolerance: number,
) {
  const targets: EncoderTarget[] = [
    ...objectives.logistic,
    ...objectives.numbers.map(({ target }) => target),
    ...objectives.groups,
  ];
  const all = ({ logistic, numbers, groups }: Evaluations) => [...logistic, ...numbers, ...groups];
  const earlier = before.map(all);
  return all(after).flatMap(({ rows, loss, constant, losses }, h) => {
    if (rows < evaluatedRowsMin || !(constant > 0)) return [];
    const best = earlier.map((evaluated) => evaluated[h]).reduce((a, b) => (b.loss < a.loss ? b : a));
    const [was, is] = [best.loss / constant, loss / constant];
    const standard_error = errorOf(losses.map((each, i) => each - best.losses[i])) / constant;
    const fell = is - was - surely * standard_error > tolerance;
    const { days } = targets[h];
    return [{ target: describeTarget(targets[h]), days, rows, before: was, after: is, standard_error, fell }];
  });
}

/**
 * A head has fallen only beyond the tolerance plus this many standard errors: of hundreds of heads some seem to fall by
 * chance.
 */
const surely = 1.645;

/**
 * Standard error of the mean of differences. The two rows of a pair count as one: they are one entity at near moments.
 */
function errorOf(differences: Float64Array): number {
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt((2 * squares) / differences.length / Math.max(1, differences.length - 1));
}

/** Removes the label head, since the next task starts a new one. */
function withoutLabel(weights: Weights): Weights {
  return new Map([...weights].filter(([name]) => !/\.label\./.test(name)));
}

function dayOf(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}
