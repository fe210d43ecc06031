import { assert } from '../../lib/failure.ts';
import { sampleIndices, seedRandom } from '../statistics/random.ts';
import type { Binned } from './binning.ts';
import { type Forest, leavesLimit, type Tree } from './forest.ts';
import { type Grower, type GrownNode, growTree, openGrower, packSample } from './grow.ts';
import {
  assertLabels,
  computeGradients,
  computeProbabilities,
  countOutputs,
  fitBase,
  type Loss,
  leafStep,
  quantileLevel,
  weightedQuantile,
} from './losses.ts';
import type { ForestOptions } from './options.ts';

/**
 * Trains gradient-boosted trees (Friedman 2001, with Newton steps) on binned rows. labels: one per binned row, see
 * `assertLabels`; weights: ≥ 0 or null for 1 each; rows of weight 0 are ignored. onRound: called after each round (from
 * 1) with the number of trees so far; it may throw to stop training. The same arguments give the same forest, bit for
 * bit. A round whose sample offers no split adds no tree. Throws: Failure 'limit_exceeded' at 2^24 rows, or when bins
 * and histograms exceed 4 GiB.
 */
export function trainForest(
  binned: Binned,
  labels: Float64Array,
  weights: Float64Array | null,
  options: ForestOptions,
  onRound?: (round: number, trees: number) => void,
): Forest {
  assertOptions(options);
  assert(labels.length === binned.rows, 'one label per binned row');
  assertLabels(options.loss, labels);
  const rowWeights = weights ?? new Float64Array(labels.length).fill(1);
  assert(rowWeights.length === binned.rows, 'one weight per binned row');
  const present = Int32Array.from(labels.keys()).filter((row) => rowWeights[row] > 0);
  const usable = Int32Array.from(binned.cuts.keys()).filter((f) => isSplittable(binned, f));
  const outputs = countOutputs(options.loss);
  const base = fitBase(options.loss, pickNumbers(labels, present), pickNumbers(rowWeights, present));
  const trees: Tree[] = [];
  const forest = { features: binned.features, outputs, base, trees };
  const isConstant = present.every((row) => labels[row] === labels[present[0]]);
  if (isConstant || usable.length === 0) return forest;

  const random = seedRandom(options.seed);
  const sampleRows = Math.max(1, Math.round(present.length * options.rowSample));
  const sampleColumns = Math.max(1, Math.round(usable.length * options.columnSample));
  const grower = openGrower(binned, options, sampleRows, sampleColumns);
  const margins = new Float64Array(outputs * binned.rows);
  for (let output = 0; output < outputs; output++) {
    margins.fill(base[output], output * binned.rows, (output + 1) * binned.rows);
  }
  const probabilities = options.loss.kind === 'softmax' ? new Float64Array(margins.length) : margins;
  let isPacked = false;
  for (let round = 1; round <= options.rounds; round++) {
    const sample = pick(present, sampleRows, random);
    const others = present.length === sampleRows ? new Int32Array(0) : leaveOut(present, sample);
    if (options.loss.kind === 'softmax') computeProbabilities(margins, outputs, probabilities);
    for (let output = 0; output < outputs; output++) {
      const columns = pick(usable, sampleColumns, random);
      const isWhole = sampleRows === present.length && sampleColumns === usable.length;
      if (!(isPacked && isWhole)) packSample(grower, binned, sample, columns);
      isPacked = true;
      const input = { loss: options.loss, output, labels, weights: rowWeights, margins: probabilities, sample };
      computeGradients(input, grower.gradients, grower.hessians);
      const nodes = growTree(grower, columns);
      if (nodes.length === 1) continue;
      const values = estimateLeaves({ grower, nodes, sample, labels, weights: rowWeights, margins });
      const tree = finishTree({ binned, grower, nodes, values, sample, weights: rowWeights, output });
      trees.push(tree);
      const own = margins.subarray(output * binned.rows, (output + 1) * binned.rows);
      addToSample(grower, nodes, values, sample, own);
      addToOthers(binned, nodes, values, others, own);
    }
    onRound?.(round, trees.length);
  }
  return forest;
}

function assertOptions(options: ForestOptions): void {
  const isShare = (share: number): boolean => share > 0 && share <= 1;
  assert(options.leavesMax >= 1 && options.leavesMax <= leavesLimit, `leavesMax is at most ${leavesLimit}`);
  assert(options.depthMax >= 0 && options.rounds >= 0 && options.l2 >= 0, 'depthMax, rounds and l2 are not negative');
  assert(isShare(options.rowSample) && isShare(options.columnSample), 'samples are shares in (0, 1]');
  const { loss } = options;
  assert(loss.kind !== 'quantile' || (loss.alpha > 0 && loss.alpha < 1), 'alpha is in (0, 1)');
  assert(loss.kind !== 'tweedie' || (loss.power > 1 && loss.power < 2), 'power is in (1, 2)');
  assert(loss.kind !== 'softmax' || loss.classes >= 2, 'softmax has two classes or more');
}

function isSplittable(binned: Binned, feature: number): boolean {
  return binned.cuts[feature].length > 0 || binned.hasMissing[feature];
}

function pick(items: Int32Array, count: number, random: () => number): Int32Array {
  if (count === items.length) return items;
  const drawn = sampleIndices(items.length, count, random);
  for (let k = 0; k < count; k++) drawn[k] = items[drawn[k]];
  return drawn;
}

/** The items that are not in `taken`. Both are ascending. */
function leaveOut(items: Int32Array, taken: Int32Array): Int32Array {
  const others = new Int32Array(items.length - taken.length);
  let next = 0;
  for (let k = 0; k < items.length; k++) {
    if (items[k] === taken[next]) next++;
    else others[k - next] = items[k];
  }
  return others;
}

function pickNumbers(values: Float64Array, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row]);
}

type GrownTree = {
  readonly grower: Grower;
  readonly nodes: readonly GrownNode[];
  readonly sample: Int32Array;
  readonly weights: Float64Array;
};

/** The leaf value of each node, including the learning rate; 0 at splits. */
function estimateLeaves(input: GrownTree & { labels: Float64Array; margins: Float64Array }): Float64Array {
  const { grower, nodes, sample, labels, weights, margins } = input;
  const { loss, l2, learningRate } = grower.options;
  const level = quantileLevel(loss);
  return Float64Array.from(nodes, (node) => {
    if (node.split) return 0;
    const rows = grower.rowIds.subarray(node.begin, node.end);
    if (level === undefined) return learningRate * newtonStep(grower, loss, rows, l2);
    // Plain loops: `Float64Array.from` takes ten times as long, which is as long as growing the tree.
    const residuals = new Float64Array(rows.length);
    const weighed = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const row = sample[rows[i]];
      residuals[i] = labels[row] - margins[row];
      weighed[i] = weights[row];
    }
    return learningRate * weightedQuantile(residuals, weighed, level);
  });
}

function newtonStep(grower: Grower, loss: Loss, rows: Int32Array, l2: number): number {
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < rows.length; i++) {
    gradient += grower.gradients[rows[i]];
    hessian += grower.hessians[rows[i]];
  }
  return leafStep(loss, gradient, hessian, l2);
}

function finishTree(input: GrownTree & { binned: Binned; values: Float64Array; output: number }): Tree {
  const { binned, grower, nodes, values, sample, weights, output } = input;
  const cover = new Float64Array(nodes.length);
  for (let n = nodes.length - 1; n >= 0; n--) {
    const { split, begin, end, left, right } = nodes[n];
    if (split) cover[n] = cover[left] + cover[right];
    else for (let i = begin; i < end; i++) cover[n] += weights[sample[grower.rowIds[i]]];
  }
  const threshold = ({ split }: GrownNode): number => {
    if (!split) return 0;
    // After the last cut every value goes left, and only missing values go right.
    return binned.cuts[split.feature][split.lastLeftBin - 1] ?? Number.POSITIVE_INFINITY;
  };
  return {
    output,
    feature: Int32Array.from(nodes, ({ split }) => split?.feature ?? -1),
    threshold: Float32Array.from(nodes, threshold),
    missingLeft: Uint8Array.from(nodes, ({ split }) => (split?.missingLeft ? 1 : 0)),
    left: Int32Array.from(nodes, ({ left }) => left),
    right: Int32Array.from(nodes, ({ right }) => right),
    value: values,
    cover,
    gain: Float64Array.from(nodes, ({ split }) => split?.gain ?? 0),
  };
}

/** Adds the tree to the margins of the sampled rows, which are listed in its leaves. */
function addToSample(
  grower: Grower,
  nodes: readonly GrownNode[],
  values: Float64Array,
  sample: Int32Array,
  margins: Float64Array,
): void {
  const { rowIds } = grower;
  nodes.forEach(({ split, begin, end }, node) => {
    if (!split) for (let i = begin; i < end; i++) margins[sample[rowIds[i]]] += values[node];
  });
}

/** Adds the tree to the margins of the rows that are not in its sample. */
function addToOthers(
  binned: Binned,
  nodes: readonly GrownNode[],
  values: Float64Array,
  rows: Int32Array,
  margins: Float64Array,
): void {
  const column = Int32Array.from(nodes, ({ split }) => (split ? split.feature * binned.rows : -1));
  const lastLeftBin = Int32Array.from(nodes, ({ split }) => split?.lastLeftBin ?? 0);
  const missingLeft = Uint8Array.from(nodes, ({ split }) => (split?.missingLeft ? 1 : 0));
  const left = Int32Array.from(nodes, (node) => node.left);
  const right = Int32Array.from(nodes, (node) => node.right);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    let node = 0;
    while (column[node] >= 0) {
      const bin = binned.bins[column[node] + row];
      const goesLeft = bin === 0 ? missingLeft[node] === 1 : bin <= lastLeftBin[node];
      node = goesLeft ? left[node] : right[node];
    }
    margins[row] += values[node];
  }
}
