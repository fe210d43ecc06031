import { linear, normaliseRows, type Parameters, rootMeanSquareNorm, silu } from '../encoder/layers.ts';
import { contrast, maskedLogistic, maskedSquares } from '../encoder/losses.ts';
import { add, input, logSoftmax, map, multiply, scale, slice, total, type Value } from '../encoder/value.ts';

/** Numbers of an embedding. A narrower network leaves the rest of them 0. */
export const embeddingColumns = 1024;
/** Where embeddings may be cut off, and are then read by heads of their own. */
const prefixes = [embeddingColumns, 64, 16];

export type NetworkShape = {
  readonly inputs: number;
  /** Columns of the body and of what leaves it, at most `embeddingColumns`. */
  readonly width: number;
  readonly blocks: number;
};

/** Embeddings of rows of inputs: residual blocks about a normed SiLU layer twice as wide; each row of length 1. */
export function bodyOf(parameters: Parameters, x: Value, { width, blocks }: NetworkShape): Value {
  let hidden = linear(parameters, 'in', x, width);
  for (let b = 0; b < blocks; b++) {
    const normed = rootMeanSquareNorm(hidden, parameters.row(`block${b}.gain`, width, 1));
    const inner = silu(linear(parameters, `block${b}.up`, normed, 2 * width));
    // A small start leaves the sum of the blocks what came in.
    hidden = add(hidden, linear(parameters, `block${b}.down`, inner, width, 0.3));
  }
  const normed = rootMeanSquareNorm(hidden, parameters.row('out.gain', width, 1));
  return normaliseRows(linear(parameters, 'out', normed, width));
}

/** Columns that the heads predict: yes or no, numbers, and groups of shares. */
export type Heads = {
  readonly logistic: number;
  readonly numbers: number;
  readonly groups: readonly number[];
  /** A label of some rows, where it is trained on one: yes or no, or a number. */
  readonly label?: 'logistic' | 'numbers';
  /** Inputs that are given back. */
  readonly restored: number;
};

/** What the heads of one prefix say; a kind of which there is no target is absent. */
export type Predictions = { logistic?: Value; numbers?: Value; groups?: Value; label?: Value };

export type Losses = {
  readonly loss: Value;
  /** Per prefix, the whole first: what the heads say, yes or no as log odds, shares as unnormalised logarithms. */
  readonly predictions: readonly Predictions[];
  readonly embeddings: Value;
};

const weights = { logistic: 2, numbers: 1, groups: 0.5, label: 1, restored: 0.25, contrast: 0.1 } as const;
const temperature = 0.1;

/**
 * The loss of a batch of `rows` rows, the first half one moment of each pair and the second half the other. It is fed
 * `x`; per kind of head k `k.target`, `k.mask` (1 where the target is known) and `k.share` (1 / the number of ones);
 * and `excluded`, which keeps rows of one entity from being contrasts.
 */
export function lossOf(parameters: Parameters, rows: number, shape: NetworkShape, heads: Heads): Losses {
  const x = input('x', rows, shape.inputs);
  const embeddings = bodyOf(parameters, x, shape);
  const groupColumns = heads.groups.reduce((sum, width) => sum + width, 0);
  const fed = (name: string, columns: number) => ({
    target: input(`${name}.target`, rows, columns),
    mask: input(`${name}.mask`, rows, columns),
    share: input(`${name}.share`, 1, 1),
  });
  const [logistic, numbers] = [fed('logistic', heads.logistic), fed('numbers', heads.numbers)];
  const groups = { target: input('groups.target', rows, groupColumns), share: input('groups.share', 1, 1) };
  const restored = fed('restored', heads.restored);
  const label = heads.label && fed('label', 1);
  const excluded = input('excluded', rows / 2, rows / 2);
  const lengths = prefixes
    .map((length) => Math.min(length, shape.width))
    .filter((length, k, all) => all.indexOf(length) === k);
  const terms: Value[] = [];
  const predictions = lengths.map((length) => {
    const prefix = slice(embeddings, 'columns', 0, length);
    const spread = scale(prefix, Math.sqrt(shape.width));
    const name = (head: string) => `head${length}.${head}`;
    const share = 1 / lengths.length;
    const made: Predictions = {};
    if (heads.logistic > 0) {
      made.logistic = linear(parameters, name('logistic'), spread, heads.logistic);
      const loss = maskedLogistic(made.logistic, logistic.target, logistic.mask, logistic.share);
      terms.push(scale(loss, share * weights.logistic));
    }
    if (heads.numbers > 0) {
      made.numbers = linear(parameters, name('numbers'), spread, heads.numbers);
      const loss = maskedSquares(made.numbers, numbers.target, numbers.mask, numbers.share);
      terms.push(scale(loss, share * weights.numbers));
    }
    if (groupColumns > 0) {
      const margins = (made.groups = linear(parameters, name('groups'), spread, groupColumns));
      let from = 0;
      const sums = heads.groups.map((width) => {
        from += width;
        const own = logSoftmax(slice(margins, 'columns', from - width, width));
        return total(multiply(own, slice(groups.target, 'columns', from - width, width)));
      });
      terms.push(scale(map('negate', multiply(sums.reduce(add), groups.share)), share * weights.groups));
    }
    if (label) {
      made.label = linear(parameters, name('label'), spread, 1);
      const lossOfLabel = heads.label === 'logistic' ? maskedLogistic : maskedSquares;
      const loss = lossOfLabel(made.label, label.target, label.mask, label.share);
      terms.push(scale(loss, share * weights.label));
    }
    const normed = length === shape.width ? embeddings : normaliseRows(prefix);
    const side = (from: number) => slice(normed, 'rows', from, rows / 2);
    terms.push(scale(contrast(side(0), side(rows / 2), temperature, excluded), share * weights.contrast));
    return made;
  });
  const decoded = linear(parameters, 'restore', scale(embeddings, Math.sqrt(shape.width)), heads.restored);
  terms.push(scale(maskedSquares(decoded, restored.target, restored.mask, restored.share), weights.restored));
  return { loss: terms.reduce(add), predictions, embeddings };
}
