import type { FeatureMatrix } from '../statistics/matrix.ts';

/**
 * Writes the columns of a fold encoder into `values`, a copy of the matrix, in place of those of the encoder, which are
 * `columns` from `from` on. Encoders forecast what had happened by the time they were trained, so that one may have
 * more forecasts than the other: those without a place are left out, and places without one are NaN, since the
 * encoder's own numbers have read the period that folds are evaluated on.
 */
export function placeFoldEmbeddings(
  values: Float32Array,
  { from, columns }: { readonly from: number; readonly columns: number },
  folds: FeatureMatrix,
): void {
  const { rows } = folds;
  const placed = Math.min(columns, folds.features) * rows;
  values.fill(Number.NaN, from * rows, (from + columns) * rows);
  values.set(folds.values.subarray(0, placed), from * rows);
}
