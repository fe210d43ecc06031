// Exact path-dependent Shapley values of leaves, and the tables the kernel reads them from.
import type { Tree } from './forest.ts';

/** One test on the path to a leaf, and the direction it must take. */
type Step = { readonly node: number; readonly isRight: boolean };

/**
 * A leaf with its path: a row reaches the leaf when it satisfies the tests on every one of these features. shares: for
 * each feature, the product of cover(child) / cover(split) over its splits on the path, which is the probability of
 * satisfying them when the feature is unknown.
 */
type LeafPath = {
  readonly value: number;
  readonly steps: readonly Step[];
  readonly features: readonly number[];
  readonly shares: readonly number[];
};

/** The paths to a tree's leaves, left to right, each feature once, in order of first use. */
function listLeafPaths(tree: Tree): LeafPath[] {
  const visit = (node: number, steps: readonly Step[]): LeafPath[] => {
    if (tree.feature[node] < 0) return [describePath(tree, tree.value[node], steps)];
    return [
      ...visit(tree.left[node], [...steps, { node, isRight: false }]),
      ...visit(tree.right[node], [...steps, { node, isRight: true }]),
    ];
  };
  return visit(0, []);
}

function describePath(tree: Tree, value: number, steps: readonly Step[]): LeafPath {
  const shares = new Map<number, number>();
  for (const { node, isRight } of steps) {
    const child = isRight ? tree.right[node] : tree.left[node];
    const feature = tree.feature[node];
    shares.set(feature, (shares.get(feature) ?? 1) * (tree.cover[child] / tree.cover[node]));
  }
  return { value, steps, features: [...shares.keys()], shares: [...shares.values()] };
}

/** Cover-weighted mean of the leaf values: the expected value of a tree when no feature is known. */
export function expectTree(tree: Tree): number {
  let sum = 0;
  for (const { value, shares } of listLeafPaths(tree))
    sum += value * shares.reduce((product, share) => product * share, 1);
  return sum;
}

/** Shapley weights k! (d − 1 − k)! / d! of a coalition of k of the d − 1 other features, k = 0 … d − 1. */
export function coalitionWeights(d: number): Float64Array {
  const weights = new Float64Array(d);
  let weight = 1 / d;
  for (let k = 0; k < d; k++) {
    weights[k] = weight;
    weight *= (k + 1) / (d - 1 - k);
  }
  return weights;
}

/**
 * Shapley values of one leaf's features in O(d²), after TreeSHAP (Lundberg et al. 2018, algorithm 2). The leaf's game
 * is v(S) = value · ∏_{j∈S} z_j · ∏_{j∉S} share_j, with z_j whether the row satisfies feature j (bit j of `pattern`).
 * Only coalitions within the satisfied features Z count. Sorted by size, their products are the coefficients of ∏_{j∈Z}
 * (x + share_j). Leaving out a satisfied feature is a division by its factor, from the top coefficient down, which
 * damps rounding because shares are ≤ 1. All unsatisfied features get the same value. The kernel's `addDeepLeaf` does
 * the same operations in the same order.
 */
export function leafShapley(path: LeafPath, pattern: number, weights: Float64Array): Float64Array {
  const d = path.features.length;
  const polynomial = new Float64Array(d + 1);
  polynomial[0] = 1;
  let degree = 0;
  let unsatisfied = path.value;
  for (let j = 0; j < d; j++) {
    const share = path.shares[j];
    if (((pattern >>> j) & 1) === 0) {
      unsatisfied *= share;
      continue;
    }
    polynomial[degree + 1] = polynomial[degree];
    for (let k = degree; k > 0; k--) polynomial[k] = polynomial[k] * share + polynomial[k - 1];
    polynomial[0] *= share;
    degree++;
  }
  let outside = 0;
  if (degree < d) for (let k = 0; k <= degree; k++) outside += polynomial[k] * weights[k];
  const absent = -unsatisfied * outside;
  return Float64Array.from(path.shares, (share, j) => {
    if (((pattern >>> j) & 1) === 0) return absent;
    let quotient = 0;
    let inside = 0;
    for (let k = degree; k > 0; k--) {
      quotient = polynomial[k] - share * quotient;
      inside += quotient * weights[k - 1];
    }
    return unsatisfied * (1 - share) * inside;
  });
}

/**
 * A part of a tree that is small enough to tabulate. It is a subtree whose tests, with the features on the path to it,
 * are at most `pieceTermsMax`, or a single leaf with a path of any length.
 */
export type TreePiece = {
  /** Features on the path to the subtree, each with the steps that must all hold. */
  readonly prefix: readonly { readonly feature: number; readonly steps: readonly Step[] }[];
  /** Node numbers of the splits in the subtree. */
  readonly tests: readonly number[];
  readonly leaves: readonly LeafPath[];
  /** All features to which the piece gives Shapley values. */
  readonly features: readonly number[];
};

/** Tables have at most 2^8 entries of at most 8 values: 16 KiB, half of a first-level cache. */
export const pieceTermsMax = 8;

/**
 * Cuts a tree into pieces, left to right, as few as a walk from the root finds. A tree of up to 9 leaves is one piece.
 */
export function listPieces(tree: Tree): TreePiece[] {
  const paths = listLeafPaths(tree);
  const visit = (node: number, depth: number, leaves: readonly LeafPath[]): TreePiece[] => {
    const steps = leaves[0].steps.slice(0, depth);
    const onPath = [...new Set(steps.map((step) => tree.feature[step.node]))];
    const tests = [...new Set(leaves.flatMap((leaf) => leaf.steps.slice(depth).map((step) => step.node)))];
    if (leaves.length > 1 && onPath.length + tests.length > pieceTermsMax) {
      const isLeft = (leaf: LeafPath): boolean => !leaf.steps[depth].isRight;
      const left = visit(tree.left[node], depth + 1, leaves.filter(isLeft));
      return [
        ...left,
        ...visit(
          tree.right[node],
          depth + 1,
          leaves.filter((leaf) => !isLeft(leaf)),
        ),
      ];
    }
    const prefix = onPath.map((feature) => ({
      feature,
      steps: steps.filter((step) => tree.feature[step.node] === feature),
    }));
    const features = [...new Set(leaves.flatMap((leaf) => leaf.features))];
    return [{ prefix, tests, leaves, features }];
  };
  return visit(0, 0, paths);
}

/**
 * A piece's Shapley values for every outcome of its terms. Bit j of an outcome: prefix feature j is satisfied; the bits
 * after those: a test goes right. Returns 2^terms × features. Entries of impossible outcomes are never read.
 */
export function tabulatePiece(tree: Tree, piece: TreePiece): Float64Array {
  const { prefix, tests, features } = piece;
  const bitOfPrefix = new Map(prefix.map(({ feature }, j) => [feature, j]));
  const bitOfTest = new Map(tests.map((node, i) => [node, prefix.length + i]));
  const outcomes = 2 ** (prefix.length + tests.length);
  const table = new Float64Array(outcomes * features.length);
  for (const leaf of piece.leaves) {
    const values = tabulateLeaf(leaf);
    const d = leaf.features.length;
    const slots = leaf.features.map((feature) => features.indexOf(feature));
    // For each feature of the leaf, the bits that must be set and those that must be unset.
    const set = new Uint32Array(d);
    const unset = new Uint32Array(d);
    leaf.features.forEach((feature, j) => {
      const bit = bitOfPrefix.get(feature);
      if (bit !== undefined) set[j] |= 1 << bit;
    });
    for (const { node, isRight } of leaf.steps) {
      const bit = bitOfTest.get(node);
      if (bit !== undefined) (isRight ? set : unset)[leaf.features.indexOf(tree.feature[node])] |= 1 << bit;
    }
    for (let outcome = 0; outcome < outcomes; outcome++) {
      let pattern = 0;
      for (let j = 0; j < d; j++) {
        if ((outcome & set[j]) === set[j] && (outcome & unset[j]) === 0) pattern |= 1 << j;
      }
      for (let j = 0; j < d; j++) table[outcome * features.length + slots[j]] += values[pattern * d + j];
    }
  }
  return table;
}

/** Shapley values of one leaf for every pattern of satisfied features: 2^d × d. */
function tabulateLeaf(path: LeafPath): Float64Array {
  const d = path.features.length;
  const weights = coalitionWeights(d);
  const table = new Float64Array(2 ** d * d);
  for (let pattern = 0; pattern < 2 ** d; pattern++) table.set(leafShapley(path, pattern, weights), pattern * d);
  return table;
}
