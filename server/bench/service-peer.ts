// Gives the peer our own model: the same trees as xgboost models, rows to score, and the margins it must find.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { averageForests, type Forest, type Tree } from '../src/ml/trees/forest.ts';
import { loadForest } from '../src/ml/trees/scorer.ts';
import type { Version } from '../src/ml/version/version.ts';

const goldenRows = 200;
const missingShare = 0.05;

export type PeerModel = { readonly horizons: number; readonly trees: number; readonly features: number };

/**
 * Writes `<output>.json` per output, `features.f32` with a row per document (row-major), `golden.f64` with the margins
 * of the first rows (rows × outputs) and `model.json`. Linear parts of a blend are left out, in the peer's favour.
 */
export function writePeerModel(folder: string, version: Version, documents: readonly string[], key: string): PeerModel {
  const features = version.features.length;
  const forests = version.outputs.map(({ head }) =>
    averageForests(head.flatMap((model) => (model.kind === 'trees' ? [model.forest] : []))),
  );
  version.outputs.forEach(({ name }, o) => {
    writeFileSync(join(folder, `${name}.json`), modelText(forests[o]));
  });
  const rows = documents.length;
  const matrix = { rows, features, values: makeValues(forests, rows, features) };
  const rowMajor = new Float32Array(rows * features);
  for (let row = 0; row < rows; row++)
    for (let f = 0; f < features; f++) rowMajor[row * features + f] = matrix.values[f * rows + row];
  writeFileSync(join(folder, 'features.f32'), rowMajor);
  const margins = forests.map((forest) => loadForest(forest).score(matrix, 0, goldenRows));
  const golden = Float64Array.from({ length: goldenRows * forests.length }, (_, i) => {
    return margins[i % forests.length][Math.floor(i / forests.length)];
  });
  writeFileSync(join(folder, 'golden.f64'), golden);
  const usual = Array.from(version.usual, (value) => (Number.isNaN(value) ? 0 : value));
  const outputs = version.outputs.map(({ name }) => name);
  writeFileSync(join(folder, 'model.json'), JSON.stringify({ key, outputs, features, goldenRows, documents, usual }));
  const trees = forests.reduce((sum, forest) => sum + forest.trees.length, 0);
  return { horizons: forests.length, trees, features };
}

/** Column-major values about the thresholds of the trees, so that rows take many ways through them. */
function makeValues(forests: readonly Forest[], rows: number, features: number): Float32Array {
  const random = seedRandom(20_261_121);
  const thresholds = Array.from({ length: features }, (): number[] => []);
  for (const { trees } of forests)
    for (const { feature, threshold } of trees)
      feature.forEach((f, node) => {
        if (f >= 0 && Number.isFinite(threshold[node])) thresholds[f].push(threshold[node]);
      });
  const values = new Float32Array(rows * features);
  for (let f = 0; f < features; f++) {
    for (let row = 0; row < rows; row++) {
      const known = thresholds[f];
      const value = known.length === 0 ? 0 : known[Math.floor(random() * known.length)];
      values[f * rows + row] = random() < missingShare ? Number.NaN : value;
    }
  }
  return values;
}

/** xgboost takes 1 for an integer where it wants a number: floats are written as 1e+0. */
const floatMark = '~';

function modelText(forest: Forest): string {
  return JSON.stringify(xgboostModel(forest)).replaceAll(/"~([^"]+)"/g, '$1');
}

/**
 * The document of xgboost 1.7's JSON models; margins come out as they are, since its objective is a plain number. It
 * starts from its own base score whatever the document says: the first tree has the difference in its leaves.
 */
function xgboostModel({ trees, base, features }: Forest) {
  return {
    version: [1, 7, 4],
    learner: {
      attributes: {},
      feature_names: [],
      feature_types: [],
      gradient_booster: {
        name: 'gbtree',
        model: {
          gbtree_model_param: { num_parallel_tree: '1', num_trees: String(trees.length), size_leaf_vector: '0' },
          tree_info: trees.map(() => 0),
          trees: trees.map((tree, id) => xgboostTree(tree, id, features, id === 0 ? base[0] - 0.5 : 0)),
        },
      },
      learner_model_param: {
        base_score: '5E-1',
        boost_from_average: '1',
        num_class: '0',
        num_feature: String(features),
        num_target: '1',
      },
      objective: { name: 'reg:squarederror', reg_loss_param: { scale_pos_weight: '1' } },
    },
  };
}

const noNode = 2_147_483_647;

function xgboostTree(tree: Tree, id: number, features: number, added: number) {
  const nodes = tree.feature.length;
  const parents = new Array<number>(nodes).fill(noNode);
  for (let node = 0; node < nodes; node++) {
    if (tree.feature[node] < 0) continue;
    parents[tree.left[node]] = node;
    parents[tree.right[node]] = node;
  }
  const isLeaf = (node: number): boolean => tree.feature[node] < 0;
  const each = <T>(read: (node: number) => T): T[] => Array.from({ length: nodes }, (_, node) => read(node));
  const floats = (read: (node: number) => number): string[] =>
    each((node) => `${floatMark}${read(node).toExponential()}`);
  return {
    id,
    base_weights: floats((node) => tree.value[node] + added),
    categories: [],
    categories_nodes: [],
    categories_segments: [],
    categories_sizes: [],
    default_left: each((node) => tree.missingLeft[node]),
    left_children: each((node) => (isLeaf(node) ? -1 : tree.left[node])),
    right_children: each((node) => (isLeaf(node) ? -1 : tree.right[node])),
    loss_changes: floats((node) => tree.gain[node]),
    parents,
    split_conditions: floats((node) => (isLeaf(node) ? tree.value[node] + added : nextAbove(tree.threshold[node]))),
    split_indices: each((node) => Math.max(0, tree.feature[node])),
    split_type: each(() => 0),
    sum_hessian: floats((node) => tree.cover[node]),
    tree_param: {
      num_deleted: '0',
      num_feature: String(features),
      num_nodes: String(nodes),
      size_leaf_vector: '0',
    },
  };
}

const float32Max = 3.4028234663852886e38;
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The next larger finite float32: xgboost goes left below a threshold, our trees up to it. */
function nextAbove(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return float32Max;
  if (value === Number.NEGATIVE_INFINITY) return -float32Max;
  float[0] = value;
  if (value === 0) return 1.401298464324817e-45;
  bits[0] += value > 0 ? 1 : -1;
  return float[0];
}
