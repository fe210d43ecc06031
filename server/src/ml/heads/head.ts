import { assert } from '../../lib/failure.ts';
import { fitLinear, type LinearModel, scoreLinear } from '../linear/linear.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { binFeatures } from '../trees/binning.ts';
import { averageForests, type Forest } from '../trees/forest.ts';
import { hasLogLink, type Loss } from '../trees/losses.ts';
import { defaultForestOptions } from '../trees/options.ts';
import { loadForest } from '../trees/scorer.ts';
import { trainForest } from '../trees/train.ts';
import { rankedFeatures } from './draws.ts';
import type { RecipePart, Vector } from './recipes.ts';

/** A trained part of a blend. */
export type Model =
  | { readonly kind: 'trees'; readonly forest: Forest }
  | { readonly kind: 'linear'; readonly linear: LinearModel };

/**
 * Trained models whose margins are averaged with equal weights. Margins are log-odds, the label's unit (or its
 * logarithm), or log-weights per class.
 */
export type Head = readonly Model[];

/**
 * What a part learns from. `ranking`: feature columns, best first. `labels` and `weights` (null for 1 each): one per
 * entry of `rows`.
 */
export type PartInput = {
  readonly matrix: FeatureMatrix;
  readonly rows: Int32Array;
  readonly labels: Float64Array;
  readonly ranking: readonly number[];
  readonly part: RecipePart;
  readonly weights: Float64Array | null;
};

/**
 * Trains one part on `rows` of a matrix. Each seed gives a forest that differs only in what it samples; the forests are
 * averaged.
 */
export function fitPart(input: PartInput, seeds: readonly number[]): Model {
  return input.part.kind === 'linear' ? fitLinearPart(input) : joinPart(input, growPart(input, seeds));
}

function fitLinearPart({ matrix, rows, labels, ranking, part, weights }: PartInput): Model {
  assert(part.kind === 'linear', 'a linear part');
  const chosen =
    part.from === undefined
      ? rankedFeatures(ranking, part)
      : Array.from({ length: part.features }, (_, k) => part.from! + k);
  const { loss, l2, scaling } = part;
  const categories = Int32Array.from(columnsOf(part.categories));
  const options = { loss, l2, scaling, features: Int32Array.from(chosen), categories };
  return { kind: 'linear', linear: fitLinear(matrix, rows, labelsOf(part, labels), weights, options) };
}

/** The forests of a part, one per seed, as `joinPart` takes them. */
export function growPart(input: PartInput, seeds: readonly number[]): Forest[] {
  const { matrix, rows, part, weights } = input;
  assert(part.kind === 'trees', 'a part of trees');
  const binned = binFeatures(pickFeatures(matrix, columnsRead(input)), rows);
  const { loss, rounds, depth } = part;
  const labels = labelsOf(part, input.labels);
  const unit = unitOf(loss, labels);
  const scaled = unit === 1 ? labels : labels.map((label) => label / unit);
  return seeds.map((seed) =>
    trainForest(binned, scaled, weights, {
      ...defaultForestOptions,
      loss,
      rounds,
      depthMax: depth,
      leavesMax: Math.min(32, 2 ** depth),
      // With a few hundred rows, a minimum weight of eight would be a large part of the positives.
      minChildWeight:
        loss.kind === 'logistic' || loss.kind === 'softmax' ? Math.min(8, Math.max(1, rows.length / 400)) : 8,
      seed,
    }),
  );
}

/** The model of a part: the mean of its forests, in the order of their seeds. */
export function joinPart(input: PartInput, forests: readonly Forest[]): Model {
  const { matrix, labels, part } = input;
  assert(part.kind === 'trees', 'a part of trees');
  const forest = spreadForest(averageForests(forests), columnsRead(input), matrix.features);
  const unit = unitOf(part.loss, labelsOf(part, labels));
  return { kind: 'trees', forest: { ...forest, base: forest.base.map((base) => base + Math.log(unit)) } };
}

/** With a mean of 1, penalties have the same effect whatever the unit of the labels. */
function unitOf(loss: Loss, labels: Float64Array): number {
  return hasLogLink(loss) ? labels.reduce((sum, label) => sum + label, 0) / labels.length : 1;
}

function labelsOf({ of }: RecipePart, labels: Float64Array): Float64Array {
  return of === 'log1p' ? labels.map(Math.log1p) : labels;
}

function columnsRead({ ranking, part }: PartInput): number[] {
  return [...rankedFeatures(ranking, part), ...columnsOf(part.kind === 'trees' ? part.and : undefined)];
}

function columnsOf(vector: Vector | undefined): number[] {
  return vector ? Array.from({ length: vector.columns }, (_, k) => vector.from + k) : [];
}

export function pickFeatures(matrix: FeatureMatrix, features: readonly number[]): FeatureMatrix {
  const values = new Float32Array(features.length * matrix.rows);
  features.forEach((feature, at) => {
    values.set(matrix.values.subarray(feature * matrix.rows, (feature + 1) * matrix.rows), at * matrix.rows);
  });
  return { rows: matrix.rows, features: features.length, values };
}

/** The same models for a matrix of only the columns `kept`, in that order. They must read no others. */
export function pickHead(head: Head, kept: readonly number[]): Head {
  const places = new Map(kept.map((feature, place) => [feature, place]));
  const placeOf = (feature: number) => (feature < 0 ? -1 : places.get(feature)!);
  return head.map((model): Model => {
    if (model.kind === 'linear') {
      const terms = model.linear.terms.map((term) => ({ ...term, feature: placeOf(term.feature) }));
      return { kind: 'linear', linear: { ...model.linear, terms } };
    }
    const trees = model.forest.trees.map((tree) => ({ ...tree, feature: tree.feature.map(placeOf) }));
    return { kind: 'trees', forest: { ...model.forest, features: kept.length, trees } };
  });
}

/** The same forest with feature indices of the whole matrix. */
function spreadForest(forest: Forest, features: readonly number[], total: number): Forest {
  return {
    ...forest,
    features: total,
    trees: forest.trees.map((tree) => ({
      ...tree,
      feature: tree.feature.map((feature) => (feature < 0 ? -1 : features[feature])),
    })),
  };
}

/** Margins of all rows of a matrix, row-major rows × outputs. */
export function scoreModel(model: Model, matrix: FeatureMatrix): Float64Array {
  if (model.kind === 'linear') return scoreLinear(model.linear, matrix);
  const scorer = loadForest(model.forest);
  const margins = scorer.score(matrix, 0, matrix.rows);
  scorer.close();
  return margins;
}

/** The mean of the models' margins, added in their order. */
export function averageMargins(margins: readonly Float64Array[]): Float64Array {
  const mean = margins[0].slice();
  for (const more of margins.slice(1)) for (let i = 0; i < mean.length; i++) mean[i] += more[i];
  for (let i = 0; i < mean.length; i++) mean[i] /= margins.length;
  return mean;
}

/** Picks rows of a matrix, in the order given. */
export function pickRows(matrix: FeatureMatrix, picked: Int32Array): FeatureMatrix {
  const values = new Float32Array(picked.length * matrix.features);
  for (let f = 0; f < matrix.features; f++) {
    for (let k = 0; k < picked.length; k++) values[f * picked.length + k] = matrix.values[f * matrix.rows + picked[k]];
  }
  return { rows: picked.length, features: matrix.features, values };
}
