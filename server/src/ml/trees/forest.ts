/**
 * A tree as flat arrays over its nodes; node 0 is the root, children come after their parent. At a split, a row goes
 * left when its float32 value ≤ threshold, right when larger, and where `missingLeft` says when missing.
 */
export type Tree = {
  /** Which output it adds to: 0, or the class. */
  readonly output: number;
  /** −1 at a leaf. */
  readonly feature: Int32Array;
  readonly threshold: Float32Array;
  readonly missingLeft: Uint8Array;
  /** Node numbers; 0 at a leaf. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** What a leaf adds to the margin, learning rate included; 0 at a split. */
  readonly value: Float64Array;
  /** Weight of the training rows that came through; positive. */
  readonly cover: Float64Array;
  /** Loss reduction of a split, in the loss's unit × weight; 0 at a leaf. */
  readonly gain: Float64Array;
};

/** Margin of an output = its base + the leaf values of its trees, in tree order. */
export type Forest = {
  readonly features: number;
  readonly outputs: number;
  readonly base: Float64Array;
  readonly trees: readonly Tree[];
};

/** Leaves of a tree fit one 32-bit mask of the scoring kernel. */
export const leavesLimit = 32;

/** Total gain of each feature's splits. */
export function forestGains(forest: Forest): Float64Array {
  const gains = new Float64Array(forest.features);
  for (const tree of forest.trees) {
    for (let node = 0; node < tree.feature.length; node++) {
      if (tree.feature[node] >= 0) gains[tree.feature[node]] += tree.gain[node];
    }
  }
  return gains;
}

/** One forest whose margins are the mean of the given ones' (to rounding), and whose gains are the means too. */
export function averageForests(forests: readonly Forest[]): Forest {
  const [first] = forests;
  const share = 1 / forests.length;
  return {
    features: first.features,
    outputs: first.outputs,
    base: first.base.map((_, output) => forests.reduce((sum, forest) => sum + forest.base[output], 0) * share),
    trees: forests.flatMap((forest) =>
      forest.trees.map((tree) => ({
        ...tree,
        value: tree.value.map((value) => value * share),
        gain: tree.gain.map((gain) => gain * share),
      })),
    ),
  };
}

/**
 * One forest with the outputs of all given ones, one after the other: their margins to the bit. They have the same
 * features.
 */
export function joinForests(forests: readonly Forest[]): Forest {
  const trees: Tree[] = [];
  let outputs = 0;
  for (const forest of forests) {
    for (const tree of forest.trees) trees.push({ ...tree, output: outputs + tree.output });
    outputs += forest.outputs;
  }
  return {
    features: forests[0].features,
    outputs,
    base: Float64Array.from(forests.flatMap(({ base }) => [...base])),
    trees,
  };
}
