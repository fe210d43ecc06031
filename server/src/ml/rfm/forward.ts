import { assert } from '../../lib/failure.ts';
import type { Parameter } from '../encoder/layers.ts';
import { normEpsilon } from '../encoder/layers.ts';
import type { NetworkShape } from './network.ts';

/** Weights of a body by name, each in row-major order. */
export type Weights = ReadonlyMap<string, Float32Array>;

/**
 * Computes the embedding of `bodyOf`, rotated by `axes` (width × width), in float64 and row by row. One row and a
 * million give the same bits, and no onnxruntime is needed. x: rows × inputs. Result: rows × width.
 */
export function embedInputs(weights: Weights, axes: Float32Array, shape: NetworkShape, x: Float32Array): Float32Array {
  const { width } = shape;
  const embeddings = new Float32Array((x.length / shape.inputs) * width);
  const turned = new Float64Array(width);
  eachEmbedding(weights, shape, x, (embedding, row) => {
    turn(embedding, axes, width, turned);
    embeddings.set(turned, row * width);
  });
  return embeddings;
}

/**
 * The first `columns` numbers of the embedding, scaled to about 1 each, followed by the forecasts of the heads: log
 * odds of events, and numbers as scores. The result is rows × (columns + forecasts).
 */
export function predictFromInputs(
  weights: Weights,
  axes: Float32Array,
  shape: NetworkShape,
  columns: number,
  x: Float32Array,
): Float32Array {
  const { width } = shape;
  const all = columns + countForecasts(weights, shape);
  const told = new Float32Array((x.length / shape.inputs) * all);
  const turned = new Float64Array(width);
  const tell = openTelling(weights, shape, columns);
  eachEmbedding(weights, shape, x, (embedding, row) => {
    turn(embedding, axes, width, turned);
    tell(embedding, turned, told, row * all);
  });
  return told;
}

/**
 * The result of `predictFromInputs` for one row, from its embedding (at least `width` numbers) instead of its inputs.
 */
export function predictFromEmbedding(
  weights: Weights,
  axes: Float32Array,
  shape: NetworkShape,
  columns: number,
  embedding: Float32Array,
): Float32Array {
  const { width } = shape;
  const told = new Float32Array(columns + countForecasts(weights, shape));
  const turned = Float64Array.from(embedding.subarray(0, width));
  // The axes are a rotation, so their transpose reverses it.
  const plain = new Float64Array(width);
  for (let c = 0; c < width; c++) for (let k = 0; k < width; k++) plain[c] += turned[k] * axes[c * width + k];
  openTelling(weights, shape, columns)(plain, turned, told, 0);
  return told;
}

type Tell = (embedding: Float64Array, turned: Float64Array, into: Float32Array, from: number) => void;

/**
 * Writes the first numbers of the rotated embedding, and the forecasts of the heads, which read the embedding before
 * rotation. Overwrites `embedding`.
 */
function openTelling(weights: Weights, { width }: NetworkShape, columns: number): Tell {
  const heads = forecastHeads.flatMap((kind) => {
    const [weight, bias] = [
      weights.get(`${headName(width, kind)}.weight`),
      weights.get(`${headName(width, kind)}.bias`),
    ];
    return weight && bias ? [{ weight, bias, told: new Float64Array(bias.length) }] : [];
  });
  const scale = Math.sqrt(width);
  return (embedding, turned, into, from) => {
    let at = from;
    for (let k = 0; k < columns; k++) into[at++] = turned[k] * scale;
    for (let c = 0; c < width; c++) embedding[c] *= scale;
    for (const head of heads) {
      applyLinear(embedding, head.weight, head.bias, head.told);
      into.set(head.told, at);
      at += head.told.length;
    }
  };
}

/** Kinds of heads whose forecasts are returned with an embedding. */
const forecastHeads = ['logistic', 'numbers', 'label'] as const;

function headName(length: number, kind: string): string {
  return `head${length}.${kind}`;
}

/** The number of forecasts per row of the heads whose weights were kept. */
export function countForecasts(weights: Weights, { width }: NetworkShape): number {
  return forecastHeads.reduce((sum, kind) => sum + (weights.get(`${headName(width, kind)}.bias`)?.length ?? 0), 0);
}

/** Passes each row's embedding, of length 1 and not rotated, to `take`, which may overwrite it. */
function eachEmbedding(
  weights: Weights,
  { inputs, width, blocks }: NetworkShape,
  x: Float32Array,
  take: (embedding: Float64Array, row: number) => void,
): void {
  const rows = x.length / inputs;
  const of = (name: string): Float32Array => {
    const values = weights.get(name);
    assert(values !== undefined, `the network has ${name}`);
    return values;
  };
  const [hidden, normed, added, inner] = [width, width, width, 2 * width].map((length) => new Float64Array(length));
  const given = new Float64Array(inputs);
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < inputs; c++) given[c] = x[row * inputs + c];
    applyLinear(given, of('in.weight'), of('in.bias'), hidden!);
    for (let b = 0; b < blocks; b++) {
      norm(hidden!, of(`block${b}.gain`), normed!);
      applyLinear(normed!, of(`block${b}.up.weight`), of(`block${b}.up.bias`), inner!);
      for (let c = 0; c < inner!.length; c++) inner![c] /= 1 + Math.exp(-inner![c]);
      applyLinear(inner!, of(`block${b}.down.weight`), of(`block${b}.down.bias`), added!);
      for (let c = 0; c < width; c++) hidden![c] += added![c];
    }
    norm(hidden!, of('out.gain'), normed!);
    applyLinear(normed!, of('out.weight'), of('out.bias'), added!);
    let squares = 0;
    for (let c = 0; c < width; c++) squares += added![c] * added![c];
    const scale = 1 / Math.sqrt(squares + normEpsilon);
    for (let c = 0; c < width; c++) added![c] *= scale;
    take(added!, row);
  }
}

function turn(embedding: Float64Array, axes: Float32Array, width: number, into: Float64Array): void {
  into.fill(0);
  for (let c = 0; c < width; c++) {
    const value = embedding[c];
    for (let k = 0; k < width; k++) into[k] += value * axes[c * width + k];
  }
}

function applyLinear(x: Float64Array, weight: Float32Array, bias: Float32Array, into: Float64Array): void {
  const columns = into.length;
  into.set(bias);
  for (let i = 0; i < x.length; i++) {
    const value = x[i];
    if (value === 0) continue;
    for (let c = 0, w = i * columns; c < columns; c++, w++) into[c] += value * weight[w];
  }
}

function norm(x: Float64Array, gain: Float32Array, into: Float64Array): void {
  let squares = 0;
  for (let c = 0; c < x.length; c++) squares += x[c] * x[c];
  const scale = 1 / Math.sqrt(squares / x.length + normEpsilon);
  for (let c = 0; c < x.length; c++) into[c] = x[c] * scale * gain[c];
}

/** The weights needed for embeddings and forecasts, of all parameters of a pre-training. */
export function keptWeights(parameters: readonly Parameter[], { width }: NetworkShape): Map<string, Float32Array> {
  const kept = /^(in|out|block\d+)\./;
  const heads = forecastHeads.map((kind) => `${headName(width, kind)}.`);
  return new Map(
    parameters
      .filter(({ name }) => kept.test(name) || heads.some((head) => name.startsWith(head)))
      .map(({ name, values }) => [name, values]),
  );
}

/** Copies of the values of parameters, by name. */
export function parametersOf(parameters: readonly Parameter[]): Weights {
  return new Map(parameters.map(({ name, values }) => [name, values.slice()]));
}
