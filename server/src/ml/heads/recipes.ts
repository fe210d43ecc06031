import { type Objective, widthOf } from '../statistics/objective.ts';
import { hasLogLink, type Loss } from '../trees/losses.ts';
import type { MarginLink } from './output.ts';

/**
 * One model of a blend. `features`: how many of the best-ranked features it reads; with a `draw`, half of twice as
 * many (`rankedFeatures`). `of: 'log1p'`: it learns log1p of the label.
 */
export type RecipePart =
  | {
      readonly kind: 'trees';
      readonly features: number;
      readonly loss: Loss;
      readonly depth: number;
      readonly rounds: number;
      /** Further columns that it reads. */
      readonly and?: Vector;
      readonly of?: 'log1p';
      readonly draw?: number;
    }
  | {
      readonly kind: 'linear';
      readonly features: number;
      readonly loss: 'logistic' | 'squared';
      readonly l2: number;
      readonly scaling: 'rank' | 'winsor' | 'plain';
      /** The first column it reads, if it reads a range of columns instead of the best-ranked features. */
      readonly from?: number;
      /** Columns of categories, whose values have effects of their own. */
      readonly categories?: Vector;
      readonly of?: 'log1p';
      readonly draw?: number;
    };

type LinearPart = Extract<RecipePart, { readonly kind: 'linear' }>;

/** Columns of one vector, the first at `from`. */
export type Vector = { readonly from: number; readonly columns: number };

/** Models whose margins are averaged with equal weights; all have the same link. */
export type Recipe = { readonly name: string; readonly parts: readonly RecipePart[] };

export function linkOf({ parts: [part] }: Recipe): MarginLink | undefined {
  if (part.of) return part.of;
  return part.kind === 'trees' && hasLogLink(part.loss) ? 'log' : undefined;
}

/**
 * The columns of an encoder: they start at `from`, and the last `forecasts` of them are forecasts. `labels`: how many
 * labels there are to learn from.
 */
export type Embedding = {
  readonly from: number;
  readonly columns: number;
  readonly forecasts: number;
  readonly labels: number;
};

/** The end (exclusive) of the columns that a part reads besides the ranked features; 0 if it reads none. */
export function readsUntil(part: RecipePart): number {
  if (part.kind === 'trees') return part.and ? part.and.from + part.and.columns : 0;
  return part.from === undefined ? 0 : part.from + part.features;
}

/** Whether a part reads categories. */
export function readsCategories(part: RecipePart): boolean {
  return part.kind === 'linear' && part.categories !== undefined;
}

/** From so many distinct examples on trees are deeper, and there are more of them. */
const manyExamples = 20_000;

/** Features of the smallest models of a blend. */
const sparseFeatures = 10;

/** With fewer labels than this, a model learns less from them than an encoder knows from the unlabelled past. */
const fewLabels = 1_000;
/** With fewer labels than this, only recipes that read the encoder are tried. */
const scarceLabels = 500;

/**
 * The distribution of numeric labels. `tailed`: none is negative, and many are zero or a few very large. `whole`: all
 * are integers.
 */
export type Spread = { readonly tailed: boolean; readonly whole: boolean };

/** Labels are heavy-tailed above either limit: the share of zeros, or the ratio of the largest label to the mean. */
const zeroShareMin = 0.05;
const largestToMeanMin = 8;

export function spreadOf(labels: Float64Array): Spread {
  let [least, most, sum, zeros, whole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0];
  for (const label of labels) {
    least = Math.min(least, label);
    most = Math.max(most, label);
    sum += label;
    if (label === 0) zeros++;
    if (Number.isInteger(label)) whole++;
  }
  const isTailed = zeros > labels.length * zeroShareMin || most * labels.length > sum * largestToMeanMin;
  return { tailed: least >= 0 && isTailed, whole: whole === labels.length };
}

export function lossOf(objective: Objective): Loss {
  if (objective.kind === 'multiclass') return { kind: 'softmax', classes: widthOf(objective) };
  return { kind: objective.kind === 'regression' ? 'squared' : 'logistic' };
}

/**
 * The recipes that folds choose from, the default first. The number of features per model grows with the training
 * `rows`, from 15 to 60 below a thousand to 40 to 150 (on rel-f1 more never helped reliably). Tree depth grows with the
 * number of distinct `examples`, since repeated questions of one example add nothing about its label.
 */
export function recipesFor(
  objective: Objective,
  rows: number,
  examples: number,
  spread: Spread | null = null,
  embedding: Embedding | null = null,
  graph: Vector | null = null,
  categories: Vector | null = null,
): Recipe[] {
  const loss = lossOf(objective);
  const [few, some, many] = rows < 1_000 ? [15, 30, 60] : rows < 5_000 ? [30, 60, 120] : [40, 80, 150];
  const isMany = examples >= manyExamples;
  const rounds = isMany ? 250 : 150;
  const depth = isMany ? 5 : 3;
  const trees = (features: number, of: Loss = loss): RecipePart => ({
    kind: 'trees',
    features,
    loss: of,
    depth,
    rounds,
  });
  const besideGraph = (features: number, and: Vector): RecipePart => ({
    kind: 'trees',
    features,
    loss,
    depth,
    rounds,
    and,
  });
  if (objective.kind === 'multiclass') {
    return [
      { name: 'trees', parts: [trees(many)] },
      { name: 'few trees', parts: [trees(few)] },
      ...(graph ? [{ name: 'trees and graph', parts: [besideGraph(many, graph)] }] : []),
    ];
  }
  const linearLoss = objective.kind === 'regression' ? 'squared' : 'logistic';
  const linear = (features: number, scaling: 'rank' | 'winsor' = 'rank'): LinearPart => ({
    kind: 'linear',
    features,
    loss: linearLoss,
    l2: features <= 50 ? 100 : 300,
    scaling,
  });
  // Trees split many values badly, and rates of values by earlier labels are poor where these were few.
  const byValue: RecipePart[] = categories ? [{ ...linear(few), categories }] : [];
  const absolute = { kind: 'absolute' } as const;
  // Where few of many features tell anything, the further ones are noise. (Seven made-up families, six draws each: mean
  // AUROC of later rows +.0013 with these, of contests +.0028 ± .0011, and slopes of calibration nearer to 1.)
  const sparse = objective.kind === 'binary' && rows >= 1_000 ? [trees(sparseFeatures), linear(sparseFeatures)] : [];
  const plainBlend: Recipe = {
    name: 'blend',
    parts: [trees(few), trees(many), linear(few), linear(some), ...sparse],
  };
  const blends: Recipe[] = [
    ...(categories ? [{ name: 'blend and categories', parts: [...plainBlend.parts, ...byValue] }] : []),
    plainBlend,
    { name: 'few blend', parts: [trees(few), linear(few), ...byValue] },
    { name: 'linear', parts: [linear(few), linear(some), ...byValue] },
    { name: 'trees', parts: [trees(few), trees(many)] },
  ];
  // The mean absolute error is smallest at the median.
  if (objective.metric === 'mae') {
    blends.push({
      name: 'absolute blend',
      parts: [trees(few, absolute), trees(many, absolute), linear(few), linear(some)],
    });
    blends.push({ name: 'absolute trees', parts: [trees(few, absolute), trees(many, absolute)] });
    blends.push({
      name: 'mixed trees',
      parts: [trees(few), trees(many, absolute), trees(few, absolute), trees(many), linear(some)],
    });
  }
  // Of numbers there is more to learn than of yes and no: deeper trees are tried from half as many examples on.
  if (objective.kind === 'regression' && !isMany && examples >= manyExamples / 2) {
    const isAbsolute = objective.metric === 'mae';
    const deep = (features: number, depth: number, rounds: number): RecipePart => ({
      ...{ kind: 'trees', features, loss: isAbsolute ? absolute : loss, depth, rounds },
    });
    blends.push({
      name: isAbsolute ? 'deep absolute trees' : 'deep trees',
      parts: [deep(few, 5, 250), deep(some, 6, 350), deep(many, 5, 250)],
    });
  }
  if (spread?.tailed) {
    const rates: Loss = spread.whole ? { kind: 'poisson' } : { kind: 'tweedie', power: 1.5 };
    blends.push({ name: `${rates.kind} trees`, parts: [trees(few, rates), trees(many, rates)] });
    // The median of the logarithms is the logarithm of the median, and there a tree's step does not depend on the size
    // of the numbers.
    const log = (part: RecipePart): RecipePart => ({ ...part, of: 'log1p' });
    if (objective.metric === 'mae')
      blends.push({ name: 'log absolute trees', parts: [log(trees(few, absolute)), log(trees(many, absolute))] });
  }
  const [plain] = blends;
  /** The recipe that graph vectors are added to: the default blend, with the encoder if there is one. */
  let usual = plain;
  if (embedding) {
    const { from, columns, forecasts, labels } = embedding;
    const vector = columns - forecasts;
    const ridge = (of: Vector, l2: number, scaling: 'plain' | 'winsor'): RecipePart => ({
      ...{ kind: 'linear', from: of.from, features: of.columns, loss: linearLoss, l2, scaling },
    });
    const embedded = (l2: number) => ridge({ from, columns: vector }, l2, 'plain');
    const told = (l2: number) => ridge({ from: from + vector, columns: forecasts }, l2, 'winsor');
    const wide = forecasts > 0 ? [told(100), told(300), told(1_000)] : [];
    const embeddings = [...wide, embedded(30), embedded(300)];
    const withLines: Recipe = { name: 'linear and encoder', parts: [linear(few), linear(some), ...embeddings] };
    const withBlend: Recipe = { name: 'blend and encoder', parts: [...plain.parts, ...embeddings] };
    const alone: Recipe = { name: 'encoder', parts: embeddings };
    // With so few labels the encoder is part of every recipe. The fold encoder has read only what came before the first
    // fold and knows less than the final one, so folds would reject it. (200 labels, 8 to 12 draws, fixed recipes:
    // AUROC of dnf in rel-f1 .833 with linear models alone, .846 with the encoder; MAE of position 3.24 and 3.12; AUROC
    // on a synthetic economy with 25 % defaults .672 and .684.)
    usual = labels < scarceLabels ? withLines : withBlend;
    if (labels < scarceLabels) blends.splice(0, blends.length, withLines, withBlend);
    else if (labels < fewLabels) blends.unshift(withBlend);
    else blends.push(withBlend);
    blends.push(...(labels < scarceLabels ? [alone] : [withLines, alone]));
  }
  if (graph) {
    const ridge = (l2: number): RecipePart => ({
      ...{ kind: 'linear', from: graph.from, features: graph.columns, loss: linearLoss, l2, scaling: 'plain' },
    });
    const beside = [ridge(100), ridge(1_000)];
    const among = besideGraph(some, graph);
    blends.push({ name: `${usual.name} and graph`, parts: [...usual.parts, ...beside] });
    blends.push({ name: `${usual.name} among graph`, parts: [...usual.parts, among, among, ...beside] });
    // With many labels an encoder may add nothing to the features.
    if (embedding && embedding.labels >= fewLabels)
      blends.push({ name: `${plain.name} among graph`, parts: [...plain.parts, among, among, ...beside] });
  }
  const isScarce = embedding !== null && embedding.labels < scarceLabels;
  if (rows < 1_000 && !isScarce)
    blends.push({ name: 'winsorised blend', parts: [trees(few), linear(few, 'winsor'), linear(few)] });
  return blends;
}
