import { encodeModel, type ModelConstant, type ModelNode, type ModelValue } from '../../lib/onnx/model.ts';
import { type Axis, type Elementwise, inOrder, type Value } from './value.ts';

/**
 * An ONNX model that computes the named results. Inputs named in `fixed` become constants with these values (in row
 * order); the others are fed. The same expressions give the same bytes.
 */
export function modelOf(
  results: Readonly<Record<string, Value>>,
  fixed: ReadonlyMap<string, Float32Array> = new Map(),
): Uint8Array {
  const names = new Map<Value, string>();
  const inputs: ModelValue[] = [];
  const constants = new Map<string, ModelConstant>();
  const nodes: ModelNode[] = [];
  /** Shapes, axes and positions: constants that many nodes share. */
  const integers = (...values: readonly number[]): string => {
    const name = `i${values.join('_')}`;
    constants.set(name, { name, dims: [values.length], values: BigInt64Array.from(values, BigInt) });
    return name;
  };
  for (const value of inOrder(Object.values(results))) {
    const { operation, of, rows, columns } = value;
    const dims = [rows, columns];
    if (operation.kind === 'input') {
      const { name } = operation;
      names.set(value, name);
      const values = fixed.get(name);
      if (values) constants.set(name, { name, dims, values });
      else if (!inputs.some((other) => other.name === name)) inputs.push({ name, dims });
      continue;
    }
    const name = `v${names.size}`;
    names.set(value, name);
    if (operation.kind === 'constant') constants.set(name, { name, dims, values: operation.values });
    else
      nodes.push({
        ...nodeOf(
          value,
          of.map((part) => names.get(part)!),
          integers,
        ),
        output: name,
      });
  }
  const outputs = Object.entries(results).map(([name, value]) => {
    // A value may be output under several names, and an input may be an output itself.
    nodes.push({ operator: 'Identity', inputs: [names.get(value)!], output: name });
    return { name, dims: [value.rows, value.columns] };
  });
  return encodeModel({ inputs, outputs, constants: [...constants.values()], nodes });
}

function nodeOf(
  { operation, of, rows, columns }: Value,
  parts: readonly string[],
  integers: (...values: readonly number[]) => string,
): Omit<ModelNode, 'output'> {
  const node = (operator: string, ...rest: readonly string[]) => ({ operator, inputs: [...parts, ...rest] });
  switch (operation.kind) {
    case 'input':
    case 'constant':
      throw new Error(`${operation.kind} is no node`);
    case 'matmul':
      return {
        ...node('Gemm'),
        attributes: { transA: Number(operation.isLeftTransposed), transB: Number(operation.isRightTransposed) },
      };
    case 'add':
      return node('Add');
    case 'subtract':
      return node('Sub');
    case 'multiply':
      return node('Mul');
    case 'logSoftmax':
      return { ...node('LogSoftmax'), attributes: { axis: 1 } };
    case 'sum':
      return { ...node('ReduceSum', integers(axisOf(operation.over))), attributes: { keepdims: 1 } };
    case 'expand':
      return node('Expand', integers(rows, columns));
    case 'slice': {
      const { axis, from } = operation;
      return node('Slice', integers(from), integers(from + (axis === 'rows' ? rows : columns)), integers(axisOf(axis)));
    }
    case 'pad': {
      const { axis, before } = operation;
      const after = axis === 'rows' ? rows - before - of[0].rows : columns - before - of[0].columns;
      return node('Pad', axis === 'rows' ? integers(before, 0, after, 0) : integers(0, before, 0, after));
    }
    case 'join':
      return { ...node('Concat'), attributes: { axis: axisOf(operation.axis) } };
    default:
      return node(operators[operation.kind]);
  }
}

const operators: Readonly<Record<Elementwise, string>> = {
  exp: 'Exp',
  log: 'Log',
  sqrt: 'Sqrt',
  reciprocal: 'Reciprocal',
  sigmoid: 'Sigmoid',
  softplus: 'Softplus',
  negate: 'Neg',
};

function axisOf(axis: Axis): number {
  return axis === 'rows' ? 0 : 1;
}
