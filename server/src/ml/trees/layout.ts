// Writes a forest into a kernel's memory in the forms that assembly/scoring.ts and assembly/contributions.ts read.
import { type Forest, leavesLimit, type Tree } from './forest.ts';
import type { Kernel } from './kernel/kernel.ts';
import { numberLeaves } from './leaves.ts';
import { coalitionWeights, listPieces, type Piece, pieceTermsMax, tabulatePiece } from './shapley.ts';

/** Rows scored per call of the kernel; 4 × features of them should stay in a near cache. */
export const rowsPerChunk = 256;

/** Rows that the kernel scores together. */
export const rowsPerScoreGroup = 16;
/** Tests of one threshold that the kernel makes with one comparison, and how many such runs without asking whether any value still fails. */
type Runs = readonly { readonly tests: number; readonly perStep: number }[];
const groupRuns: Runs = [
  { tests: 1, perStep: 4 },
  { tests: 2, perStep: 2 },
];
const rowRuns: Runs = [{ tests: 1, perStep: 1 }];
const valueColumnBytes = rowsPerChunk * 4;
const phiColumnBytes = rowsPerChunk * 8;

/** Addresses and sizes for `scoreGroups` and `scoreRow`. */
export type ScoringLayout = {
  readonly groups: TestLayout;
  readonly row: TestLayout;
  /** Bytes of a tree's mask in a group, per row. */
  readonly bytes: number;
  readonly masks: number;
  readonly leaves: number;
  readonly outputEnds: number;
};
export type TestLayout = { readonly starts: number; readonly nodes: number; readonly missing: number };

/** A test of a tree, by the masks it changes when it fails: which leaves are no longer reached. */
type Test = {
  readonly threshold: number;
  readonly mask: number;
  readonly cleared: number;
  readonly missingLeft: boolean;
};

/** used: the features that have a column, ascending. */
export function layOutScoring(kernel: Kernel, forest: Forest, used: Int32Array): ScoringLayout {
  const trees = Array.from({ length: forest.outputs }, (_, o) => forest.trees.filter((t) => t.output === o)).flat();
  const testsByFeature = new Map<number, Test[]>(Array.from(used, (feature) => [feature, []]));
  const leafValues: number[] = [];
  const leafStarts: number[] = [];
  let leavesMost = 0;
  trees.forEach((tree, t) => {
    const { leafNodes, below } = numberLeaves(tree);
    leavesMost = Math.max(leavesMost, leafNodes.length);
    leafStarts.push(leafValues.length);
    for (const node of leafNodes) leafValues.push(tree.value[node]);
    tree.feature.forEach((feature, node) => {
      if (feature < 0) return;
      const cleared = below[tree.left[node]] >>> 0;
      const missingLeft = tree.missingLeft[node] === 1;
      testsByFeature.get(feature)!.push({ threshold: tree.threshold[node], mask: t, cleared, missingLeft });
    });
  });
  const leafValuesAt = reserveFloat64(kernel, leafValues);
  for (const tests of testsByFeature.values()) tests.sort((a, b) => a.threshold - b.threshold || a.mask - b.mask);
  const tests = [...testsByFeature.values()];
  const bytes = leavesMost <= 8 ? 1 : leavesMost <= 16 ? 2 : 4;
  const outputEnds = Array.from({ length: forest.outputs }, (_, o) => trees.filter((tree) => tree.output <= o).length);
  return {
    groups: layOutTests(
      kernel,
      tests.map((own) => own.flatMap((test) => byteTests(test, bytes))),
      groupRuns,
    ),
    row: layOutTests(
      kernel,
      tests.map((own) => own.map((test) => ({ ...test, mask: test.mask * 4 }))),
      rowRuns,
    ),
    bytes,
    masks: kernel.reserve(trees.length * bytes * rowsPerScoreGroup),
    leaves: reserveUint32(
      kernel,
      leafStarts.map((start) => leafValuesAt + start * 8),
    ),
    outputEnds: reserveUint32(kernel, outputEnds),
  };
}

/** A test of a tree as one for each byte of the tree's mask that it changes. */
function byteTests({ threshold, mask, cleared, missingLeft }: Test, bytes: number): Test[] {
  const tests: Test[] = [];
  for (let byte = 0; byte < bytes; byte++) {
    const own = (cleared >>> (8 * byte)) & 0xff;
    // The kernel takes four bytes at a time.
    if (own > 0) {
      tests.push({
        threshold,
        mask: (mask * bytes + byte) * rowsPerScoreGroup,
        cleared: own * 0x01010101,
        missingLeft,
      });
    }
  }
  return tests;
}

/** Writes the tests of each feature, ascending by threshold: its runs of each length, the shortest first. */
function layOutTests(kernel: Kernel, features: readonly (readonly Test[])[], lengths: Runs): TestLayout {
  const longest = lengths.at(-1)!.tests;
  const starts: number[] = [];
  const nodes: number[] = [];
  const missing: number[] = [];
  for (const own of features) {
    for (const { tests, perStep } of lengths) {
      starts.push(nodes.length * 4);
      let runs = 0;
      for (let from = 0; from < own.length; ) {
        const end = from + runLength(own, from, longest);
        const isOne = end - from === tests;
        if (isOne) nodes.push(floatBits(own[from].threshold));
        for (; from < end; from++) if (isOne) nodes.push(own[from].mask, own[from].cleared);
        if (isOne) runs++;
      }
      const end = Math.ceil(runs / perStep) * perStep + 1;
      for (; runs < end; runs++) {
        nodes.push(infinity);
        for (let word = 0; word < tests * 2; word++) nodes.push(0);
      }
    }
    starts.push(missing.length * 4);
    for (const { mask, cleared, missingLeft } of own) if (!missingLeft) missing.push(mask, cleared);
  }
  for (const _ of lengths) starts.push(nodes.length * 4);
  starts.push(missing.length * 4);
  return {
    starts: reserveUint32(kernel, starts),
    nodes: reserveUint32(kernel, nodes),
    missing: reserveUint32(kernel, missing),
  };
}

/** How many tests from one on have its threshold, `longest` (1 or 2) at most. */
function runLength(tests: readonly Test[], from: number, longest: number): number {
  return longest > 1 && from + 1 < tests.length && tests[from + 1].threshold === tests[from].threshold ? 2 : 1;
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
    patterns: kernel.reserve(4 * rowsPerScoreGroup),
    deep: kernel.reserve((leavesLimit + 1) * 8),
  };
}

const outcomeBytes = 16;
const allOnes = 0xffffffff;
const infinity = 0x7f800000;

/** A term's bit of its byte of a pattern, for four rows at once. */
function bitOf(term: number): number {
  return (1 << (term & 7)) * 0x01010101;
}

function pieceRecord(
  kernel: Kernel,
  tree: Tree,
  piece: Piece,
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
