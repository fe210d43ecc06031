import { assert } from '../../lib/failure.ts';
import type { Parameter } from '../encoder/layers.ts';
import { normEpsilon } from '../encoder/layers.ts';
import type { NetworkShape } from './network.ts';

/** Weights of a body by name, each in row order. */
export type Weights = ReadonlyMap<string, Float32Array>;

/**
 * What `bodyOf` computes, then turned by `axes` (width × width), in plain float64: row by row, so that one row and a million give the
 * same bits, and where no onnxruntime may be loaded. x: rows × inputs; the result rows × width.
 */
export function embedInputs(weights: Weights, axes: Float32Array, shape: NetworkShape, x: Float32Array): Float32Array {
  const { inputs, width, blocks } = shape;
  const rows = x.length / inputs;
  const embeddings = new Float32Array(rows * width);
  const of = (name: string): Float32Array => {
    const values = weights.get(name);
    assert(values !== undefined, `the network has ${name}`);
    return values;
  };
  const [hidden, normed, added, inner] = [width, width, width, 2 * width].map((length) => new Float64Array(length));
  const given = new Float64Array(inputs);
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < inputs; c++) given[c] = x[row * inputs + c]!;
    applyLinear(given, of('in.weight'), of('in.bias'), hidden!);
    for (let b = 0; b < blocks; b++) {
      norm(hidden!, of(`block${b}.gain`), normed!);
      applyLinear(normed!, of(`block${b}.up.weight`), of(`block${b}.up.bias`), inner!);
      for (let c = 0; c < inner!.length; c++) inner![c]! /= 1 + Math.exp(-inner![c]!);
      applyLinear(inner!, of(`block${b}.down.weight`), of(`block${b}.down.bias`), added!);
      for (let c = 0; c < width; c++) hidden![c]! += added![c]!;
    }
    norm(hidden!, of('out.gain'), normed!);
    applyLinear(normed!, of('out.weight'), of('out.bias'), added!);
    let squares = 0;
    for (let c = 0; c < width; c++) squares += added![c]! * added![c]!;
    const scale = 1 / Math.sqrt(squares + normEpsilon);
    normed!.fill(0);
    for (let c = 0; c < width; c++) {
      const value = added![c]! * scale;
      for (let k = 0; k < width; k++) normed![k]! += value * axes[c * width + k]!;
    }
    for (let k = 0; k < width; k++) embeddings[row * width + k] = normed![k]!;
  }
  return embeddings;
}

function applyLinear(x: Float64Array, weight: Float32Array, bias: Float32Array, into: Float64Array): void {
  const columns = into.length;
  into.set(bias);
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    if (value === 0) continue;
    for (let c = 0, w = i * columns; c < columns; c++, w++) into[c]! += value * weight[w]!;
  }
}

function norm(x: Float64Array, gain: Float32Array, into: Float64Array): void {
  let squares = 0;
  for (let c = 0; c < x.length; c++) squares += x[c]! * x[c]!;
  const scale = 1 / Math.sqrt(squares / x.length + normEpsilon);
  for (let c = 0; c < x.length; c++) into[c] = x[c]! * scale * gain[c]!;
}

/** The weights that embeddings are made of, among all parameters of a pre-training. */
export function bodyWeights(parameters: readonly Parameter[]): Map<string, Float32Array> {
  const ofBody = /^(in|out|block\d+)\./;
  return new Map(parameters.filter(({ name }) => ofBody.test(name)).map(({ name, values }) => [name, values]));
}
