import { assert } from '../../lib/failure.ts';
import {
  add,
  constant,
  logSoftmax,
  map,
  matmul,
  mean,
  multiply,
  scale,
  subtract,
  sum,
  total,
  type Value,
} from './value.ts';

/**
 * The mean of (predicted - target)² over the entries that count. All have one shape. `mask` is 1 where an entry counts,
 * else 0. `share` (1 × 1, fed with the batch) is 1 / the number of ones in `mask`, or 0 when there are none.
 */
export function maskedSquares(predicted: Value, target: Value, mask: Value, share: Value): Value {
  const difference = subtract(predicted, target);
  return meanOf(multiply(difference, difference), mask, share);
}

/**
 * The mean of -log p(target) under p = sigmoid(margin), for targets from 0 to 1; `mask` and `share` as in
 * `maskedSquares`.
 */
export function maskedLogistic(margin: Value, target: Value, mask: Value, share: Value): Value {
  return meanOf(subtract(map('softplus', margin), multiply(margin, target)), mask, share);
}

function meanOf(losses: Value, mask: Value, share: Value): Value {
  return multiply(total(multiply(losses, mask)), share);
}

/**
 * InfoNCE (van den Oord et al. 2018) in both directions: row i of `a` belongs to row i of `b`, and the other rows of
 * the batch are the negatives. Rows have length 1. `excluded` (n × n, fed with the batch) is a large negative number
 * where row i and row j are alike and thus no negatives of each other, else 0.
 */
export function contrast(a: Value, b: Value, temperature: number, excluded: Value): Value {
  assert(a.rows === b.rows && a.columns === b.columns, 'as many rows on both sides');
  const n = a.rows;
  const own = constant(
    Float32Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) === k % n ? 1 : 0)),
    n,
    n,
  );
  const towards = (from: Value, to: Value) => {
    const cosines = scale(matmul(from, to, { b: true }), 1 / temperature);
    return map('negate', mean(sum(multiply(logSoftmax(add(cosines, excluded)), own), 'columns'), 'rows'));
  };
  return scale(add(towards(a, b), towards(b, a)), 0.5);
}
