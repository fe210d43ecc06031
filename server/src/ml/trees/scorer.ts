import { assert } from '../../lib/failure.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Forest } from './forest.ts';
import { type Kernel, openKernel } from './kernel/kernel.ts';
import { type ContributionsLayout, layOutContributions, layOutScoring } from './layout.ts';
import { listUsedFeatures } from './leaves.ts';
import { rowsPerChunk, rowsPerScoreGroup } from './memory.ts';
import { expectTree } from './shapley.ts';

/**
 * A forest ready to score. The results of a row do not depend on the rows scored with it: batches, their tails and
 * single rows agree bit for bit. Any number of scorers may be open; each has its own memory.
 */
export type Scorer = {
  readonly features: number;
  readonly outputs: number;
  /** Margins of rows [from, to), row-major rows × outputs. */
  readonly score: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /**
   * Exact path-dependent TreeSHAP values (Lundberg et al. 2018) of rows [from, to), row-major rows × outputs ×
   * (features + 1). The last value of each row and output is the expected margin; all values of an output add up to its
   * margin. The first call prepares tables: up to 7 KiB per tree of depth 3, some 60 KiB per tree of 31 leaves.
   */
  readonly contributions: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /** Frees the memory. The scorer cannot be used afterwards. */
  readonly close: () => void;
};

/** Prepares a forest for scoring. Throws: Failure 'limit_exceeded' when its tables exceed 4 GiB. */
export function loadForest(forest: Forest): Scorer {
  const { features, outputs } = forest;
  const used = listUsedFeatures(forest.trees);
  let open: OpenScorer | undefined = openScorer(forest, used);
  const need = (matrix: FeatureMatrix, from: number, to: number): OpenScorer => {
    assert(open, 'the scorer is open');
    assert(matrix.features === features, 'the matrix has the features of the forest');
    assert(from >= 0 && from <= to && to <= matrix.rows, 'the rows are in the matrix');
    return open;
  };
  return {
    features,
    outputs,
    score: (matrix, from, to) => scoreRows(need(matrix, from, to), forest, used, matrix, from, to),
    contributions: (matrix, from, to) => explainRows(need(matrix, from, to), forest, used, matrix, from, to),
    close: () => {
      open = undefined;
    },
  };
}

type OpenScorer = {
  readonly kernel: Kernel;
  readonly valuesAt: number;
  readonly marginsAt: number;
  readonly run: (rows: number) => void;
  readonly runOne: () => void;
  views: { buffer: ArrayBuffer; values: Float32Array; margins: Float64Array };
  explaining: Explaining | undefined;
};
type Explaining = { readonly layout: ContributionsLayout; readonly phiAt: number; readonly expected: Float64Array };

const valueColumnBytes = rowsPerChunk * 4;
/** Number of rows whose contributions are written together. */
const rowsWrittenTogether = 4;

function openScorer(forest: Forest, used: Int32Array): OpenScorer {
  const kernel = openKernel();
  const layout = layOutScoring(kernel, forest, used);
  const valuesAt = kernel.reserve(used.length * valueColumnBytes);
  const marginsAt = kernel.reserve(forest.outputs * rowsPerChunk * 8);
  const { groups, row, masks, leaves, outputEnds } = layout;
  const run = (rows: number): void =>
    kernel.scoreGroups(
      valuesAt,
      valueColumnBytes,
      rows,
      groups.columns,
      groups.columnsEnd,
      groups.grids,
      groups.codes,
      groups.program,
      groups.bytes,
      masks,
      leaves,
      outputEnds,
      forest.outputs,
      marginsAt,
    );
  const runOne = (): void =>
    kernel.scoreRow(
      valuesAt,
      used.length,
      row.starts,
      row.nodes,
      row.missing,
      masks,
      leaves,
      outputEnds,
      forest.outputs,
      marginsAt,
    );
  return {
    kernel,
    valuesAt,
    marginsAt,
    run,
    runOne,
    views: viewMemory(kernel, forest, used, valuesAt, marginsAt),
    explaining: undefined,
  };
}

function viewMemory(
  kernel: Kernel,
  forest: Forest,
  used: Int32Array,
  valuesAt: number,
  marginsAt: number,
): OpenScorer['views'] {
  const { buffer } = kernel.memory;
  return {
    buffer,
    values: new Float32Array(buffer, valuesAt, used.length * rowsPerChunk),
    margins: new Float64Array(buffer, marginsAt, forest.outputs * rowsPerChunk),
  };
}

function scoreRows(
  open: OpenScorer,
  forest: Forest,
  used: Int32Array,
  matrix: FeatureMatrix,
  from: number,
  to: number,
): Float64Array {
  const { outputs, base } = forest;
  const result = new Float64Array((to - from) * outputs);
  const { values, margins } = open.views;
  if (to - from === 1) {
    for (let k = 0; k < used.length; k++) values[k] = matrix.values[used[k] * matrix.rows + from];
    for (let o = 0; o < outputs; o++) margins[o] = base[o];
    open.runOne();
    for (let o = 0; o < outputs; o++) result[o] = margins[o];
    return result;
  }
  for (let start = from; start < to; start += rowsPerChunk) {
    const rows = Math.min(rowsPerChunk, to - start);
    copyRows(values, used, matrix, start, rows);
    for (let o = 0; o < outputs; o++) margins.fill(base[o], o * rowsPerChunk, o * rowsPerChunk + rows);
    open.run(rows);
    let at = (start - from) * outputs;
    if (outputs === 1) result.set(margins.subarray(0, rows), at);
    else for (let r = 0; r < rows; r++) for (let o = 0; o < outputs; o++) result[at++] = margins[o * rowsPerChunk + r];
  }
  return result;
}

/** Up to this many rows, a loop is faster than a view or a fill. */
const loopRowsMax = 16;

/**
 * Copies the used columns of a chunk. Its last group is filled up with its last row, because equal rows are scored
 * faster together.
 */
function copyRows(values: Float32Array, used: Int32Array, matrix: FeatureMatrix, start: number, rows: number): void {
  for (let k = 0; k < used.length; k++) {
    const from = used[k] * matrix.rows + start;
    const to = k * rowsPerChunk;
    if (rows > loopRowsMax) values.set(matrix.values.subarray(from, from + rows), to);
    else for (let r = 0; r < rows; r++) values[to + r] = matrix.values[from + r];
    for (let r = rows; r % rowsPerScoreGroup !== 0; r++) values[to + r] = values[to + rows - 1];
  }
}

function explainRows(
  open: OpenScorer,
  forest: Forest,
  used: Int32Array,
  matrix: FeatureMatrix,
  from: number,
  to: number,
): Float64Array {
  const { outputs, features } = forest;
  const { layout, phiAt, expected } = (open.explaining ??= prepareContributions(open, forest, used));
  const width = features + 1;
  const result = new Float64Array((to - from) * outputs * width);
  const { values } = open.views;
  const phi = new Float64Array(open.kernel.memory.buffer, phiAt, outputs * used.length * rowsPerChunk);
  for (let start = from; start < to; start += rowsPerChunk) {
    const rows = Math.min(rowsPerChunk, to - start);
    copyRows(values, used, matrix, start, rows);
    const cells = Math.ceil(rows / rowsWrittenTogether) * rowsWrittenTogether;
    for (let c = 0; c < outputs * used.length; c++) {
      const at = c * rowsPerChunk;
      if (cells > loopRowsMax) phi.fill(0, at, at + cells);
      else for (let r = 0; r < cells; r++) phi[at + r] = 0;
    }
    open.kernel.addContributions(
      layout.program,
      layout.programEnd,
      open.valuesAt,
      phiAt,
      rows,
      layout.outcomes,
      layout.patterns,
      layout.deep,
    );
    for (let r = 0; r < rows; r++) {
      for (let o = 0; o < outputs; o++) {
        const at = ((start - from + r) * outputs + o) * width;
        for (let k = 0; k < used.length; k++) result[at + used[k]] = phi[(o * used.length + k) * rowsPerChunk + r];
        result[at + features] = expected[o];
      }
    }
  }
  return result;
}

function prepareContributions(open: OpenScorer, forest: Forest, used: Int32Array): Explaining {
  const { kernel } = open;
  const layout = layOutContributions(kernel, forest, used);
  const phiAt = kernel.reserve(forest.outputs * used.length * rowsPerChunk * 8);
  open.views = viewMemory(kernel, forest, used, open.valuesAt, open.marginsAt);
  const expected = forest.base.slice();
  for (const tree of forest.trees) expected[tree.output] += expectTree(tree);
  return { layout, phiAt, expected };
}
