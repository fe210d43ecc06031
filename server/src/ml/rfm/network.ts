import { linear, normaliseRows, type Parameters, rootMeanSquareNorm, silu } from '../encoder/layers.ts';
import { contrast, maskedLogistic, maskedSquares } from '../encoder/losses.ts';
import { add, input, logSoftmax, map, multiply, scale, slice, total, type Value } from '../encoder/value.ts';

/** Length of an embedding. If the network is narrower, the remaining numbers are 0. */
export const embeddingColumns = 1024;
/** Lengths at which embeddings may be cut; each prefix has heads of its own. */
const prefixes = [embeddingColumns, 64, 16];

export type NetworkShape = {
  readonly inputs: number;
  /** Columns of the body and of its output, at most `embeddingColumns`. */
  readonly width: number;
  readonly blocks: number;
};

/**
 * Embeddings of rows of inputs: residual blocks, each a normed SiLU layer twice as wide. Each embedding has length 1.
 */
export function bodyOf(parameters: Parameters, x: Value, { width, blocks }: NetworkShape): Value {
  let hidden = linear(parameters, 'in', x, width);
  for (let b = 0; b < blocks; b++) {
    const normed = rootMeanSquareNorm(hidden, parameters.row(`block${b}.gain`, width, 1));
    const inner = silu(linear(parameters, `block${b}.up`, normed, 2 * width));
    // Small initial weights, so that the blocks start near the identity.
    hidden = add(hidden, linear(parameters, `block${b}.down`, inner, width, 0.3));
  }
  const normed = rootMeanSquareNorm(hidden, parameters.row('out.gain', width, 1));
  return normaliseRows(linear(parameters, 'out', normed, width));
}

/** Columns that the heads predict: yes-or-no targets, numbers, and groups of shares. */
export type Heads = {
  readonly logistic: number;
  readonly numbers: number;
  readonly groups: readonly number[];
  /** The kind of label, if the network is fine-tuned on one. */
  readonly label?: 'logistic' | 'numbers';
  /** Inputs that are restored. */
  readonly restored: number;
};

/** Outputs of the heads of one prefix; a kind without targets is absent. */
export type Predictions = { logistic?: Value; numbers?: Value; groups?: Value; label?: Value };

export type Losses = {
  readonly loss: Value;
  /**
   * Per prefix, longest first: the outputs of the heads, with yes-or-no as log odds and shares as unnormalised
   * logarithms.
   */
  readonly predictions: readonly Predictions[];
  readonly embeddings: Value;
};

const weights = { logistic: 2, numbers: 1, groups: 0.5, label: 1, restored: 0.25, contrast: 0.1 } as const;
const temperature = 0.1;

/**
 * The loss of a batch of `rows` rows: the first half are the first moments of the pairs, the second half the second
 * ones. Its inputs are `x`; per kind of head k `k.target`, `k.mask` (1 where the target is known) and `k.share` (1 /
 * the number of ones); and `excluded`, which marks pairs of the same entity so that they are no contrast.
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
