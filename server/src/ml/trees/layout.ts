// Writes a forest into a kernel's memory, in the forms that assembly/scoring.ts and assembly/contributions.ts read.
import { type Forest, leavesLimit, type Tree } from './forest.ts';
import type { Kernel } from './kernel/kernel.ts';
import { type GroupLayout, layOutGroups } from './layout-groups.ts';
import { maskBytes, numberLeaves, type Test } from './leaves.ts';
import { fourTimes, reserveFloat64, reserveUint32, rowsPerChunk } from './memory.ts';
import { coalitionWeights, listPieces, pieceTermsMax, type TreePiece, tabulatePiece } from './shapley.ts';

const valueColumnBytes = rowsPerChunk * 4;
const phiColumnBytes = rowsPerChunk * 8;
/** Bytes of masks that the kernel holds while it scores groups of rows. */
const groupMasksBytes = 16_384;
/** Number of rows that the kernel explains together. */
const rowsExplainedTogether = 16;

/** Addresses and sizes for `scoreGroups` and `scoreRow`. */
export type ScoringLayout = {
  readonly groups: GroupLayout;
  readonly row: RowLayout;
  readonly masks: number;
  readonly leaves: number;
  readonly outputEnds: number;
};
type RowLayout = { readonly starts: number; readonly nodes: number; readonly missing: number };

/** used: the features that have a column, ascending. */
export function layOutScoring(kernel: Kernel, forest: Forest, used: Int32Array): ScoringLayout {
  const trees = Array.from({ length: forest.outputs }, (_, o) => forest.trees.filter((t) => t.output === o)).flat();
  const testsByFeature = new Map<number, Test[]>(Array.from(used, (feature) => [feature, []]));
  const leafValues: number[] = [];
  const leafStarts: number[] = [];
  trees.forEach((tree, t) => {
    const { leafNodes, below } = numberLeaves(tree);
    leafStarts.push(leafValues.length);
    for (const node of leafNodes) leafValues.push(tree.value[node]);
    tree.feature.forEach((feature, node) => {
      if (feature < 0) return;
      const cleared = below[tree.left[node]] >>> 0;
      const missingLeft = tree.missingLeft[node] === 1;
      testsByFeature.get(feature)!.push({ tree: t, threshold: tree.threshold[node], cleared, missingLeft });
    });
  });
  const leafValuesAt = reserveFloat64(kernel, leafValues);
  for (const tests of testsByFeature.values()) tests.sort((a, b) => a.threshold - b.threshold || a.tree - b.tree);
  const tests = [...testsByFeature.values()];
  const outputEnds = Array.from({ length: forest.outputs }, (_, o) => trees.filter((tree) => tree.output <= o).length);
  return {
    groups: layOutGroups(kernel, tests, trees.length, maskBytes(trees)),
    row: layOutRow(kernel, tests),
    masks: kernel.reserve(Math.max(groupMasksBytes, trees.length * 4)),
    leaves: reserveUint32(
      kernel,
      leafStarts.map((start) => leafValuesAt + start * 8),
    ),
    outputEnds: reserveUint32(kernel, outputEnds),
  };
}

/** Writes the tests of each feature, ascending by threshold. */
function layOutRow(kernel: Kernel, features: readonly (readonly Test[])[]): RowLayout {
  const starts: number[] = [];
  const nodes: number[] = [];
  const missing: number[] = [];
  for (const own of features) {
    starts.push(nodes.length * 4, missing.length * 4);
    for (const { tree, threshold, cleared, missingLeft } of own) {
      nodes.push(floatBits(threshold), tree * 4, cleared);
      if (!missingLeft) missing.push(tree * 4, cleared);
    }
    nodes.push(infinity, 0, 0);
  }
  starts.push(nodes.length * 4, missing.length * 4);
  return {
    starts: reserveUint32(kernel, starts),
    nodes: reserveUint32(kernel, nodes),
    missing: reserveUint32(kernel, missing),
  };
}

/** Addresses for `addContributions`. */
export type ContributionsLayout = {
  readonly program: number;
  readonly programEnd: number;
  readonly outcomes: number;
  readonly patterns: number;
  readonly deep: number;
};

/** One record per tree, in forest order; the columns of phi are outputs × used features. */
export function layOutContributions(kernel: Kernel, forest: Forest, used: Int32Array): ContributionsLayout {
  const columnOf = new Map(Array.from(used, (feature, column) => [feature, column]));
  const program: number[] = [];
  for (const tree of forest.trees) {
    const phiColumn = (feature: number): number =>
      (tree.output * used.length + columnOf.get(feature)!) * phiColumnBytes;
    const outcomeOf = new Map<number, number>();
    const tests: number[] = [];
    tree.feature.forEach((feature, node) => {
      if (feature < 0) return;
      outcomeOf.set(node, outcomeOf.size * outcomeBytes);
      const missingRight = tree.missingLeft[node] === 1 ? 0 : 1;
      tests.push(columnOf.get(feature)! * valueColumnBytes, floatBits(tree.threshold[node]), missingRight);
    });
    const pieces = listPieces(tree);
    const words = pieces.flatMap((piece) => pieceRecord(kernel, tree, piece, outcomeOf, phiColumn));
    program.push((3 + tests.length + words.length) * 4, outcomeOf.size, pieces.length);
    for (const word of tests) program.push(word);
    for (const word of words) program.push(word);
  }
  const at = reserveUint32(kernel, program);
  return {
    program: at,
    programEnd: at + program.length * 4,
    outcomes: kernel.reserve(leavesLimit * outcomeBytes),
    patterns: kernel.reserve(4 * rowsExplainedTogether),
    deep: kernel.reserve((leavesLimit + 1) * 8),
  };
}

const outcomeBytes = 16;
const allOnes = 0xffffffff;
const infinity = 0x7f800000;

/** The bit of a term in its byte of a pattern, repeated for four rows. */
function bitOf(term: number): number {
  return fourTimes(1 << (term & 7));
}

function pieceRecord(
  kernel: Kernel,
  tree: Tree,
  piece: TreePiece,
  outcomeOf: ReadonlyMap<number, number>,
  phiColumn: (feature: number) => number,
): number[] {
  const { prefix, tests, features, leaves } = piece;
  const termCount = prefix.length + tests.length;
  const isTabled = termCount <= pieceTermsMax;
  const table = isTabled ? reserveFloat64(kernel, tabulatePiece(tree, piece)) : 0;
  const record = [termCount, features.length, table];
  prefix.forEach(({ steps }, j) => {
    record.push(bitOf(j), steps.length);
    for (const { node, isRight } of steps) record.push(outcomeOf.get(node)!, isRight ? 0 : allOnes);
  });
  tests.forEach((node, i) => {
    record.push(bitOf(prefix.length + i), 1, outcomeOf.get(node)!, 0);
  });
  for (const feature of features) record.push(phiColumn(feature));
  if (!isTabled) {
    const [{ value, shares }] = leaves;
    record.push(...float64Words([value, ...shares, ...coalitionWeights(features.length)]));
  }
  return [(record.length + 1) * 4, ...record];
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

function floatBits(value: number): number {
  float[0] = value;
  return bits[0];
}

function float64Words(values: ArrayLike<number>): number[] {
  return Array.from(new Uint32Array(Float64Array.from(values).buffer));
}
