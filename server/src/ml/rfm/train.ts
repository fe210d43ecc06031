import { Failure } from '../../lib/failure.ts';
import { requireNew } from '../../lib/files/artifact.ts';
import { type Contract, microsecondsPerDay } from '../contract/contract.ts';
import { openParameters, type Parameter } from '../encoder/layers.ts';
import { modelOf } from '../encoder/model.ts';
import { constant, input, join, matmul } from '../encoder/value.ts';
import type { Events, Feature } from '../features/feature.ts';
import { type Graph, openGraph } from '../features/graph.ts';
import { proposeFeatures } from '../features/proposals/propose.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import type { Task } from '../tasks/task.ts';
import {
  type LinkedGraphModel,
  readingOf,
  readsVector,
  vectorFeatures,
  withMonthlyVectors,
} from '../training/graph-vectors.ts';
import { seedRandom } from '../trees/random.ts';
import { type Rfm, rfmArtifact, saveRfm } from './folder.ts';
import { keptWeights, type Weights } from './forward.ts';
import { chooseInputs, type Inputs, inputColumns, type Sampled } from './inputs.ts';
import { type Judgements, judge, summarise } from './judge.ts';
import { drawMoments, type Moments } from './moments.ts';
import { bodyOf, embeddingColumns, type Heads, type NetworkShape } from './network.ts';
import { principalAxes } from './rotation.ts';
import { type Aims, chooseAims, evaluateMoments, makeSample, type Sample } from './sample.ts';
import { describeTarget, observeTargets, proposeTargets, type Target, widthOf } from './targets.ts';
import { batchPairs, teach } from './teach.ts';
import type { Teaching } from './teaching.ts';

export type RfmOptions = {
  /** Nothing later is read, microseconds. */
  readonly until: number;
  readonly seed: number;
  /** How far ahead the targets look, shortest first. */
  readonly horizonsDays?: readonly number[];
  /** How old the data may be when embeddings are asked for, in days; 0 when they are always fresh. */
  readonly gapMaxDays?: number;
  /** Tables not to be read, and columns (`table.column`) not to be read. */
  readonly ignore?: readonly string[];
  readonly hide?: readonly string[];
  /** At most this many steps; by default as many as some passes over the pairs take. */
  readonly steps?: number;
  /** Exactly so many steps, found by an earlier pre-training of the same: nothing is judged, and the report has no heads. */
  readonly knownSteps?: number;
  /** Pairs of moments it learns from. */
  readonly pairs?: number;
  /** A graph model that rows of the entity lead to, whose vectors of them are inputs beside the tables. */
  readonly graphModel?: LinkedGraphModel;
};

export type RfmReport = {
  readonly entity: string;
  readonly until: string;
  /** Nothing after this was learned from to reach the figures; they are of what came after it. */
  readonly validated_after: string;
  readonly inputs: number;
  /** Where vectors of a graph model are among them: its snapshot, and how many of them are of vectors. */
  readonly graph_model?: { readonly model_snapshot: string; readonly inputs: number };
  readonly width: number;
  readonly pairs: number;
  readonly steps: number;
  /** Mean loss of the heads in shares of a constant's, by the length of the prefix they read. */
  readonly relative_loss: Readonly<Record<string, number>>;
  readonly heads: readonly HeadReport[];
};

type HeadReport = {
  readonly target: string;
  readonly days: number;
  readonly rows: number;
  readonly loss: number;
  readonly constant: number;
  readonly auroc?: number;
};

const defaultHorizons = [30, 90, 365];
/** Passes over the pairs, and what that may come to in steps. */
const passes = 12;
const stepsMin = 150;
const stepsMax = 900;
const pairsMax = 12_000;
export const judgedPairsMax = 2_000;
const choosingPairs = 1_500;
const proposingRows = 500;
export const rotatedPairs = 4_000;
/** Share of the events, the earliest, that the first network learns from. */
const taughtShare = 0.85;
const taughtShareMin = 0.5;
/** How long the judged part should be, in longest horizons. */
const judgedHorizons = 1.5;
/** Residual blocks of the body. */
const blocks = 3;

/**
 * Pre-trains an encoder as `makeRfm` does and writes it as a folder that `openRfm` opens.
 * Throws Failure as it does, or 'conflict' when the folder exists.
 */
export async function trainRfm(
  tables: Tables,
  contract: Contract,
  entity: string,
  options: RfmOptions,
  out: string,
  progress: RfmProgress,
): Promise<RfmReport> {
  requireNew(rfmArtifact, out);
  const made = await makeRfm(tables, entity, options, progress);
  await saveRfm(out, made, contract, made.report, encoderModel(made.rfm));
  return made.report;
}

export type RfmProgress = (phase: string, done: number, of: number) => void;

/**
 * Pre-trains an encoder of the rows of `entity` from nothing but what their events did next. A first network learns from the earlier part of the history and shows on the later part how many steps are
 * good and how much each head knows; a second learns from all of it.
 * Throws Failure 'invalid' when no dated events lead to the entity.
 */
export async function makeRfm(
  tables: Tables,
  entity: string,
  options: RfmOptions,
  progress: RfmProgress,
): Promise<{ rfm: Rfm; report: RfmReport; teaching: Teaching }> {
  const { until, seed, ignore = [], hide = [], horizonsDays = defaultHorizons, gapMaxDays = 0, graphModel } = options;
  const plain = openGraph(withValueTables(new Map([...tables].filter(([name]) => !ignore.includes(name))), hide));
  const graph = graphModel ? withMonthlyVectors(plain, graphModel.model.gfm, graphModel.link) : plain;
  const table = graph.tables.get(entity);
  if (!table) throw new Failure('invalid', `${entity} is not a table that may be read`);
  const task = taskOf(entity, horizonsDays, ignore, hide);
  const random = seedRandom(seed);
  const stretch = stretchOf(horizonsDays, gapMaxDays);

  progress('proposing features', 0, 1);
  const events = datedEvents(graph, entity);
  const cut = cutOf(graph, events, until, horizonsDays);
  const draw = (pairs: number, from: number, to: number) =>
    drawMoments(graph, events, pairs, { ...stretch, from, until: to }, random);
  const choosing = draw(choosingPairs, Number.NEGATIVE_INFINITY, cut);
  if (!choosing) {
    const day = new Date(until / 1000).toISOString().slice(0, 10);
    throw new Failure('invalid', `no dated events lead to ${entity} by ${day}, so nothing can be learned of it`);
  }
  const { inputs, aims } = choose(graph, table, task, choosing, horizonsDays, cut);
  const vectorInputs = inputs.features.filter(readsVector).length;
  // Where hardly any row is in the graph there is nothing to compose with.
  const composed = graphModel && vectorInputs > 0 ? { graphModel: readingOf(graphModel) } : {};
  const heads: Heads = {
    logistic: aims.logistic.length,
    numbers: aims.numbers.length,
    groups: aims.groups.map(widthOf),
    restored: inputs.features.length,
  };
  const count = events.reduce((sum, each) => sum + graph.index(each).time.filter((at) => at <= until).length, 0);
  const shape = shapeOf(inputs, count);
  const pairs = Math.min(options.pairs ?? pairsMax, Math.max(500, count));

  const passing = Math.round((passes * pairs) / batchPairs);
  const steps = options.steps ?? Math.max(stepsMin, Math.min(stepsMax, passing));
  const read = (count: number, from: number, to: number): Sample | null => {
    const moments = draw(count, from, to);
    return moments && makeSample(graph, table, moments, inputs, aims, to);
  };
  const found =
    options.knownSteps === undefined
      ? await findSteps(
          () => read(pairs, Number.NEGATIVE_INFINITY, cut)!,
          () => read(Math.min(judgedPairsMax, pairs), cut, until),
          ...([shape, heads, { seed, steps }, progress] as const),
        )
      : null;
  const goodSteps = options.knownSteps ?? found?.steps ?? steps;

  progress('reading moments', 2, 3);
  const all = read(pairs, Number.NEGATIVE_INFINITY, until)!;
  const taught = await teach(all, shape, heads, {
    seed: seed + 2,
    steps: goodSteps,
    progress: (step) => progress('second network', step, goodSteps),
  });
  progress('turning axes', 0, 1);
  const axes = Float32Array.from(principalAxes(await taught.embed(all, Math.min(pairs, rotatedPairs)), shape.width));
  await taught.close();

  const weights = keptWeights(taught.parameters, shape);
  const report: RfmReport = {
    entity,
    until: new Date(until / 1000).toISOString(),
    validated_after: new Date(cut / 1000).toISOString(),
    inputs: shape.inputs,
    ...(composed.graphModel && {
      graph_model: { model_snapshot: composed.graphModel.modelSnapshot, inputs: vectorInputs },
    }),
    width: shape.width,
    pairs,
    steps: goodSteps,
    relative_loss: Object.fromEntries(
      (found?.relative ?? []).map((loss, p) => [String([embeddingColumns, 64, 16][p]), loss]),
    ),
    heads: found ? reportHeads(aims, found.judgements) : [],
  };
  const second = parametersOf(taught.parameters);
  const teaching = {
    aims,
    seed,
    horizonsDays,
    gapMaxDays,
    pairs,
    cut: found ? cut : until,
    first: found?.parameters ?? second,
    second,
  };
  return { rfm: { entity, until, ignore, hide, ...composed, inputs, shape, weights, axes }, report, teaching };
}

/** How moments lie about events, and the two of a pair about each other. */
export function stretchOf(horizonsDays: readonly number[], gapMaxDays: number) {
  const middle = horizonsDays[Math.floor(horizonsDays.length / 2)]! * microsecondsPerDay;
  return { after: 2 * middle, apart: middle, gapMax: gapMaxDays * microsecondsPerDay };
}

/** Copies of the values of parameters, by name. */
export function parametersOf(parameters: readonly Parameter[]): Weights {
  return new Map(parameters.map(({ name, values }) => [name, values.slice()]));
}

/** After how many steps a network knew most of what came later, and what it knew then. */
type Found = {
  readonly steps: number;
  readonly relative: readonly number[];
  readonly judgements: Judgements;
  readonly parameters: Weights;
};

/** Teaches a network the earlier moments and judges it by the later ones as it learns; null where there are none. */
async function findSteps(
  readEarly: () => Sample,
  readLate: () => Sample | null,
  shape: NetworkShape,
  heads: Heads,
  { seed, steps }: { readonly seed: number; readonly steps: number },
  progress: RfmProgress,
): Promise<Found | null> {
  progress('reading moments', 0, 3);
  const early = readEarly();
  progress('reading moments', 1, 3);
  const late = readLate();
  if (!late) return null;
  let best: Found | null = null;
  const network = await teach(early, shape, heads, {
    seed,
    steps,
    looked: late,
    look(step, said, parameters) {
      const judgements = said.map((each) => judge(each, late, early, heads.groups));
      const relative = judgements.map(summarise);
      if (best && !(relative[0]! < best.relative[0]!)) return;
      best = { steps: step, relative, judgements: judgements[0]!, parameters: parametersOf(parameters) };
    },
    progress: (step) => progress('first network', step, steps),
  });
  await network.close();
  return best;
}

/** A question about nothing: what the feature program is told when features are proposed for their own sake. */
function taskOf(
  entity: string,
  horizonsDays: readonly number[],
  ignore: readonly string[],
  hide: readonly string[],
): Task {
  return {
    ...{ name: 'rfm', entity, key: '', time: '', label: '', kind: 'regression', metric: 'mae', strict: false },
    windowDays: horizonsDays[0]!,
    ignore,
    hide,
  };
}

export function datedEvents(graph: Graph, entity: string): Events[] {
  return [...graph.tables.values()].flatMap((source) =>
    source.time && !source.values && source.name !== entity
      ? [...source.references]
          .filter(([, { table }]) => table === entity)
          .map(([reference]) => ({ table: source.name, via: [reference] }))
      : [],
  );
}

/** Event times looked at, per table, for what share of them lies before a moment. */
const quantileEventsMax = 200_000;

function joinTimes(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let from = 0;
  for (const part of parts) {
    joined.set(part, from);
    from += part.length;
  }
  return joined;
}

/**
 * The moment that parts what the first network learns from and what it is judged by: late, and yet so early that the longest
 * horizon ends before `until` for some of the rest.
 */
export function cutOf(graph: Graph, events: readonly Events[], until: number, horizonsDays: readonly number[]): number {
  const times = joinTimes(
    events.map((each) => {
      const known = graph.index(each).time.filter((at) => at <= until);
      const step = Math.ceil(known.length / quantileEventsMax);
      return step <= 1 ? known : known.filter((_, p) => p % step === 0);
    }),
  ).sort();
  const momentOf = (share: number) => times[Math.floor(share * times.length)] ?? until;
  const longest = horizonsDays.at(-1)! * microsecondsPerDay;
  return Math.max(momentOf(taughtShareMin), Math.min(momentOf(taughtShare), until - judgedHorizons * longest));
}

/** Chooses inputs and targets by moments up to `cut`. */
function choose(
  graph: Graph,
  table: Table,
  task: Task,
  moments: Moments,
  horizonsDays: readonly number[],
  cut: number,
): { inputs: Inputs; aims: Aims } {
  const { rows, at, limit } = moments;
  const few = Math.min(proposingRows, rows.length);
  const proposal = proposeFeatures(
    graph,
    task,
    {
      table,
      fresh: false,
      rows: rows.subarray(0, few),
      own: new Int32Array(few).fill(-1),
      ownTable: table.name,
      at: at.subarray(0, few),
      limit: limit.subarray(0, few),
    },
    cut,
  );
  // The year it is tells rows of a batch apart, and is always a new one when embeddings are asked for.
  const features = proposal.features.filter(({ read }) => !(read.kind === 'calendar' && read.part === 'time'));
  const targets = proposeTargets(graph, features, horizonsDays);
  const observed = observeTargets(graph, targets, moments, table, cut);
  const aims = chooseAims(targets, observed);
  const wanted = new Set<Target>([...aims.logistic, ...aims.numbers.map(({ target }) => target)]);
  return {
    inputs: chooseInputs(
      sampled(graph, features, table, moments),
      sampled(graph, graph.vectors ? vectorFeatures(graph.vectors) : [], table, moments),
      observed.filter((_, t) => wanted.has(targets[t]!)),
      moments.rows.length,
    ),
    aims,
  };
}

function sampled(graph: Graph, features: readonly Feature[], table: Table, moments: Moments): Sampled {
  const columns = features.map(() => new Float32Array(moments.rows.length));
  evaluateMoments(graph, features, table, moments, (part, places) => {
    for (const [f, column] of columns.entries())
      for (const [i, place] of places.entries()) column[place] = part.values[f * part.rows + i]!;
  });
  return { features, columns };
}

/** Wider where there is more to learn from. */
function shapeOf(inputs: Inputs, events: number): NetworkShape {
  const width = events < 20_000 ? 96 : events < 200_000 ? 128 : events < 2_000_000 ? 256 : 512;
  return { inputs: inputColumns(inputs), width, blocks };
}

export function reportHeads(aims: Aims, judgements: Judgements): HeadReport[] {
  const targets = [...aims.logistic, ...aims.numbers.map(({ target }) => target), ...aims.groups];
  return [...judgements.logistic, ...judgements.numbers, ...judgements.groups].flatMap(
    ({ losses: _, ...judgement }, t) =>
      judgement.rows === 0 ? [] : [{ target: describeTarget(targets[t]!), days: targets[t]!.days, ...judgement }],
  );
}

/** Rows of the model that is kept for other programs. */
const modelRows = 64;

/** The forward pass as ONNX: `x`, 64 rows of inputs, to `embedding`, 64 × 1024. */
export function encoderModel({ shape, weights, axes }: Rfm): Uint8Array {
  const { width } = shape;
  const body = bodyOf(openParameters(0), input('x', modelRows, shape.inputs), shape);
  const turned = matmul(body, constant(axes, width, width));
  const rest = embeddingColumns - width;
  const padded =
    rest > 0 ? join([turned, constant(new Float32Array(modelRows * rest), modelRows, rest)], 'columns') : turned;
  return modelOf({ embedding: padded }, weights);
}
