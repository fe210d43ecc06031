const roundingMargin: f64 = 1 + 1e-9;

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
  let bestFeature: u32 = 0;
  let bestBin: u32 = 0;
  let bestMissing: u32 = 0;
  let found = false;
  for (let f: u32 = 0; f < features; f++) {
    const base = histogram + <usize>load<u32>(offsets + (<usize>f << 2));
    const lastBin = load<u32>(bins + (<usize>f << 2));
    const missingCell = load<i64>(base, 8);
    const missingGradient = <f64>load<i64>(base);
    const missingRows = missingCell & countMask;
    const missingHessian = <f64>(missingCell >> shift);
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
      const gradient = <f64>gradientSum;
      const hessian = <f64>(cellSum >> shift);
      if (rows >= rowsMin && hessian >= childWeightMin && totalHessian - hessian >= childWeightMin) {
        const score = splitScore(gradient, hessian + l2, totalGradient - gradient, totalHessian - hessian + l2);
        if (score > best) {
          best = score;
          bestFeature = f;
          bestBin = b;
          bestMissing = missingRows == 0 ? 2 : 0;
          found = true;
        }
      }
      if (missingRows == 0 || rows + missingRows < rowsMin || totalRows - rows - missingRows < rowsMin) continue;
      const leftGradient = gradient + missingGradient;
      const leftHessian = hessian + missingHessian;
      if (leftHessian >= childWeightMin && totalHessian - leftHessian >= childWeightMin) {
        const score = splitScore(leftGradient, leftHessian + l2, totalGradient - leftGradient, totalHessian - leftHessian + l2);
        if (score > best) {
          best = score;
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

// One division instead of two: a/b + c/d = (ad + cb) / bd.
@inline
function splitScore(leftGradient: f64, leftHessian: f64, rightGradient: f64, rightHessian: f64): f64 {
  return (
    (leftGradient * leftGradient * rightHessian + rightGradient * rightGradient * leftHessian) /
    (leftHessian * rightHessian)
  );
}
