import { normalQuantile } from './ranks.ts';

/**
 * The p-quantile of Student's t distribution, p in (0, 1), from the normal quantile by the expansion of Fisher &
 * Cornish (1960; Abramowitz & Stegun 26.7.5). With 20 degrees of freedom or more within 1 % up to p = 1 − 10⁻⁷; with
 * fewer it falls short far out.
 */
export function studentQuantile(p: number, degrees: number): number {
  const z = normalQuantile(p);
  const [z3, z5, z7, z9] = [z ** 3, z ** 5, z ** 7, z ** 9];
  return (
    z +
    (z3 + z) / (4 * degrees) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees ** 3) +
    (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * degrees ** 4)
  );
}
