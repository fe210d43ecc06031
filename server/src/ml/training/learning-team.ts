import { toShared } from '../../lib/threads/shared.ts';
import { openTeam, type Team } from '../../lib/threads/team.ts';
import type { Graph } from '../features/graph.ts';
import { joinPart, type Model, type PartInput } from '../heads/head.ts';
import type { RecipePart } from '../heads/recipes.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Task } from '../tasks/task.ts';
import type { Binned } from '../trees/binning.ts';
import type { Forest } from '../trees/forest.ts';
import { type LearningCalls, type ModelCalls, openLearningCalls } from './learning-calls.ts';

/** The threads that learn a task together, or the one that learns it alone. */
export type LearningTeam = Team<LearningCalls>;
/** What trains models alone. */
export type ModelTeam = Pick<Team<ModelCalls>, 'threads' | 'each'>;

type Shared = {
  readonly team?: LearningTeam;
  readonly graph: Graph;
  readonly task: Pick<Task, 'entity'>;
};

/** The team of data; where they have none, this thread alone. */
export function teamOf({ team, graph, task }: Shared): LearningTeam {
  return team ?? openTeam(openLearningCalls(graph, task.entity), '', 0, null);
}

/** A matrix that all threads of a team can read. */
export function shareMatrix({ threads }: ModelTeam, matrix: FeatureMatrix): FeatureMatrix {
  return threads === 1 ? matrix : { ...matrix, values: toShared(matrix.values) };
}

/** Room for `length` numbers that all threads of a team can write. */
export function roomFor({ threads }: ModelTeam, length: number): Float32Array {
  return threads === 1 ? new Float32Array(length) : new Float32Array(new SharedArrayBuffer(4 * length));
}

/** Bins a matrix as `binFeatures` does, columns shared out among threads. */
export async function binTogether(team: ModelTeam, matrix: FeatureMatrix, rows: Int32Array): Promise<Binned> {
  const length = matrix.features * rows.length;
  const bins = team.threads === 1 ? new Uint8Array(length) : new Uint8Array(new SharedArrayBuffer(length));
  const parts = Math.min(matrix.features, team.threads === 1 ? 1 : binPartsOfThread * team.threads);
  const orders = Array.from({ length: parts }, (_, p) => ({
    ...{ matrix, rows, bins },
    from: Math.floor((matrix.features * p) / parts),
    to: Math.floor((matrix.features * (p + 1)) / parts),
  }));
  const made = await team.each('bin', orders);
  return {
    ...{ rows: rows.length, features: matrix.features, bins },
    cuts: made.flatMap(({ cuts }) => cuts),
    hasMissing: made.flatMap(({ hasMissing }) => hasMissing),
  };
}

const binPartsOfThread = 4;

/** About how long a part takes to train with a number of seeds, next to others on as many rows. */
export function costOf(part: RecipePart, seeds: number): number {
  if (part.kind === 'linear') return (part.features + (part.categories ? categoriesCost : 0)) * linearCost;
  // Quantiles of the rows of each leaf take as long as growing the tree.
  const byLoss = part.loss.kind === 'absolute' || part.loss.kind === 'quantile' ? 2 : 1;
  return part.rounds * part.depth * (part.features + sampleCost) * byLoss * seeds;
}

/** Measured beside trees: a column of a linear part, and what a round costs whatever columns it has, in columns. */
const linearCost = 500;
/** Those of categories, in features. */
const categoriesCost = 200;
const sampleCost = 60;

/** Trains the parts of a model, the seeds of each shared out among threads. */
export async function fitTogether(
  team: ModelTeam,
  inputs: readonly PartInput[],
  seeds: readonly number[],
  told: (taken: number, of: number) => void,
): Promise<Model[]> {
  const orders = inputs.flatMap((input, p) => {
    const shares = input.part.kind === 'linear' ? [seeds] : shareOut(seeds, team.threads);
    return shares.map((share) => ({ p, order: { input, seeds: share } }));
  });
  const made = await team.each(
    'train',
    orders.map(({ order }) => order),
    {
      told: (taken) => told(taken, orders.length),
      costOf: ({ input, seeds: share }) => costOf(input.part, share.length),
    },
  );
  return inputs.map((input, p) => {
    const own = made.filter((_, k) => orders[k].p === p);
    // Linear parts are one order, which gives the model itself.
    return Array.isArray(own[0]) ? joinPart(input, (own as Forest[][]).flat()) : (own[0] as Model);
  });
}

/** Items in at most `shares` runs of about equal length. */
function shareOut<T>(items: readonly T[], shares: number): T[][] {
  const runs = Math.min(shares, items.length);
  return Array.from({ length: runs }, (_, k) =>
    items.slice(Math.floor((items.length * k) / runs), Math.floor((items.length * (k + 1)) / runs)),
  );
}
