import { openParameters } from '../encoder/layers.ts';
import { modelOf } from '../encoder/model.ts';
import { constant, input, join, matmul } from '../encoder/value.ts';
import type { Rfm } from './folder.ts';
import { bodyOf, embeddingColumns } from './network.ts';

/** Rows of the exported ONNX model. */
const modelRows = 64;

/** The forward pass as an ONNX model: `x`, 64 rows of inputs, to `embedding`, 64 × 1024. */
export function encoderModel({ shape, weights, axes }: Rfm): Uint8Array {
  const { width } = shape;
  const body = bodyOf(openParameters(0), input('x', modelRows, shape.inputs), shape);
  const turned = matmul(body, constant(axes, width, width));
  const rest = embeddingColumns - width;
  const padded =
    rest > 0 ? join([turned, constant(new Float32Array(modelRows * rest), modelRows, rest)], 'columns') : turned;
  return modelOf({ embedding: padded }, weights);
}
