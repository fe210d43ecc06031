type Pair = { readonly input: Float32Array; readonly output: Float32Array };

/**
 * The linear map from the first `dimension` numbers of inputs to those of outputs with the least squared error, with a
 * ridge: W = (XᵀX + ridge I)⁻¹ Xᵀ Y (Hoerl & Kennard 1970). With fewer pairs than numbers it is solved with n × n inner
 * products. Prefixes are first scaled to length 1.
 */
export function solveRidgeMap(
  pairs: readonly Pair[],
  dimension: number,
  ridge: number,
): (input: Float32Array) => Float64Array {
  const inputs = pairs.map(({ input }) => unitPrefix(input, dimension));
  const outputs = pairs.map(({ output }) => unitPrefix(output, dimension));
  const isWide = pairs.length < dimension;
  const size = isWide ? pairs.length : dimension;
  const gram = new Float64Array(size * size);
  if (isWide) {
    for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) gram[i * size + j] = dotOf(inputs[i], inputs[j]);
  } else {
    for (const x of inputs)
      for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) gram[i * size + j] = gram[i * size + j] + x[i] * x[j];
  }
  for (let i = 0; i < size; i++) gram[i * size + i] = gram[i * size + i] + ridge;
  factor(gram, size);
  // After solving, row i of `right` is the contribution of input number i, or of pair i, to an output.
  const right = isWide ? outputs.map((y) => y.slice()) : crossProducts(inputs, outputs, dimension);
  solve(gram, size, right);
  return (input) => {
    const x = unitPrefix(input, dimension);
    const shares = isWide ? inputs.map((each) => dotOf(each, x)) : x;
    const out = new Float64Array(dimension);
    for (const [i, row] of right.entries()) for (let j = 0; j < dimension; j++) out[j] = out[j] + shares[i] * row[j];
    return out;
  };
}

function unitPrefix(vector: Float32Array, dimension: number): Float64Array {
  const cut = Float64Array.from(vector.subarray(0, dimension));
  const length = Math.sqrt(dotOf(cut, cut));
  return length === 0 ? cut : cut.map((value) => value / length);
}

function crossProducts(inputs: readonly Float64Array[], outputs: readonly Float64Array[], n: number): Float64Array[] {
  const rows = Array.from({ length: n }, () => new Float64Array(n));
  for (const [p, x] of inputs.entries()) {
    const y = outputs[p];
    for (let i = 0; i < n; i++) {
      const [share, row] = [x[i], rows[i]];
      for (let j = 0; j < n; j++) row[j] = row[j] + share * y[j];
    }
  }
  return rows;
}

/** Cholesky factorisation in place, in the lower triangle. */
function factor(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i === j ? Math.sqrt(sum) : sum / a[j * n + j];
    }
  }
}

/** Solves L Lᵀ X = B in place; row i of B is right[i]. */
function solve(l: Float64Array, n: number, right: readonly Float64Array[]): void {
  const take = (to: Float64Array, factorOf: number, from: Float64Array) => {
    for (let k = 0; k < to.length; k++) to[k] = to[k] - factorOf * from[k];
  };
  const divide = (row: Float64Array, by: number) => {
    for (let k = 0; k < row.length; k++) row[k] = row[k] / by;
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) take(right[i], l[i * n + j], right[j]);
    divide(right[i], l[i * n + i]);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) take(right[i], l[j * n + i], right[j]);
    divide(right[i], l[i * n + i]);
  }
}

function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
