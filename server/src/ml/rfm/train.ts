import { Failure } from '../../lib/failure.ts';
import { requireNew } from '../../lib/files/artifact.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feature } from '../features/feature.ts';
import { type Graph, openGraph } from '../features/graph.ts';
import { type LinkedGraphModel, readingOf } from '../gfm-link/reading.ts';
import { readsVector, vectorFeatures, withMonthlyVectors } from '../gfm-link/vectors.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import { seedRandom } from '../statistics/random.ts';
import type { Task } from '../tasks/task.ts';
import { choose } from './choose.ts';
import { cutOf } from './cut.ts';
import { encoderModel } from './encoder-model.ts';
import { evaluatedPairsMax } from './evaluate.ts';
import { findSteps } from './find-steps.ts';
import { type Rfm, rfmArtifact, saveRfm } from './folder.ts';
import { keptWeights, parametersOf } from './forward.ts';
import { type Inputs, inputColumns } from './inputs.ts';
import { datedEvents, drawMoments, type Moments, stretchOf } from './moments.ts';
import { embeddingColumns, type Heads, type NetworkShape } from './network.ts';
import { type RfmProgress, type RfmReport, reportHeads } from './report.ts';
import { principalAxes, rotatedPairs } from './rotation.ts';
import { evaluateMoments, type MomentSample, makeSample } from './sample.ts';
import { widthOf } from './targets.ts';
import { batchPairs, trainSteps } from './train-steps.ts';
import type { TrainingState } from './training-state.ts';

export type RfmOptions = {
  /** Nothing later is read, microseconds. */
  readonly until: number;
  readonly seed: number;
  /** Horizons of the targets, shortest first. */
  readonly horizonsDays?: readonly number[];
  /** Largest age of the data when embeddings are computed, in days; 0 if data are always fresh. */
  readonly gapMaxDays?: number;
  /** Tables, and columns (`table.column`), that must not be read. */
  readonly ignore?: readonly string[];
  readonly hide?: readonly string[];
  /** Whether a feature may be read; all where absent. */
  readonly mayRead?: (feature: Feature) => boolean;
  /** Most training steps; by default the steps of `passes` passes over the pairs, within limits. */
  readonly steps?: number;
  /**
   * The exact number of steps, found by an earlier pre-training of the same kind. Then nothing is evaluated, and the
   * report has no heads.
   */
  readonly knownSteps?: number;
  /** Pairs of moments to learn from. */
  readonly pairs?: number;
  /** A graph model whose vectors of the entity's rows are further inputs. */
  readonly graphModel?: LinkedGraphModel;
};

const defaultHorizons = [30, 90, 365];
/** Passes over the pairs, and the limits of the resulting number of steps. */
const passes = 12;
const stepsMin = 150;
const stepsMax = 900;
const pairsMax = 12_000;
const choosingPairs = 1_500;
/** Residual blocks of the body. */
const blocks = 3;

/**
 * Pre-trains an encoder as `makeRfm` does and writes a folder that `openRfm` opens. Throws Failure as `makeRfm` does,
 * or 'conflict' when the folder exists.
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

/**
 * Pre-trains an encoder of the rows of `entity`, only from what their events did next. A first network learns from the
 * earlier part of the history; its evaluation on the later part gives the number of steps and the quality of each head.
 * A second network learns from all of it. Throws Failure 'invalid' when no dated events lead to the entity.
 */
export async function makeRfm(
  tables: Tables,
  entity: string,
  options: RfmOptions,
  progress: RfmProgress,
): Promise<{ rfm: Rfm; report: RfmReport; trainingState: TrainingState }> {
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
  const count = events.reduce((sum, each) => sum + graph.index(each).time.filter((at) => at <= until).length, 0);
  const pairs = Math.min(options.pairs ?? pairsMax, Math.max(500, count));
  const isEvaluated = options.knownSteps === undefined;
  const early = isEvaluated ? draw(pairs, Number.NEGATIVE_INFINITY, cut) : null;
  const late = isEvaluated ? draw(Math.min(evaluatedPairsMax, pairs), cut, until) : null;
  const all = draw(pairs, Number.NEGATIVE_INFINITY, until)!;
  readVectors(graph, table, [choosing, early, late, all]);
  const { inputs, objectives } = choose(graph, table, task, choosing, horizonsDays, cut, options.mayRead);
  const vectorInputs = inputs.features.filter(readsVector).length;
  // If hardly any row is in the graph, no vector input is chosen, and the encoder does not depend on the graph model.
  const composed = graphModel && vectorInputs > 0 ? { graphModel: readingOf(graphModel) } : {};
  const heads: Heads = {
    logistic: objectives.logistic.length,
    numbers: objectives.numbers.length,
    groups: objectives.groups.map(widthOf),
    restored: inputs.features.length,
  };
  const shape = shapeOf(inputs, count);

  const passing = Math.round((passes * pairs) / batchPairs);
  const steps = options.steps ?? Math.max(stepsMin, Math.min(stepsMax, passing));
  const read = (moments: Moments, to: number): MomentSample =>
    makeSample(graph, table, moments, inputs, objectives, to);
  const found = early
    ? await findSteps(
        () => read(early, cut),
        () => late && read(late, until),
        ...([shape, heads, { seed, steps }, progress] as const),
      )
    : null;
  const goodSteps = options.knownSteps ?? found?.steps ?? steps;

  progress('reading moments', 2, 3);
  const whole = read(all, until);
  const trained = await trainSteps(whole, shape, heads, {
    seed: seed + 2,
    steps: goodSteps,
    progress: (step) => progress('second network', step, goodSteps),
  });
  progress('turning axes', 0, 1);
  const axes = Float32Array.from(principalAxes(await trained.embed(whole, Math.min(pairs, rotatedPairs)), shape.width));
  await trained.close();

  const weights = keptWeights(trained.parameters, shape);
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
    heads: found ? reportHeads(objectives, found.evaluations) : [],
  };
  const second = parametersOf(trained.parameters);
  const trainingState = {
    objectives,
    seed,
    horizonsDays,
    gapMaxDays,
    pairs,
    cut: found ? cut : until,
    first: found?.parameters ?? second,
    second,
  };
  return { rfm: { entity, until, ignore, hide, ...composed, inputs, shape, weights, axes }, report, trainingState };
}

/** Reads the vectors of all moments at once, which fills their cache: opening a graph as of a month is slow. */
function readVectors(graph: Graph, table: Table, of: readonly (Moments | null)[]): void {
  if (!graph.vectors) return;
  const given = of.filter((moments) => moments !== null);
  const joined = {
    rows: Int32Array.from(given.flatMap(({ rows }) => [...rows])),
    at: Float64Array.from(given.flatMap(({ at }) => [...at])),
    readableUntil: Float64Array.from(given.flatMap(({ readableUntil }) => [...readableUntil])),
  };
  evaluateMoments(graph, vectorFeatures(graph.vectors).slice(0, 1), table, joined, () => {});
}

/** A task without labels, for proposing features of an entity. */
function taskOf(
  entity: string,
  horizonsDays: readonly number[],
  ignore: readonly string[],
  hide: readonly string[],
): Task {
  return {
    ...{ name: 'rfm', entity, key: '', time: '', label: '', kind: 'regression', metric: 'mae', strict: false },
    windowDays: horizonsDays[0],
    ignore,
    hide,
  };
}

/** The network is wider where there are more events. */
function shapeOf(inputs: Inputs, events: number): NetworkShape {
  const width = events < 20_000 ? 96 : events < 200_000 ? 128 : events < 2_000_000 ? 256 : 512;
  return { inputs: inputColumns(inputs), width, blocks };
}
