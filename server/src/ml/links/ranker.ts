/**
 * A small network that orders the candidates of a question. x = standardised columns and eight numbers of the relation;
 * h₁ = silu(W₁x + b₁), h₂ = h₁ + silu(W₂h₁ + b₂), score = w₃·h₂ + w₄·x. All parameters are in one array for training
 * and storage; `Layout` says where each part starts.
 */
import { assert } from '../../lib/failure.ts';
import { multiply, transpose } from './matrix.ts';

export type Layout = {
  /** Number of columns of a candidate. */
  readonly columns: number;
  /** Number of relations in questions, including inverse ones. */
  readonly relations: number;
  /** Number of inputs of the network: the columns, the relation's numbers, and zeros up to a multiple of four. */
  readonly inputs: number;
  readonly first: number;
  readonly firstBias: number;
  readonly second: number;
  readonly secondBias: number;
  readonly last: number;
  readonly skip: number;
  readonly relation: number;
  /** Total number of parameters. */
  readonly size: number;
};

export type Ranker = {
  readonly layout: Layout;
  readonly parameters: Float64Array;
  /** For each column, the number that is subtracted and the number that the difference is divided by. */
  readonly means: Float64Array;
  readonly scales: Float64Array;
};

export const hidden = 96;
export const relationNumbers = 8;
/** Standardised columns are clipped at ± this. */
const clip = 4;

export function layRanker(columns: number, relations: number): Layout {
  const inputs = 4 * Math.ceil((columns + relationNumbers) / 4);
  let size = 0;
  const take = (count: number) => {
    size += count;
    return size - count;
  };
  return {
    columns,
    relations,
    inputs,
    first: take(hidden * inputs),
    firstBias: take(hidden),
    second: take(hidden * hidden),
    secondBias: take(hidden),
    last: take(hidden),
    skip: take(inputs),
    relation: take(relations * relationNumbers),
    size,
  };
}

/** The network's values for the rows of one question, kept for the backward pass. `rows` is the capacity. */
export type Pass = {
  readonly rows: number;
  readonly input: Float64Array;
  readonly firstSum: Float64Array;
  readonly firstOut: Float64Array;
  readonly secondSum: Float64Array;
  readonly secondOut: Float64Array;
  readonly scores: Float64Array;
};

export function openPass(rows: number, { inputs }: Layout): Pass {
  assert(rows % 4 === 0, 'rows are multiplied in fours');
  const values = (width: number) => new Float64Array(rows * width);
  return {
    rows,
    input: values(inputs),
    firstSum: values(hidden),
    firstOut: values(hidden),
    secondSum: values(hidden),
    secondOut: values(hidden),
    scores: values(1),
  };
}

/** Standardises `rows` rows of columns in place. */
export function standardise(
  { means, scales }: Pick<Ranker, 'means' | 'scales'>,
  values: Float64Array | Float32Array,
  rows: number,
): void {
  const width = means.length;
  for (let at = 0, row = 0; row < rows; row++) {
    for (let c = 0; c < width; c++, at++)
      values[at] = Math.max(-clip, Math.min(clip, (values[at] - means[c]) / scales[c]));
  }
}

/** Scores `rows` standardised rows of a question about `relation` into `pass.scores`. */
export function scoreRows(
  { layout, parameters }: Pick<Ranker, 'layout' | 'parameters'>,
  pass: Pass,
  relation: number,
  values: Float64Array | Float32Array,
  rows: number,
): void {
  const { inputs, columns } = layout;
  assert(rows <= pass.rows, 'the pass has room for the rows');
  const padded = 4 * Math.ceil(rows / 4);
  for (let row = 0; row < rows; row++) {
    const at = row * inputs;
    for (let c = 0; c < columns; c++) pass.input[at + c] = values[row * columns + c];
    for (let e = 0; e < relationNumbers; e++)
      pass.input[at + columns + e] = parameters[layout.relation + relation * relationNumbers + e];
  }
  pass.input.fill(0, rows * inputs, padded * inputs);
  const part = (from: number, size: number) => parameters.subarray(from, from + size);
  multiply(pass.firstSum, pass.input, part(layout.first, hidden * inputs), padded, hidden, inputs, false);
  activate(pass.firstOut, pass.firstSum, part(layout.firstBias, hidden), padded, null);
  multiply(pass.secondSum, pass.firstOut, part(layout.second, hidden * hidden), padded, hidden, hidden, false);
  activate(pass.secondOut, pass.secondSum, part(layout.secondBias, hidden), padded, pass.firstOut);
  for (let row = 0; row < rows; row++) {
    let score = 0;
    for (let h = 0; h < hidden; h++) score += parameters[layout.last + h] * pass.secondOut[row * hidden + h];
    for (let i = 0; i < inputs; i++) score += parameters[layout.skip + i] * pass.input[row * inputs + i];
    pass.scores[row] = score;
  }
}

/**
 * out = silu(sums + bias), plus `residual` if given. The bias is added to `sums` in place. silu(x) = x / (1 + e^−x).
 */
function activate(
  out: Float64Array,
  sums: Float64Array,
  bias: Float64Array,
  rows: number,
  residual: Float64Array | null,
): void {
  for (let at = 0, row = 0; row < rows; row++) {
    for (let h = 0; h < hidden; h++, at++) {
      const x = sums[at] + bias[h];
      sums[at] = x;
      out[at] = x / (1 + Math.exp(-x)) + (residual === null ? 0 : residual[at]);
    }
  }
}

/** Memory for the backward pass with as many rows. */
export type Backward = {
  readonly secondGradient: Float64Array;
  readonly firstGradient: Float64Array;
  readonly rowsOf: Float64Array;
  readonly columnsOf: Float64Array;
  readonly weights: Float64Array;
};

export function openBackward(rows: number, { inputs }: Layout): Backward {
  return {
    secondGradient: new Float64Array(rows * hidden),
    firstGradient: new Float64Array(rows * hidden),
    rowsOf: new Float64Array(rows * hidden),
    columnsOf: new Float64Array(rows * Math.max(hidden, inputs)),
    weights: new Float64Array(hidden * Math.max(hidden, inputs)),
  };
}

/**
 * Adds the gradient of the loss through the scores of the last pass to `gradient`, which is laid out like the
 * parameters. scoreGradient: dLoss / dScore of each of the `rows` rows.
 */
export function addGradient(
  { layout, parameters }: Pick<Ranker, 'layout' | 'parameters'>,
  pass: Pass,
  back: Backward,
  relation: number,
  scoreGradient: Float64Array,
  rows: number,
  gradient: Float64Array,
): void {
  const { inputs } = layout;
  const padded = 4 * Math.ceil(rows / 4);
  const into = (from: number, size: number) => gradient.subarray(from, from + size);
  const { secondGradient, firstGradient } = back;
  // Through the score: gradients of w₃ and w₄, and what reaches h₂.
  for (let row = 0; row < padded; row++) {
    const slope = row < rows ? scoreGradient[row] : 0;
    for (let h = 0; h < hidden; h++) {
      const at = row * hidden + h;
      gradient[layout.last + h] += slope * pass.secondOut[at];
      const reached = slope * parameters[layout.last + h];
      firstGradient[at] = reached;
      secondGradient[at] = reached * siluSlope(pass.secondSum[at]);
      gradient[layout.secondBias + h] += secondGradient[at];
    }
    for (let i = 0; i < inputs; i++) gradient[layout.skip + i] += slope * pass.input[row * inputs + i];
  }
  // Through the second layer: its weights, and h₁, which already has the gradient of the residual.
  transpose(back.rowsOf, secondGradient, padded, hidden);
  transpose(back.columnsOf, pass.firstOut, padded, hidden);
  multiply(into(layout.second, hidden * hidden), back.rowsOf, back.columnsOf, hidden, hidden, padded, true);
  transpose(back.weights, parameters.subarray(layout.second, layout.second + hidden * hidden), hidden, hidden);
  multiply(firstGradient, secondGradient, back.weights, padded, hidden, hidden, true);
  for (let row = 0; row < padded; row++) {
    for (let h = 0; h < hidden; h++) {
      const at = row * hidden + h;
      firstGradient[at] *= siluSlope(pass.firstSum[at]);
      gradient[layout.firstBias + h] += firstGradient[at];
    }
  }
  // Through the first layer: its weights, and the relation's numbers. The columns are not trained.
  transpose(back.rowsOf, firstGradient, padded, hidden);
  transpose(back.columnsOf, pass.input, padded, inputs);
  multiply(into(layout.first, hidden * inputs), back.rowsOf, back.columnsOf, hidden, inputs, padded, true);
  addRelationGradient(parameters, layout, relation, scoreGradient, rows, firstGradient, gradient);
}

function addRelationGradient(
  parameters: Float64Array,
  layout: Layout,
  relation: number,
  scoreGradient: Float64Array,
  rows: number,
  firstGradient: Float64Array,
  gradient: Float64Array,
): void {
  const { inputs, columns } = layout;
  const reached = new Float64Array(hidden);
  let slope = 0;
  for (let row = 0; row < rows; row++) {
    slope += scoreGradient[row];
    for (let h = 0; h < hidden; h++) reached[h] += firstGradient[row * hidden + h];
  }
  for (let e = 0; e < relationNumbers; e++) {
    let sum = slope * parameters[layout.skip + columns + e];
    for (let h = 0; h < hidden; h++) sum += reached[h] * parameters[layout.first + h * inputs + columns + e];
    gradient[layout.relation + relation * relationNumbers + e] += sum;
  }
}

function siluSlope(x: number): number {
  const s = 1 / (1 + Math.exp(-x));
  return s * (1 + x * (1 - s));
}
