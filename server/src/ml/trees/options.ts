import type { Loss } from './losses.ts';

export type ForestOptions = {
  readonly loss: Loss;
  /** Trees per output. */
  readonly rounds: number;
  /** Factor of every leaf value, including re-estimated ones. */
  readonly learningRate: number;
  /** Maximum number of splits from root to leaf. */
  readonly depthMax: number;
  /** At most 32. */
  readonly leavesMax: number;
  /** Minimum number of rows in a leaf, whatever their weights. */
  readonly minLeafRows: number;
  /** Minimum sum of hessians in a leaf (of weights, for losses without curvature). */
  readonly minChildWeight: number;
  readonly l2: number;
  /** Share of rows drawn per round, and of columns drawn per tree; in (0, 1]. */
  readonly rowSample: number;
  readonly columnSample: number;
  /** Seed of these draws; it affects nothing else. */
  readonly seed: number;
};

/** Options that did well on data sets of a few hundred to some ten thousand labels. */
export const defaultForestOptions: ForestOptions = {
  loss: { kind: 'logistic' },
  rounds: 150,
  learningRate: 0.05,
  depthMax: 3,
  leavesMax: 8,
  minLeafRows: 1,
  minChildWeight: 8,
  l2: 5,
  rowSample: 0.7,
  columnSample: 0.3,
  seed: 1,
};
