/** Σ x xᵀ over rows, row-major. Four rows at a time, so that the matrix is read a quarter as often. */
export function gramOf(rows: readonly Float64Array[], n: number): Float64Array {
  const gram = new Float64Array(n * n);
  const none = new Float64Array(n);
  for (let r = 0; r < rows.length; r += 4) {
    const [a, b, c, d] = [rows[r], rows[r + 1] ?? none, rows[r + 2] ?? none, rows[r + 3] ?? none];
    for (let i = 0; i < n; i++) {
      const [p, q, s, u] = [a[i], b[i], c[i], d[i]];
      if (p === 0 && q === 0 && s === 0 && u === 0) continue;
      const row = gram.subarray(i * n, i * n + n);
      for (let j = i; j < n; j++) row[j] = row[j] + p * a[j] + q * b[j] + s * c[j] + u * d[j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) gram[i * n + j] = gram[j * n + i];
  return gram;
}
