/**
 * Sets out[i, j] to Σ_k a[i, k] · b[j, k], or adds it when `adds`. All are row-major: a has `rows` rows and b has
 * `columns` rows, each of `inner` numbers; rows and columns are multiples of four. Each sum runs in order of k, so a
 * result does not depend on the other rows.
 */
export function multiply(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  rows: number,
  columns: number,
  inner: number,
  adds: boolean,
): void {
  for (let j = 0; j < columns; j += 4) {
    const [b0, b1, b2, b3] = [j * inner, (j + 1) * inner, (j + 2) * inner, (j + 3) * inner];
    for (let i = 0; i < rows; i += 4) {
      const [a0, a1, a2, a3] = [i * inner, (i + 1) * inner, (i + 2) * inner, (i + 3) * inner];
      // Sixteen sums at once: every number read is used four times, which takes less than half the time of a plain
      // loop.
      let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0];
      let [s20, s21, s22, s23, s30, s31, s32, s33] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let k = 0; k < inner; k++) {
        const x0 = a[a0 + k];
        const x1 = a[a1 + k];
        const x2 = a[a2 + k];
        const x3 = a[a3 + k];
        const y0 = b[b0 + k];
        const y1 = b[b1 + k];
        const y2 = b[b2 + k];
        const y3 = b[b3 + k];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s02 += x0 * y2;
        s03 += x0 * y3;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s12 += x1 * y2;
        s13 += x1 * y3;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s22 += x2 * y2;
        s23 += x2 * y3;
        s30 += x3 * y0;
        s31 += x3 * y1;
        s32 += x3 * y2;
        s33 += x3 * y3;
      }
      put4(out, i * columns + j, s00, s01, s02, s03, adds);
      put4(out, (i + 1) * columns + j, s10, s11, s12, s13, adds);
      put4(out, (i + 2) * columns + j, s20, s21, s22, s23, adds);
      put4(out, (i + 3) * columns + j, s30, s31, s32, s33, adds);
    }
  }
}

function put4(out: Float64Array, at: number, a: number, b: number, c: number, d: number, adds: boolean): void {
  if (adds) {
    out[at] += a;
    out[at + 1] += b;
    out[at + 2] += c;
    out[at + 3] += d;
    return;
  }
  out[at] = a;
  out[at + 1] = b;
  out[at + 2] = c;
  out[at + 3] = d;
}

/** out[j, i] = a[i, j], for a with `rows` rows and `columns` columns. */
export function transpose(out: Float64Array, a: Float64Array, rows: number, columns: number): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j];
  }
}
