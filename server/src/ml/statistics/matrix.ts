/**
 * Numeric features of some rows, column-major: feature f of row r is `values[f * rows + r]`.
 * NaN means missing; infinities are values like any other.
 */
export type FeatureMatrix = {
  readonly rows: number;
  readonly features: number;
  readonly values: Float32Array;
};
