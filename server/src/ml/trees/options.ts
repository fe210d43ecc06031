import type { Loss } from './losses.ts';

export type ForestOptions = {
  readonly loss: Loss;
  /** Trees per output. */
  readonly rounds: number;
  /** Every leaf value is multiplied by it, re-estimated ones too. */
  readonly learningRate: number;
  /** Splits from root to leaf at most. */
  readonly depthMax: number;
  /** At most 32. */
  readonly leavesMax: number;
  /** Rows a leaf has at least, whatever their weights. */
  readonly minLeafRows: number;
  /** Sum of hessians a leaf has at least (for losses without curvature, of weights). */
  readonly minChildWeight: number;
  readonly l2: number;
  /** Share of rows drawn per round, of columns per tree; in (0, 1]. */
  readonly rowSample: number;
  readonly columnSample: number;
  /** Decides the draws and nothing else. */
  readonly seed: number;
};

/** What held up over data sets of a few hundred to some ten thousand labels. */
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
