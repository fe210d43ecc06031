import type { Tree } from './forest.ts';

/** The leaves of a tree, numbered from left to right as bits of a mask. There may be at most 32. */
export type LeafBits = {
  /** Node number of each leaf, left to right. */
  readonly leafNodes: readonly number[];
  /** For each node, the mask of the leaves below it. */
  readonly below: Uint32Array;
};

/** A test of a tree, and the leaves of its mask that become unreachable when it fails. */
export type Test = {
  readonly tree: number;
  readonly threshold: number;
  readonly cleared: number;
  readonly missingLeft: boolean;
};

/** Numbers a tree's leaves from left to right. */
export function numberLeaves(tree: Tree): LeafBits {
  const leafNodes: number[] = [];
  const below = new Uint32Array(tree.feature.length);
  const visit = (node: number): number => {
    if (tree.feature[node] < 0) return (below[node] = (1 << (leafNodes.push(node) - 1)) >>> 0);
    return (below[node] = (visit(tree.left[node]) | visit(tree.right[node])) >>> 0);
  };
  visit(0);
  return { leafNodes, below };
}

/** Bytes of a mask of leaves: 1, 2 or 4, as needed for the largest tree. */
export function maskBytes(trees: readonly Tree[]): number {
  let most = 0;
  for (const { feature } of trees) most = Math.max(most, feature.length);
  // A tree of n leaves has 2n - 1 nodes.
  return most < 16 ? 1 : most < 32 ? 2 : 4;
}

/** The features a forest splits on, ascending. */
export function listUsedFeatures(trees: readonly Tree[]): Int32Array {
  const used = new Set<number>();
  for (const tree of trees) for (const feature of tree.feature) if (feature >= 0) used.add(feature);
  return Int32Array.from(used).sort();
}
