import { assert } from '../../lib/failure.ts';
import { seedRandom } from '../statistics/random.ts';
import { add, input, map, matmul, mean, multiply, scalar, sum, type Value } from './value.ts';

/** A matrix that training changes. */
export type Parameter = {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** rows × columns in row order; the trainer writes into it. */
  readonly values: Float32Array;
  /** Whether weight decay applies: to weights, not to biases and gains. */
  readonly isDecayed: boolean;
};

/** Makes parameters. Their initial values are drawn in the order in which they are made. */
export type Parameters = {
  readonly all: readonly Parameter[];
  /** Weights of a matrix product, rows × columns: normal with variance gain² / rows. */
  weights(name: string, rows: number, columns: number, gain?: number): Value;
  /** A row in which all numbers are `value`. */
  row(name: string, columns: number, value: number): Value;
};

export function openParameters(seed: number): Parameters {
  const random = seedRandom(seed);
  const all: Parameter[] = [];
  const make = (name: string, rows: number, columns: number, isDecayed: boolean, values: Float32Array) => {
    assert(!all.some((other) => other.name === name), `one parameter is called ${name}`);
    all.push({ name, rows, columns, values, isDecayed });
    return input(name, rows, columns);
  };
  return {
    all,
    weights(name, rows, columns, gain = 1) {
      const deviation = gain / Math.sqrt(rows);
      const values = Float32Array.from({ length: rows * columns }, () => deviation * drawNormal(random));
      return make(name, rows, columns, true, values);
    },
    row: (name, columns, value) => make(name, 1, columns, false, new Float32Array(columns).fill(value)),
  };
}

/** Box & Muller (1958). */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** x · W + b; x: rows × inputs, the result rows × outputs. */
export function linear(parameters: Parameters, name: string, x: Value, outputs: number, gain = 1): Value {
  return add(
    matmul(x, parameters.weights(`${name}.weight`, x.columns, outputs, gain)),
    parameters.row(`${name}.bias`, outputs, 0),
  );
}

/** x · sigmoid(x) (Elfwing et al. 2018). */
export function silu(x: Value): Value {
  return multiply(x, map('sigmoid', x));
}

/** Added to squares before taking the root, so that rows of zeros stay zeros. */
export const normEpsilon = 1e-6;

/** Each row divided by the root of its mean square, times a gain per column (Zhang & Sennrich 2019). */
export function rootMeanSquareNorm(x: Value, gain: Value): Value {
  return multiply(multiply(x, reciprocalRoot(mean(multiply(x, x), 'columns'))), gain);
}

/** Divides each row by its length, so that products of rows are cosines. A row of zeros stays zero. */
export function normaliseRows(x: Value): Value {
  return multiply(x, reciprocalRoot(sum(multiply(x, x), 'columns')));
}

function reciprocalRoot(square: Value): Value {
  return map('reciprocal', map('sqrt', add(square, scalar(normEpsilon))));
}
