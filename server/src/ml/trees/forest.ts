/**
 * A tree as flat arrays over its nodes. Node 0 is the root; children come after their parent. At a split, a row goes
 * left when its float32 value ≤ threshold and right when it is larger; when it is missing, `missingLeft` decides.
 */
export type Tree = {
  /** The output that the tree adds to: 0, or the class number. */
  readonly output: number;
  /** −1 at a leaf. */
  readonly feature: Int32Array;
  readonly threshold: Float32Array;
  readonly missingLeft: Uint8Array;
  /** Node numbers; 0 at a leaf. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** The amount a leaf adds to the margin, including the learning rate; 0 at a split. */
  readonly value: Float64Array;
  /** Total weight of the training rows at the node; positive. */
  readonly cover: Float64Array;
  /** Loss reduction by a split, in the loss's unit × weight; 0 at a leaf. */
  readonly gain: Float64Array;
};

/** The margin of an output is its base plus the leaf values of its trees, added in tree order. */
export type Forest = {
  readonly features: number;
  readonly outputs: number;
  readonly base: Float64Array;
  readonly trees: readonly Tree[];
};

/** Limited so that the leaves of a tree fit one 32-bit mask of the scoring kernel. */
export const leavesLimit = 32;

/** Total gain of the splits on each feature. */
export function forestGains(forest: Forest): Float64Array {
  const gains = new Float64Array(forest.features);
  for (const tree of forest.trees) {
    for (let node = 0; node < tree.feature.length; node++) {
      if (tree.feature[node] >= 0) gains[tree.feature[node]] += tree.gain[node];
    }
  }
  return gains;
}

/** One forest whose margins and gains are the means of those of the given forests (up to rounding). */
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
 * One forest with the outputs of all given forests, one after the other. Its margins equal theirs bit for bit. All
 * forests must have the same features.
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
