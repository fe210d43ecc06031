import { inOrder, type Value } from '../../../src/ml/encoder/value.ts';

/** Values of inputs by name, in row order. */
export type Given = Readonly<Record<string, ArrayLike<number>>>;

/** An expression worked out element by element in float64: what the compiled float32 graph is held against. */
export function workOut(result: Value, given: Given): Float64Array {
  const done = new Map<Value, Float64Array>();
  for (const value of inOrder([result])) {
    const { operation, rows, columns } = value;
    const parts = value.of.map((part): Operand => ({ ...part, values: done.get(part)! }));
    if (operation.kind === 'input') done.set(value, Float64Array.from(given[operation.name]));
    else if (operation.kind === 'constant') done.set(value, Float64Array.from(operation.values));
    else {
      const element = (_: unknown, k: number) => elementOf(value, parts, Math.floor(k / columns), k % columns);
      done.set(value, Float64Array.from({ length: rows * columns }, element));
    }
  }
  return done.get(result)!;
}

type Operand = { readonly values: Float64Array; readonly rows: number; readonly columns: number };

/** Element of a part; a side of length 1 is repeated. */
function at({ values, rows, columns }: Operand, row: number, column: number): number {
  return values[(rows === 1 ? 0 : row) * columns + (columns === 1 ? 0 : column)];
}

function elementOf({ operation }: Value, parts: readonly Operand[], row: number, column: number): number {
  const [a, b] = parts;
  const x = () => at(a!, row, column);
  const range = (length: number) => Array.from({ length }, (_, k) => k);
  const sumOf = (terms: readonly number[]) => terms.reduce((sum, term) => sum + term, 0);
  switch (operation.kind) {
    case 'input':
    case 'constant':
      throw new Error('an input has its values');
    case 'matmul': {
      const { isLeftTransposed, isRightTransposed } = operation;
      return sumOf(
        range(isLeftTransposed ? a!.rows : a!.columns).map(
          (k) =>
            a!.values[isLeftTransposed ? k * a!.columns + row : row * a!.columns + k] *
            b!.values[isRightTransposed ? column * b!.columns + k : k * b!.columns + column],
        ),
      );
    }
    case 'add':
      return x() + at(b!, row, column);
    case 'subtract':
      return x() - at(b!, row, column);
    case 'multiply':
      return x() * at(b!, row, column);
    case 'exp':
      return Math.exp(x());
    case 'log':
      return Math.log(x());
    case 'sqrt':
      return Math.sqrt(x());
    case 'reciprocal':
      return 1 / x();
    case 'sigmoid':
      return 1 / (1 + Math.exp(-x()));
    case 'softplus':
      return Math.log1p(Math.exp(x()));
    case 'negate':
      return -x();
    case 'logSoftmax':
      return x() - Math.log(sumOf(range(a!.columns).map((c) => Math.exp(at(a!, row, c)))));
    case 'sum':
      return operation.over === 'rows'
        ? sumOf(range(a!.rows).map((r) => at(a!, r, column)))
        : sumOf(range(a!.columns).map((c) => at(a!, row, c)));
    case 'expand':
      return x();
    case 'slice': {
      const { axis, from } = operation;
      return axis === 'rows' ? at(a!, row + from, column) : at(a!, row, column + from);
    }
    case 'pad': {
      const { axis, before } = operation;
      const [r, c] = axis === 'rows' ? [row - before, column] : [row, column - before];
      return r < 0 || c < 0 || r >= a!.rows || c >= a!.columns ? 0 : a!.values[r * a!.columns + c];
    }
    case 'join': {
      let from = 0;
      for (const part of parts) {
        const length = operation.axis === 'rows' ? part.rows : part.columns;
        const place = (operation.axis === 'rows' ? row : column) - from;
        if (place < length)
          return operation.axis === 'rows'
            ? part.values[place * part.columns + column]
            : part.values[row * part.columns + place];
        from += length;
      }
      throw new Error('a place in one of the parts');
    }
  }
}
