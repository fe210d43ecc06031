const roundingMargin: f64 = 1 + 1e-9;
/** Below a score by more than any rounding. */
const surelyBelow: f64 = 1 - 1e-9;

/**
 * Finds the best split of a node over all features of its histogram. The score of a split is
 * GL² / (HL + λ) + GR² / (HR + λ) in fixed-point units (XGBoost, Chen & Guestrin 2016, eq. 7); it must exceed the node's
 * own G² / (H + λ) by more than rounding. Missing values (bin 0) are tried on both sides. A cut after an empty bin is
 * skipped, as it parts the rows like the one before it. Ties keep the first: lowest feature, lowest bin, missing right.
 * bins: u32 per feature, the last value bin. out: f64 score above the node's own, then u32 feature, last left bin,
 * missing (0 right, 1 left, 2 none seen). Returns false, leaving out as it is, when no split is allowed or worth it.
 */
export function findSplit(
  histogram: usize,
  offsets: usize,
  bins: usize,
  features: u32,
  countBits: u32,
  l2: f64,
  childWeightMin: f64,
  leafRowsMin: u32,
  out: usize,
): bool {
  const shift = <i64>countBits;
  const countMask = (<i64>1 << shift) - 1;
  let gradientTotal: i64 = 0;
  let cellTotal: i64 = 0;
  const first = histogram + <usize>load<u32>(offsets);
  const firstEnd = first + (<usize>load<u32>(bins) << 4);
  for (let at = first; at <= firstEnd; at += 16) {
    gradientTotal += load<i64>(at);
    cellTotal += load<i64>(at, 8);
  }
  const totalGradient = <f64>gradientTotal;
  const totalHessian = <f64>(cellTotal >> shift);
  const totalRows = cellTotal & countMask;
  const rowsMin = <i64>leafRowsMin;
  const nodeScore = (totalGradient * totalGradient) / (totalHessian + l2);
  let best = nodeScore * roundingMargin;
  let bestBelow = best * surelyBelow;
  let bestFeature: u32 = 0;
  let bestBin: u32 = 0;
  let bestMissing: u32 = 0;
  let found = false;
  for (let f: u32 = 0; f < features; f++) {
    const base = histogram + <usize>load<u32>(offsets + (<usize>f << 2));
    const lastBin = load<u32>(bins + (<usize>f << 2));
    const missingCell = load<i64>(base, 8);
    const missingRows = missingCell & countMask;
    const missingSide: u32 = missingRows == 0 ? 2 : 0;
    // Lane 0 has missing values on the right, lane 1 on the left.
    const missingGradients = f64x2.replace_lane(f64x2.splat(0), 1, <f64>load<i64>(base));
    const missingHessians = f64x2.replace_lane(f64x2.splat(0), 1, <f64>(missingCell >> shift));
    let gradientSum: i64 = 0;
    let cellSum: i64 = 0;
    for (let b: u32 = 1; b <= lastBin; b++) {
      const at = base + (<usize>b << 4);
      const cell = load<i64>(at, 8);
      if (cell == 0) continue;
      gradientSum += load<i64>(at);
      cellSum += cell;
      const rows = cellSum & countMask;
      if (totalRows - rows < rowsMin) break;
      const gradients = f64x2.add(f64x2.splat(<f64>gradientSum), missingGradients);
      const hessians = f64x2.add(f64x2.splat(<f64>(cellSum >> shift)), missingHessians);
      const otherGradients = f64x2.sub(f64x2.splat(totalGradient), gradients);
      const otherHessians = f64x2.sub(f64x2.splat(totalHessian), hessians);
      const left = f64x2.add(hessians, f64x2.splat(l2));
      const right = f64x2.add(otherHessians, f64x2.splat(l2));
      // One division instead of two: a/b + c/d = (ad + cb) / bd.
      const over = f64x2.add(
        f64x2.mul(f64x2.mul(gradients, gradients), right),
        f64x2.mul(f64x2.mul(otherGradients, otherGradients), left),
      );
      const under = f64x2.mul(left, right);
      // Most cuts are far from the best, and are spared the division and what else decides.
      const mayBeBetter = f64x2.gt(over, f64x2.mul(f64x2.splat(bestBelow), under));
      if (!v128.any_true(mayBeBetter)) continue;
      if (rows >= rowsMin && isHeavy(f64x2.extract_lane(hessians, 0), totalHessian, childWeightMin)) {
        const score = f64x2.extract_lane(over, 0) / f64x2.extract_lane(under, 0);
        if (score > best) {
          best = score;
          bestBelow = best * surelyBelow;
          bestFeature = f;
          bestBin = b;
          bestMissing = missingSide;
          found = true;
        }
      }
      if (missingRows == 0 || rows + missingRows < rowsMin || totalRows - rows - missingRows < rowsMin) continue;
      if (isHeavy(f64x2.extract_lane(hessians, 1), totalHessian, childWeightMin)) {
        const score = f64x2.extract_lane(over, 1) / f64x2.extract_lane(under, 1);
        if (score > best) {
          best = score;
          bestBelow = best * surelyBelow;
          bestFeature = f;
          bestBin = b;
          bestMissing = 1;
          found = true;
        }
      }
    }
  }
  if (!found) return false;
  store<f64>(out, best - nodeScore);
  store<u32>(out, bestFeature, 8);
  store<u32>(out, bestBin, 12);
  store<u32>(out, bestMissing, 16);
  return true;
}

@inline
function isHeavy(hessian: f64, totalHessian: f64, childWeightMin: f64): bool {
  return hessian >= childWeightMin && totalHessian - hessian >= childWeightMin;
}
