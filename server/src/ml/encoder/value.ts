import { assert } from '../../lib/failure.ts';

/**
 * An expression for a float32 matrix: an operation on other matrices, all with known shapes. A row is 1 × n, a number 1
 * × 1. Values are plain data made by the functions below. An expression is its own graph, so it contains only what its
 * result needs.
 */
export type Value = {
  readonly operation: Operation;
  readonly of: readonly Value[];
  readonly rows: number;
  readonly columns: number;
};

/** `rows`: an operation works along each column, across the rows; `columns`: along each row, across the columns. */
export type Axis = 'rows' | 'columns';

export type Operation =
  /** Fed when the graph runs: data or a parameter. */
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'constant'; readonly values: Float32Array }
  | { readonly kind: 'matmul'; readonly isLeftTransposed: boolean; readonly isRightTransposed: boolean }
  | { readonly kind: 'add' | 'subtract' | 'multiply' }
  | { readonly kind: Elementwise }
  /** Log-softmax of each row. */
  | { readonly kind: 'logSoftmax' }
  | { readonly kind: 'sum'; readonly over: Axis }
  /** Repeats a row, column or number to fill the shape. */
  | { readonly kind: 'expand' }
  | { readonly kind: 'slice'; readonly axis: Axis; readonly from: number }
  /** Adds zeros before and after. */
  | { readonly kind: 'pad'; readonly axis: Axis; readonly before: number }
  | { readonly kind: 'join'; readonly axis: Axis };

export type Elementwise = 'exp' | 'log' | 'sqrt' | 'reciprocal' | 'sigmoid' | 'softplus' | 'negate';

export function input(name: string, rows: number, columns: number): Value {
  return { operation: { kind: 'input', name }, of: [], rows, columns };
}

/** values: rows × columns in row order. */
export function constant(values: Float32Array, rows: number, columns: number): Value {
  assert(values.length === rows * columns, 'a constant fills its shape');
  return { operation: { kind: 'constant', values }, of: [], rows, columns };
}

export function scalar(value: number): Value {
  return constant(Float32Array.of(value), 1, 1);
}

/** The product of a (or its transpose) and b (or its transpose). */
export function matmul(a: Value, b: Value, transposed: { a?: boolean; b?: boolean } = {}): Value {
  const isLeftTransposed = transposed.a ?? false;
  const isRightTransposed = transposed.b ?? false;
  const [rows, inner] = isLeftTransposed ? [a.columns, a.rows] : [a.rows, a.columns];
  const [same, columns] = isRightTransposed ? [b.columns, b.rows] : [b.rows, b.columns];
  assert(inner === same, `a matrix with ${inner} columns times one with ${same} rows`);
  return { operation: { kind: 'matmul', isLeftTransposed, isRightTransposed }, of: [a, b], rows, columns };
}

/** Elementwise sum. Like difference and product, it repeats a side of length 1 to the length of the other. */
export function add(a: Value, b: Value): Value {
  return combine('add', a, b);
}

export function subtract(a: Value, b: Value): Value {
  return combine('subtract', a, b);
}

export function multiply(a: Value, b: Value): Value {
  return combine('multiply', a, b);
}

function combine(kind: 'add' | 'subtract' | 'multiply', a: Value, b: Value): Value {
  const fit = (left: number, right: number) => left === right || left === 1 || right === 1;
  assert(
    fit(a.rows, b.rows) && fit(a.columns, b.columns),
    `${kind} ${a.rows} × ${a.columns} and ${b.rows} × ${b.columns}`,
  );
  return {
    operation: { kind },
    of: [a, b],
    rows: Math.max(a.rows, b.rows),
    columns: Math.max(a.columns, b.columns),
  };
}

export function scale(a: Value, by: number): Value {
  return multiply(a, scalar(by));
}

export function map(kind: Elementwise, a: Value): Value {
  return { operation: { kind }, of: [a], rows: a.rows, columns: a.columns };
}

export function logSoftmax(a: Value): Value {
  return { operation: { kind: 'logSoftmax' }, of: [a], rows: a.rows, columns: a.columns };
}

/** Over rows: one row of column sums. Over columns: one column of row sums. */
export function sum(a: Value, over: Axis): Value {
  const isRows = over === 'rows';
  return { operation: { kind: 'sum', over }, of: [a], rows: isRows ? 1 : a.rows, columns: isRows ? a.columns : 1 };
}

/** The sum of all elements, 1 × 1. */
export function total(a: Value): Value {
  return sum(sum(a, 'columns'), 'rows');
}

export function mean(a: Value, over: Axis): Value {
  return scale(sum(a, over), 1 / (over === 'rows' ? a.rows : a.columns));
}

export function expand(a: Value, rows: number, columns: number): Value {
  const isSame = a.rows === rows && a.columns === columns;
  assert((a.rows === rows || a.rows === 1) && (a.columns === columns || a.columns === 1), 'only length 1 is repeated');
  return isSame ? a : { operation: { kind: 'expand' }, of: [a], rows, columns };
}

/** Rows, or columns, from … from + count - 1. */
export function slice(a: Value, axis: Axis, from: number, count: number): Value {
  const isRows = axis === 'rows';
  const length = isRows ? a.rows : a.columns;
  assert(from >= 0 && count > 0 && from + count <= length, `${axis} ${from} to ${from + count} of ${length}`);
  if (count === length) return a;
  const shape = isRows ? { rows: count, columns: a.columns } : { rows: a.rows, columns: count };
  return { operation: { kind: 'slice', axis, from }, of: [a], ...shape };
}

/** Adds zeros before the rows or columns of a, and after them up to a total of `length`. */
export function pad(a: Value, axis: Axis, before: number, length: number): Value {
  const shape = axis === 'rows' ? { rows: length, columns: a.columns } : { rows: a.rows, columns: length };
  return { operation: { kind: 'pad', axis, before }, of: [a], ...shape };
}

/** Stacks values vertically (`rows`) or horizontally (`columns`). */
export function join(parts: readonly Value[], axis: Axis): Value {
  const [first] = parts;
  assert(first !== undefined, 'something to join');
  const isRows = axis === 'rows';
  assert(
    parts.every((part) => (isRows ? part.columns === first.columns : part.rows === first.rows)),
    'joined values share the other side',
  );
  const length = parts.reduce((n, part) => n + (isRows ? part.rows : part.columns), 0);
  if (parts.length === 1) return first;
  const shape = isRows ? { rows: length, columns: first.columns } : { rows: first.rows, columns: length };
  return { operation: { kind: 'join', axis }, of: parts, ...shape };
}

/** The values that the results need, each after its operands. The order depends only on the expression. */
export function inOrder(results: readonly Value[]): Value[] {
  const order: Value[] = [];
  const seen = new Set<Value>();
  // Depth first with an explicit stack: a deep network would overflow the call stack.
  const open: { value: Value; next: number }[] = [];
  const enter = (value: Value) => {
    if (seen.has(value)) return;
    seen.add(value);
    open.push({ value, next: 0 });
  };
  for (const result of results) {
    enter(result);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const part = top.value.of[top.next++];
      if (part !== undefined) enter(part);
      else order.push(open.pop()!.value);
    }
  }
  return order;
}
