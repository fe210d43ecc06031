import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { proposeFeatures } from '../features/proposals/propose-features.ts';
import { vectorFeatures } from '../gfm-link/vectors.ts';
import type { Table } from '../graph/tables.ts';
import type { Task } from '../tasks/task.ts';
import { chooseInputs, type Inputs, type Sampled } from './inputs.ts';
import type { Moments } from './moments.ts';
import { chooseObjectives, evaluateMoments, type Objectives } from './sample.ts';
import { type EncoderTarget, observeTargets, proposeTargets } from './targets.ts';

/** Moments from which features are proposed. */
const proposingRows = 500;

/** Chooses inputs and targets from moments up to `cut`. */
export function choose(
  graph: Graph,
  table: Table,
  task: Task,
  moments: Moments,
  horizonsDays: readonly number[],
  cut: number,
  mayRead?: (feature: Feature) => boolean,
): { inputs: Inputs; objectives: Objectives } {
  const { rows, at, readableUntil } = moments;
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
      readableUntil: readableUntil.subarray(0, few),
    },
    cut,
    undefined,
    mayRead,
  );
  // The date is not an input: it identifies rows of a batch, and is always outside the training range when the encoder
  // is used.
  const features = proposal.features.filter(({ read }) => !(read.kind === 'calendar' && read.part === 'time'));
  const targets = proposeTargets(graph, features, horizonsDays);
  const observed = observeTargets(graph, targets, moments, table, cut);
  const objectives = chooseObjectives(targets, observed);
  const wanted = new Set<EncoderTarget>([...objectives.logistic, ...objectives.numbers.map(({ target }) => target)]);
  return {
    inputs: chooseInputs(
      sampled(graph, features, table, moments),
      sampled(graph, graph.vectors ? vectorFeatures(graph.vectors) : [], table, moments),
      observed.filter((_, t) => wanted.has(targets[t])),
      moments.rows.length,
    ),
    objectives,
  };
}

function sampled(graph: Graph, features: readonly Feature[], table: Table, moments: Moments): Sampled {
  const columns = features.map(() => new Float32Array(moments.rows.length));
  evaluateMoments(graph, features, table, moments, (part, places) => {
    for (const [f, column] of columns.entries())
      for (const [i, place] of places.entries()) column[place] = part.values[f * part.rows + i];
  });
  return { features, columns };
}
