// Writes a forest into a kernel's memory in the forms that assembly/scoring.ts and assembly/contributions.ts read.
import type { Forest, Tree } from './forest.ts';
import type { Kernel } from './kernel/kernel.ts';
import { numberLeaves } from './leaves.ts';
import { coalitionWeights, type LeafPath, listLeafPaths, listTests, tabulateLeaf, tabulateTree } from './shapley.ts';

/** Rows scored per call of the kernel; 4 × features of them should stay in a near cache. */
export const rowsPerChunk = 256;
/** Trees of up to 8 leaves get one table for all their tests: 128 entries at most. */
export const tabledTestsMax = 7;
/** Longer paths would need tables of over 7 KiB per leaf. */
export const tabledPathMax = 7;

// Eight rows of 32 leaves.
const maskBytes = 32;
const valueColumnBytes = rowsPerChunk * 4;
const phiColumnBytes = rowsPerChunk * 8;

/** Addresses and sizes for `scoreGroups`. */
export type ScoringLayout = {
  readonly starts: number;
  readonly nodes: number;
  readonly missing: number;
  readonly masks: number;
  readonly leaves: number;
  readonly outputEnds: number;
};

/** used: the features that have a column, ascending. */
export function layOutScoring(kernel: Kernel, forest: Forest, used: Int32Array): ScoringLayout {
  const trees = Array.from({ length: forest.outputs }, (_, o) => forest.trees.filter((t) => t.output === o)).flat();
  type Test = {
    readonly threshold: number;
    readonly mask: number;
    readonly kept: number;
    readonly missingLeft: boolean;
  };
  const testsByFeature = new Map<number, Test[]>(Array.from(used, (feature) => [feature, []]));
  const leafValues: number[] = [];
  const leafStarts: number[] = [];
  trees.forEach((tree, t) => {
    const { leafNodes, below } = numberLeaves(tree);
    leafStarts.push(leafValues.length);
    for (const node of leafNodes) leafValues.push(tree.value[node]);
    tree.feature.forEach((feature, node) => {
      if (feature < 0) return;
      const kept = ~below[tree.left[node]] >>> 0;
      const missingLeft = tree.missingLeft[node] === 1;
      testsByFeature.get(feature)!.push({ threshold: tree.threshold[node], mask: t * maskBytes, kept, missingLeft });
    });
  });
  const leafValuesAt = reserveFloat64(kernel, leafValues);
  const starts: number[] = [];
  const nodes: number[] = [];
  const missing: number[] = [];
  for (const tests of testsByFeature.values()) {
    starts.push(nodes.length * 4, missing.length * 4);
    tests.sort((a, b) => a.threshold - b.threshold || a.mask - b.mask);
    for (const { threshold, mask, kept, missingLeft } of tests) {
      nodes.push(floatBits(threshold), mask, kept);
      if (!missingLeft) missing.push(mask, kept);
    }
  }
  starts.push(nodes.length * 4, missing.length * 4);
  const outputEnds = Array.from({ length: forest.outputs }, (_, o) => trees.filter((tree) => tree.output <= o).length);
  return {
    starts: reserveUint32(kernel, starts),
    nodes: reserveUint32(kernel, nodes),
    missing: reserveUint32(kernel, missing),
    masks: kernel.reserve(trees.length * maskBytes),
    leaves: reserveUint32(
      kernel,
      leafStarts.map((start) => leafValuesAt + start * 8),
    ),
    outputEnds: reserveUint32(kernel, outputEnds),
  };
}

/** Addresses for `addContributions`. */
export type ContributionsLayout = {
  readonly program: number;
  readonly programEnd: number;
  readonly satisfied: number;
  readonly deep: number;
};

/**
 * One record per tree, in forest order; the columns of phi are outputs × used features.
 * Tables take 8 KiB per tree of depth 3 at most, 7 KiB per leaf of larger trees.
 */
export function layOutContributions(kernel: Kernel, forest: Forest, used: Int32Array): ContributionsLayout {
  const columnOf = new Map(Array.from(used, (feature, column) => [feature, column]));
  const program: number[] = [];
  for (const tree of forest.trees) {
    const valueColumn = (feature: number): number => columnOf.get(feature)! * valueColumnBytes;
    const phiColumn = (feature: number): number =>
      (tree.output * used.length + columnOf.get(feature)!) * phiColumnBytes;
    const { tests } = listTests(tree);
    const record =
      tests.length <= tabledTestsMax
        ? tabledTreeRecord(kernel, tree, valueColumn, phiColumn)
        : treeByLeafRecord(kernel, tree, valueColumn, phiColumn);
    program.push((record.length + 1) * 4, ...record);
  }
  const at = reserveUint32(kernel, program);
  return {
    program: at,
    programEnd: at + program.length * 4,
    satisfied: kernel.reserve(32 * 16),
    deep: kernel.reserve(33 * 8),
  };
}

type ColumnOf = (feature: number) => number;

function tabledTreeRecord(kernel: Kernel, tree: Tree, valueColumn: ColumnOf, phiColumn: ColumnOf): number[] {
  const treeTests = listTests(tree);
  const { tests, features } = treeTests;
  const record = [0, tests.length, features.length, reserveFloat64(kernel, tabulateTree(tree, treeTests))];
  tests.forEach((node, i) => {
    const step = 2 ** i * features.length * 8;
    record.push(valueColumn(tree.feature[node]), floatBits(tree.threshold[node]), missingRight(tree, node), step);
  });
  return [...record, ...features.map(phiColumn)];
}

function treeByLeafRecord(kernel: Kernel, tree: Tree, valueColumn: ColumnOf, phiColumn: ColumnOf): number[] {
  const { tests, features } = listTests(tree);
  const { below } = numberLeaves(tree);
  const leaves = listLeafPaths(tree).flatMap((path) => leafRecord(kernel, path, features, phiColumn));
  const record = [1, features.length, below[0] === 0 ? 0 : countBits(below[0]), reserveUint32(kernel, leaves)];
  for (const feature of features) {
    const own = tests.filter((node) => tree.feature[node] === feature);
    record.push(valueColumn(feature), own.length);
    for (const node of own) {
      const keptLeft = ~below[tree.right[node]] >>> 0;
      const keptRight = ~below[tree.left[node]] >>> 0;
      record.push(0, floatBits(tree.threshold[node]), missingRight(tree, node), keptLeft, keptRight);
    }
  }
  return record;
}

function leafRecord(kernel: Kernel, path: LeafPath, treeFeatures: readonly number[], phiColumn: ColumnOf): number[] {
  const d = path.features.length;
  const isTabled = d <= tabledPathMax;
  const table = isTabled ? reserveFloat64(kernel, tabulateLeaf(path)) : 0;
  const record = [
    d,
    table,
    path.leaf,
    ...float64Words([path.value]),
    ...path.features.map((feature) => treeFeatures.indexOf(feature) * 16),
    ...path.features.map(phiColumn),
  ];
  if (!isTabled) record.push(...float64Words(path.shares), ...float64Words(coalitionWeights(d)));
  return [(record.length + 1) * 4, ...record];
}

function missingRight(tree: Tree, node: number): number {
  return tree.missingLeft[node] === 1 ? 0 : 0xffffffff;
}

function countBits(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits++;
  return bits;
}

function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0];
}

function float64Words(values: ArrayLike<number>): number[] {
  return Array.from(new Uint32Array(Float64Array.from(values).buffer));
}

function reserveUint32(kernel: Kernel, words: readonly number[]): number {
  const at = kernel.reserve(words.length * 4);
  new Uint32Array(kernel.memory.buffer, at, words.length).set(words);
  return at;
}

function reserveFloat64(kernel: Kernel, values: ArrayLike<number>): number {
  const at = kernel.reserve(values.length * 8);
  new Float64Array(kernel.memory.buffer, at, values.length).set(values);
  return at;
}
