// Writes a forest's tests into a kernel's memory, in the form that assembly/scoring.ts reads for groups of rows.
import type { Kernel } from './kernel/kernel.ts';
import type { Test } from './leaves.ts';
import { fourTimes, reserveBytes, reserveUint32, rowsPerChunk } from './memory.ts';

/** Addresses and sizes for `scoreGroups`. */
export type GroupLayout = {
  readonly columns: number;
  readonly columnsEnd: number;
  readonly grids: number;
  readonly codes: number;
  readonly program: number;
  /** Bytes of a tree's mask, per row. */
  readonly bytes: number;
};

/** Number of thresholds that a byte can encode besides missing. A feature with more has several columns. */
const cutsPerColumn = 253;
/** Number of equal cells that the range of a column's thresholds is divided into, as in the kernel. */
const cellCount = 1024;
/** Marks a column that repeats the one before, with missing values as the largest. */
const repeats = 0xffffffff;

/** features: for each used feature its tests, ascending by threshold. bytes: those of a tree's mask. */
export function layOutGroups(
  kernel: Kernel,
  features: readonly (readonly Test[])[],
  treeCount: number,
  bytes: number,
): GroupLayout {
  const columns: number[] = [];
  const grids: Uint8Array[] = [];
  let gridsBytes = 0;
  const tests: number[][] = Array.from({ length: treeCount * bytes }, () => []);
  const addColumn = (own: readonly Test[], thresholds: readonly number[], ...words: readonly number[]): void => {
    const column = (columns.length / 2) * rowsPerChunk;
    columns.push(...words);
    for (const { tree, threshold, cleared } of own) {
      // The byte of a value is 1 + the number of thresholds below the value. It is compared as a signed byte.
      const limit = fourTimes((thresholds.indexOf(threshold) + 1) ^ 0x80);
      for (let byte = 0; byte < bytes; byte++) {
        const leaves = (cleared >>> (8 * byte)) & 0xff;
        if (leaves > 0) tests[tree * bytes + byte].push(column, limit, fourTimes(leaves));
      }
    }
  };
  features.forEach((own, k) => {
    const thresholds = [...new Set(own.map(({ threshold }) => threshold))];
    for (let from = 0; from < thresholds.length; from += cutsPerColumn) {
      const cuts = thresholds.slice(from, from + cutsPerColumn);
      const within = own.filter(({ threshold }) => threshold >= cuts[0] && threshold <= cuts.at(-1)!);
      addColumn(
        within.filter(({ missingLeft }) => missingLeft),
        cuts,
        k * rowsPerChunk * 4,
        gridsBytes,
      );
      gridsBytes += grids[grids.push(layOutGrid(cuts)) - 1].length;
      const right = within.filter(({ missingLeft }) => !missingLeft);
      if (right.length > 0) addColumn(right, cuts, repeats, 0);
    }
  });
  const columnsAt = reserveUint32(kernel, columns);
  return {
    columns: columnsAt,
    columnsEnd: columnsAt + columns.length * 4,
    grids: reserveBytes(kernel, Buffer.concat(grids)),
    codes: kernel.reserve((columns.length / 2) * rowsPerChunk),
    program: reserveUint32(
      kernel,
      tests.flatMap((own) => [own.length * 4, ...own]),
    ),
    bytes,
  };
}

/**
 * The grid by which the kernel finds the byte of a value (see its `codeColumn`). thresholds: ascending, at least one.
 */
function layOutGrid(thresholds: readonly number[]): Uint8Array {
  const low = thresholds[0];
  const cellsPerUnit = Math.fround(cellCount / Math.fround(thresholds.at(-1)! - low));
  const scale = Number.isFinite(cellsPerUnit) ? cellsPerUnit : 0;
  // Computed in 32 bits like in the kernel: a threshold in an earlier cell than a value is below it.
  const cells = thresholds.map((threshold) =>
    Math.min(cellCount - 1, Math.trunc(Math.fround(Math.fround(threshold - low) * scale)) || 0),
  );
  const counts = new Uint8Array(cellCount);
  for (const cell of cells) counts[cell]++;
  const bits = Math.floor(Math.log2(Math.max(...counts))) + 1;
  const read = thresholds.length + 2 ** bits;
  const grid = new DataView(new ArrayBuffer(12 + cellCount + read * 4));
  grid.setFloat32(0, low, true);
  grid.setFloat32(4, scale, true);
  grid.setUint32(8, bits, true);
  let before = 0;
  counts.forEach((count, cell) => {
    grid.setUint8(12 + cell, before);
    before += count;
  });
  for (let t = 0; t < read; t++)
    grid.setFloat32(12 + cellCount + t * 4, thresholds[t] ?? Number.POSITIVE_INFINITY, true);
  return new Uint8Array(grid.buffer);
}
