// Exact path-dependent Shapley values of one leaf, and the tables the kernel reads them from.
import type { Tree } from './forest.ts';
import { numberLeaves } from './leaves.ts';

/**
 * A leaf as its path sees it: a row reaches it when it satisfies the tests on every one of these features.
 * shares: per feature, the product over its splits on the path of cover(child) / cover(split): the chance of satisfying
 * them when the feature is unknown.
 */
export type LeafPath = {
  readonly leaf: number;
  readonly value: number;
  readonly features: readonly number[];
  readonly shares: readonly number[];
};

/** The paths to a tree's leaves, left to right, each feature once, in order of first use. */
export function listLeafPaths(tree: Tree): LeafPath[] {
  const paths: LeafPath[] = [];
  const visit = (node: number, features: readonly number[], shares: readonly number[]): void => {
    if (tree.feature[node] < 0) {
      paths.push({ leaf: paths.length, value: tree.value[node], features, shares });
      return;
    }
    const feature = tree.feature[node];
    const known = features.indexOf(feature);
    for (const child of [tree.left[node], tree.right[node]]) {
      const share = tree.cover[child] / tree.cover[node];
      if (known < 0) visit(child, [...features, feature], [...shares, share]);
      else
        visit(
          child,
          features,
          shares.map((s, i) => (i === known ? s * share : s)),
        );
    }
  };
  visit(0, [], []);
  return paths;
}

/** Cover-weighted mean of the leaf values: what a tree gives when no feature is known. */
export function expectTree(tree: Tree): number {
  let sum = 0;
  for (const { value, shares } of listLeafPaths(tree))
    sum += value * shares.reduce((product, share) => product * share, 1);
  return sum;
}

/** Shapley weights k! (d − 1 − k)! / d! of a coalition of k out of d − 1 others, k = 0 … d − 1. */
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
 * Shapley values of one leaf's features in O(d²), after TreeSHAP (Lundberg et al. 2018, algorithm 2).
 * The leaf's game is v(S) = value · ∏_{j∈S} z_j · ∏_{j∉S} share_j, with z_j whether the row satisfies feature j (bit j of
 * `pattern`). Only coalitions within the satisfied features Z count; sorted by size their products are the coefficients
 * of ∏_{j∈Z} (x + share_j). Leaving a satisfied feature out is a division by its factor, from the top coefficient down,
 * which damps rounding as shares are ≤ 1. All unsatisfied features get the same value.
 * The kernel's `addDeepLeaf` does the same operations in the same order.
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

/** A tree's tests in node order, and its distinct features in order of first test. */
export type TreeTests = {
  /** Node numbers of the splits. */
  readonly tests: readonly number[];
  readonly features: readonly number[];
};

export function listTests(tree: Tree): TreeTests {
  const tests = Array.from(tree.feature.keys()).filter((node) => tree.feature[node] >= 0);
  return { tests, features: [...new Set(tests.map((node) => tree.feature[node]))] };
}

/**
 * A small tree's Shapley values for every pattern of test outcomes (bit i: test i sends the row right).
 * Returns 2^tests × features, in the orders of `listTests`. Patterns no row can have hold values nobody reads.
 */
export function tabulateTree(tree: Tree, { tests, features }: TreeTests): Float64Array {
  const { below } = numberLeaves(tree);
  const paths = listLeafPaths(tree).map((path) => ({
    path,
    weights: coalitionWeights(path.features.length),
    slots: path.features.map((feature) => features.indexOf(feature)),
  }));
  const table = new Float64Array(2 ** tests.length * features.length);
  for (let outcome = 0; outcome < 2 ** tests.length; outcome++) {
    const satisfied = new Uint32Array(features.length).fill(0xffffffff);
    for (let i = 0; i < tests.length; i++) {
      const node = tests[i];
      const isRight = ((outcome >>> i) & 1) === 1;
      satisfied[features.indexOf(tree.feature[node])] &= ~below[isRight ? tree.left[node] : tree.right[node]];
    }
    for (const { path, weights, slots } of paths) {
      const values = leafShapley(path, satisfiedPattern(path, slots, satisfied), weights);
      for (let j = 0; j < slots.length; j++) table[outcome * features.length + slots[j]] += values[j];
    }
  }
  return table;
}

/** One leaf's Shapley values for every pattern of satisfied features: 2^d × d. */
export function tabulateLeaf(path: LeafPath): Float64Array {
  const d = path.features.length;
  const weights = coalitionWeights(d);
  const table = new Float64Array(2 ** d * d);
  for (let pattern = 0; pattern < 2 ** d; pattern++) table.set(leafShapley(path, pattern, weights), pattern * d);
  return table;
}

/** Bit j: the row satisfies the path's feature j. satisfied: per feature of the tree, the leaves it leaves reachable. */
export function satisfiedPattern(path: LeafPath, slots: readonly number[], satisfied: Uint32Array): number {
  let pattern = 0;
  for (let j = 0; j < slots.length; j++) pattern |= ((satisfied[slots[j]] >>> path.leaf) & 1) << j;
  return pattern;
}
