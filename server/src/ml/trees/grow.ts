// Grows one tree from gradients: leaf-wise, best split first (Shi 2007), on histograms in the kernel's memory.
import { Failure } from '../../lib/failure.ts';
import type { Binned } from './binning.ts';
import { type Kernel, openKernel } from './kernel/kernel.ts';
import type { ForestOptions } from './options.ts';

/** Memory for growing trees on samples of up to `rows` rows and `columns` features. */
export type Grower = {
  readonly kernel: Kernel;
  readonly options: ForestOptions;
  readonly rows: number;
  readonly columns: number;
  /** Derivatives of the sampled rows, in sample order. The caller writes them before growing. */
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  /** Four bins in each word: one word per row and block of four columns. */
  readonly packed: Uint32Array;
  readonly rowIds: Int32Array;
  readonly offsets: Uint32Array;
  readonly lastBins: Uint32Array;
  readonly cellsAt: number;
  readonly gatheredAt: number;
  readonly scratchAt: number;
  readonly splitAt: number;
  readonly histogramsAt: readonly number[];
};

type NodeSplit = {
  readonly feature: number;
  /** Value bins up to this one go left. */
  readonly lastLeftBin: number;
  readonly missingLeft: boolean;
  readonly gain: number;
};

/** A node of a grown tree: its rows are `rowIds[begin … end)` of the grower. Children come later in the list. */
export type GrownNode = {
  begin: number;
  end: number;
  depth: number;
  split: NodeSplit | undefined;
  left: number;
  right: number;
};

const cellBytes = 16;
const columnsPerBlock = 4;
// With more rows, hessians would have too few bits (see `fixedPoint`): 2^24 rows leave 12.
export const rowsMax = 2 ** 24;

export function openGrower(binned: Binned, options: ForestOptions, rows: number, columns: number): Grower {
  if (rows >= rowsMax) {
    throw new Failure('limit_exceeded', `A forest is trained on fewer than ${rowsMax} rows; these are ${rows}.`);
  }
  const kernel = openKernel();
  const blocks = Math.ceil(columns / columnsPerBlock);
  const sizes = binned.cuts.map((cuts) => cuts.length + 2).sort((a, b) => b - a);
  // One cell more, for the columns that only fill up the last block.
  const histogramBytes = (sizes.slice(0, columns).reduce((sum, size) => sum + size, 0) + 1) * cellBytes;
  const open = Math.max(1, Math.min(options.leavesMax - 1, 2 ** (options.depthMax - 1)));
  const histogramsAt = Array.from({ length: open }, () => kernel.reserve(histogramBytes));
  const packedAt = kernel.reserve(blocks * rows * 4);
  const rowIdsAt = kernel.reserve(rows * 4);
  const gradientsAt = kernel.reserve(rows * 8);
  const hessiansAt = kernel.reserve(rows * 8);
  const offsetsAt = kernel.reserve(blocks * columnsPerBlock * 4);
  const lastBinsAt = kernel.reserve(columns * 4);
  const cellsAt = kernel.reserve(rows * cellBytes);
  const gatheredAt = kernel.reserve(rows * cellBytes);
  const scratchAt = kernel.reserve(rows * 4);
  const splitAt = kernel.reserve(24);
  // Views are made after the last reservation, because growing the memory would detach them.
  const { buffer } = kernel.memory;
  return {
    kernel,
    options,
    rows,
    columns,
    gradients: new Float64Array(buffer, gradientsAt, rows),
    hessians: new Float64Array(buffer, hessiansAt, rows),
    packed: new Uint32Array(buffer, packedAt, blocks * rows),
    rowIds: new Int32Array(buffer, rowIdsAt, rows),
    offsets: new Uint32Array(buffer, offsetsAt, blocks * columnsPerBlock),
    lastBins: new Uint32Array(buffer, lastBinsAt, columns),
    cellsAt,
    gatheredAt,
    scratchAt,
    splitAt,
    histogramsAt,
  };
}

/** Copies the bins of the sampled rows and columns to consecutive memory, the only data that the kernel reads. */
export function packSample(grower: Grower, binned: Binned, sample: Int32Array, columns: Int32Array): void {
  const { packed, rows } = grower;
  const empty = new Uint8Array(binned.rows);
  const column = (k: number): Uint8Array =>
    k < columns.length ? binned.bins.subarray(columns[k] * binned.rows, (columns[k] + 1) * binned.rows) : empty;
  let at = 0;
  for (let k = 0; k < columns.length; k += columnsPerBlock) {
    const [a, b, c, d] = [column(k), column(k + 1), column(k + 2), column(k + 3)];
    for (let i = 0; i < rows; i++) {
      const row = sample[i];
      packed[at++] = a[row] | (b[row] << 8) | (c[row] << 16) | (d[row] << 24);
    }
  }
  let offset = 0;
  for (let k = 0; k < grower.offsets.length; k++) {
    grower.offsets[k] = offset;
    if (k >= columns.length) continue;
    grower.lastBins[k] = binned.cuts[columns[k]].length + 1;
    offset += (grower.lastBins[k] + 1) * cellBytes;
  }
}

/**
 * Grows a tree from the grower's gradients on the packed sample. Returns its nodes: only the root when nothing splits.
 */
export function growTree(grower: Grower, columns: Int32Array): GrownNode[] {
  const { kernel, options, rows } = grower;
  const nodes: GrownNode[] = [{ begin: 0, end: rows, depth: 0, split: undefined, left: 0, right: 0 }];
  const scales = fixedPoint(grower);
  if (!scales) return nodes;
  const { gradients, hessians, rowIds, cellsAt, histogramsAt } = grower;
  kernel.quantizeGradients(
    gradients.byteOffset,
    hessians.byteOffset,
    rows,
    scales.gradient,
    scales.hessian,
    scales.countBits,
    cellsAt,
  );
  for (let i = 0; i < rows; i++) rowIds[i] = i;

  const free = histogramsAt.toReversed();
  const candidates: Candidate[] = [];
  const propose = (node: number, histogram: number): void => {
    const split = searchSplit(grower, scales, columns, histogram);
    if (split) candidates.push({ node, histogram, ...split });
    else free.push(histogram);
  };
  const isSplittable = (node: GrownNode): boolean =>
    node.depth < options.depthMax && node.end - node.begin >= 2 * options.minLeafRows && node.end - node.begin >= 2;
  if (!isSplittable(nodes[0]) || options.leavesMax < 2) return nodes;
  const rootHistogram = free.pop()!;
  countNode(grower, nodes[0], rootHistogram);
  propose(0, rootHistogram);

  for (let leaves = 1; leaves < options.leavesMax && candidates.length > 0; leaves++) {
    const { node: parentId, histogram, column, missing, ...split } = takeBest(candidates);
    const parent = nodes[parentId];
    const block = Math.floor(column / columnsPerBlock);
    const leftRows = kernel.partitionRows(
      grower.packed.byteOffset + block * rows * 4,
      column % columnsPerBlock,
      split.lastLeftBin,
      missing === 1,
      rowIds.byteOffset + parent.begin * 4,
      parent.end - parent.begin,
      grower.scratchAt,
    );
    const middle = parent.begin + leftRows;
    const depth = parent.depth + 1;
    const left: GrownNode = { begin: parent.begin, end: middle, depth, split: undefined, left: 0, right: 0 };
    const right: GrownNode = { begin: middle, end: parent.end, depth, split: undefined, left: 0, right: 0 };
    // When training saw no missing value, missing values go with the majority.
    const missingLeft = missing === missingUnseen ? middle - parent.begin >= parent.end - middle : missing === 1;
    parent.split = { ...split, missingLeft };
    parent.left = nodes.push(left) - 1;
    parent.right = nodes.push(right) - 1;
    if (leaves + 1 === options.leavesMax || !(isSplittable(left) || isSplittable(right))) {
      free.push(histogram);
      continue;
    }
    const leftIsSmaller = left.end - left.begin <= right.end - right.begin;
    const [smaller, larger] = leftIsSmaller ? [parent.left, parent.right] : [parent.right, parent.left];
    const smallerHistogram = free.pop()!;
    countNode(grower, nodes[smaller], smallerHistogram);
    if (isSplittable(nodes[larger])) {
      kernel.subtractHistogram(histogram, smallerHistogram, histogramBytes(grower));
      propose(larger, histogram);
    } else free.push(histogram);
    if (isSplittable(nodes[smaller])) propose(smaller, smallerHistogram);
    else free.push(smallerHistogram);
  }
  return nodes;
}

type FoundSplit = {
  readonly feature: number;
  readonly column: number;
  readonly lastLeftBin: number;
  readonly missing: number;
  readonly gain: number;
};
type Candidate = FoundSplit & { readonly node: number; readonly histogram: number };
type Scales = { readonly gradient: number; readonly hessian: number; readonly countBits: number };

const missingUnseen = 2;

/**
 * Powers of two that scale gradients and hessians to integers whose sums over all rows stay exact: below 2^52 for
 * gradients, and for hessians below 2^62 after the bits of the row count. Undefined when all gradients are 0.
 */
function fixedPoint(grower: Grower): Scales | undefined {
  let gradientMax = 0;
  let hessianMax = 0;
  for (let i = 0; i < grower.rows; i++) {
    gradientMax = Math.max(gradientMax, Math.abs(grower.gradients[i]));
    hessianMax = Math.max(hessianMax, grower.hessians[i]);
  }
  if (gradientMax === 0) return undefined;
  const countBits = Math.floor(Math.log2(grower.rows)) + 1;
  return {
    gradient: 2 ** Math.min(1000, 51 - countBits - Math.floor(Math.log2(gradientMax))),
    hessian: 2 ** Math.min(1000, 61 - 2 * countBits - Math.floor(Math.log2(Math.max(hessianMax, Number.MIN_VALUE)))),
    countBits,
  };
}

function histogramBytes(grower: Grower): number {
  const last = grower.columns - 1;
  return grower.offsets[last] + (grower.lastBins[last] + 2) * cellBytes;
}

function countNode(grower: Grower, node: GrownNode, histogram: number): void {
  const { kernel, rows, packed, offsets, rowIds } = grower;
  kernel.buildHistogram(
    packed.byteOffset,
    rows * 4,
    packed.length / rows,
    offsets.byteOffset,
    rowIds.byteOffset + node.begin * 4,
    node.end - node.begin,
    grower.cellsAt,
    grower.gatheredAt,
    node.depth === 0,
    histogram,
    histogramBytes(grower),
  );
}

function searchSplit(grower: Grower, scales: Scales, columns: Int32Array, histogram: number): FoundSplit | undefined {
  const { kernel, options, splitAt } = grower;
  const isFound = kernel.findSplit(
    histogram,
    grower.offsets.byteOffset,
    grower.lastBins.byteOffset,
    grower.columns,
    scales.countBits,
    options.l2 * scales.hessian,
    options.minChildWeight * scales.hessian,
    Math.max(1, options.minLeafRows),
    splitAt,
  );
  if (!isFound) return undefined;
  const [score] = new Float64Array(kernel.memory.buffer, splitAt, 1);
  const [column, lastLeftBin, missing] = new Uint32Array(kernel.memory.buffer, splitAt + 8, 3);
  const gain = (0.5 * score * scales.hessian) / scales.gradient ** 2;
  return { feature: columns[column], column, lastLeftBin, missing, gain };
}

/** Removes and returns the candidate with the largest gain; on ties the earliest. */
function takeBest(candidates: Candidate[]): Candidate {
  let best = 0;
  for (let i = 1; i < candidates.length; i++) if (candidates[i].gain > candidates[best].gain) best = i;
  return candidates.splice(best, 1)[0];
}
