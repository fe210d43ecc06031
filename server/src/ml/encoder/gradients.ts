import { assert } from '../../lib/failure.ts';
import { add, expand, inOrder, map, matmul, multiply, pad, scalar, slice, subtract, sum, type Value } from './value.ts';

/**
 * The derivatives of `loss` (1 × 1) by each value in `by`, as expressions, by reverse accumulation (Linnainmaa 1976).
 * `loss` must depend on each of them.
 */
export function gradients(loss: Value, by: readonly Value[]): Value[] {
  assert(loss.rows === 1 && loss.columns === 1, 'a loss is one number');
  const received = new Map<Value, Value>([[loss, scalar(1)]]);
  for (const value of inOrder([loss]).reverse()) {
    const gradient = received.get(value)!;
    for (const [p, part] of pullBack(value, gradient).entries()) {
      const of = value.of[p];
      const before = received.get(of);
      received.set(of, before === undefined ? part : add(before, part));
    }
  }
  return by.map((value) => {
    const gradient = received.get(value);
    assert(gradient !== undefined, 'the loss depends on what it is derived by');
    return gradient;
  });
}

/** The gradients of a value's operands, given the gradient of the value. */
function pullBack(value: Value, gradient: Value): Value[] {
  const { operation, of } = value;
  const [a, b] = of;
  switch (operation.kind) {
    case 'input':
    case 'constant':
      return [];
    case 'matmul': {
      const { isLeftTransposed, isRightTransposed } = operation;
      return [
        isLeftTransposed
          ? matmul(b!, gradient, { a: isRightTransposed, b: true })
          : matmul(gradient, b!, { b: !isRightTransposed }),
        isRightTransposed
          ? matmul(gradient, a!, { a: true, b: isLeftTransposed })
          : matmul(a!, gradient, { a: !isLeftTransposed }),
      ];
    }
    case 'add':
      return [reduceTo(gradient, a!), reduceTo(gradient, b!)];
    case 'subtract':
      return [reduceTo(gradient, a!), map('negate', reduceTo(gradient, b!))];
    case 'multiply':
      return [reduceTo(multiply(gradient, b!), a!), reduceTo(multiply(gradient, a!), b!)];
    case 'exp':
      return [multiply(gradient, value)];
    case 'log':
      return [multiply(gradient, map('reciprocal', a!))];
    case 'sqrt':
      return [multiply(gradient, multiply(map('reciprocal', value), scalar(0.5)))];
    case 'reciprocal':
      return [map('negate', multiply(gradient, multiply(value, value)))];
    case 'sigmoid':
      return [multiply(gradient, multiply(value, subtract(scalar(1), value)))];
    case 'softplus':
      return [multiply(gradient, map('sigmoid', a!))];
    case 'negate':
      return [map('negate', gradient)];
    case 'logSoftmax':
      return [subtract(gradient, multiply(map('exp', value), sum(gradient, 'columns')))];
    case 'sum':
      return [expand(gradient, a!.rows, a!.columns)];
    case 'expand':
      return [reduceTo(gradient, a!)];
    case 'slice': {
      const { axis, from } = operation;
      return [pad(gradient, axis, from, axis === 'rows' ? a!.rows : a!.columns)];
    }
    case 'pad': {
      const { axis, before } = operation;
      return [slice(gradient, axis, before, axis === 'rows' ? a!.rows : a!.columns)];
    }
    case 'join': {
      const { axis } = operation;
      let from = 0;
      return of.map((part) => {
        const length = axis === 'rows' ? part.rows : part.columns;
        from += length;
        return slice(gradient, axis, from - length, length);
      });
    }
  }
}

/** Sums a gradient over the repetitions of an expanded value, to the shape of that value. */
function reduceTo(gradient: Value, { rows, columns }: Value): Value {
  let reduced = gradient;
  if (rows === 1 && reduced.rows > 1) reduced = sum(reduced, 'rows');
  if (columns === 1 && reduced.columns > 1) reduced = sum(reduced, 'columns');
  return expand(reduced, rows, columns);
}
