import { narrow } from './codes';

/**
 * Adds the exact path-dependent Shapley values (Lundberg et al. 2018) of a list of trees to per-feature columns, sixteen
 * rows at a time. What a tree gives depends on a row only through which of its tests hold. Every tree is cut into pieces
 * of few enough tests to tabulate all their outcomes once per model (the idea of Fast TreeSHAP v2, Yang 2021); leaves
 * whose paths are too long for a table are computed here.
 *
 * program: one record per tree, written by layout.ts: u32 size in bytes, tests, pieces; per test a byte offset into
 * values, f32 threshold, 1 where missing goes right; then the pieces. A piece: u32 size, terms, features, table address
 * or 0; per term its bit of its byte of the row's pattern, four times over, literals, and per literal a byte offset into
 * outcomes and all ones where the test must go left; per feature a byte offset into phi; without a table, see `addDeepLeaf`.
 * values: float32 columns, whose rows are filled up to a multiple of sixteen. phi: float64 columns, of which a multiple of
 * four rows is written. outcomes: scratch, 16 bytes per test. patterns: scratch, 64 bytes. deep: scratch of 33 float64.
 */
export function addContributions(
  program: usize,
  programEnd: usize,
  values: usize,
  phi: usize,
  rows: u32,
  outcomes: usize,
  patterns: usize,
  deep: usize,
): void {
  for (let tree = program; tree < programEnd; tree += <usize>load<u32>(tree)) {
    const tests = tree + 12;
    const testsEnd = tests + <usize>load<u32>(tree, 4) * 12;
    const pieces = load<u32>(tree, 8);
    for (let first: u32 = 0; first < rows; first += 16) {
      const row = values + (<usize>first << 2);
      let outcome = outcomes;
      for (let test = tests; test < testsEnd; test += 12, outcome += 16) {
        v128.store(outcome, goesRight(row + <usize>load<u32>(test), v128.load32_splat(test, 4), load<u32>(test, 8)));
      }
      let piece = testsEnd;
      for (let k: u32 = 0; k < pieces; k++) {
        addPiece(piece, phi + (<usize>first << 3), min<u32>(16, rows - first), outcomes, patterns, deep);
        piece += <usize>load<u32>(piece);
      }
    }
  }
}

@inline
function goesRight(row: usize, threshold: v128, missingRight: u32): v128 {
  const a = v128.load(row);
  const b = v128.load(row, 16);
  const c = v128.load(row, 32);
  const d = v128.load(row, 48);
  // A missing value is neither above nor below.
  if (missingRight) {
    return v128.not(
      narrow(f32x4.le(a, threshold), f32x4.le(b, threshold), f32x4.le(c, threshold), f32x4.le(d, threshold)),
    );
  }
  return narrow(f32x4.gt(a, threshold), f32x4.gt(b, threshold), f32x4.gt(c, threshold), f32x4.gt(d, threshold));
}

@inline
function addPiece(piece: usize, phi: usize, rows: u32, outcomes: usize, patterns: usize, deep: usize): void {
  const terms = load<u32>(piece, 4);
  const features = load<u32>(piece, 8);
  const table = <usize>load<u32>(piece, 12);
  let pattern = i32x4.splat(0);
  let at = piece + 16;
  for (let term: u32 = 0; term < terms; term++) {
    const bit = v128.load32_splat(at);
    const end = at + 8 + (<usize>load<u32>(at, 4) << 3);
    let holds = i32x4.splat(-1);
    for (at += 8; at < end; at += 8) {
      holds = v128.and(holds, v128.xor(v128.load(outcomes + <usize>load<u32>(at)), v128.load32_splat(at, 4)));
    }
    pattern = v128.or(pattern, v128.and(holds, bit));
    if ((term & 7) != 7) continue;
    v128.store(patterns + (<usize>(term >> 3) << 4), pattern);
    pattern = i32x4.splat(0);
  }
  v128.store(patterns + (<usize>(terms >> 3) << 4), pattern);
  if (table == 0) {
    for (let r: usize = 0; r < <usize>rows; r++) {
      addDeepLeaf(at, features, patternOf(patterns + r, terms), phi + (r << 3), deep);
    }
    return;
  }
  const entryBytes = <usize>features << 3;
  const columnsEnd = at + (<usize>features << 2);
  for (let r: usize = 0; r < <usize>rows; r += 4) {
    let e0 = table + <usize>load<u8>(patterns + r) * entryBytes;
    let e1 = table + <usize>load<u8>(patterns + r, 1) * entryBytes;
    let e2 = table + <usize>load<u8>(patterns + r, 2) * entryBytes;
    let e3 = table + <usize>load<u8>(patterns + r, 3) * entryBytes;
    const four = phi + (r << 3);
    for (let c = at; c < columnsEnd; c += 4, e0 += 8, e1 += 8, e2 += 8, e3 += 8) {
      const column = four + <usize>load<u32>(c);
      const low = v128.load_lane<f64>(e1, v128.load_zero<f64>(e0), 1);
      const high = v128.load_lane<f64>(e3, v128.load_zero<f64>(e2), 1);
      v128.store(column, f64x2.add(v128.load(column), low));
      v128.store(column, f64x2.add(v128.load(column, 16), high), 16);
    }
  }
}

/** A row's bits, which stand in a byte of each sixteen. */
@inline
function patternOf(patterns: usize, terms: u32): u32 {
  let pattern: u32 = 0;
  for (let byte: u32 = 0; byte << 3 < terms; byte++) {
    pattern |= <u32>load<u8>(patterns + (<usize>byte << 4)) << (byte << 3);
  }
  return pattern;
}

/**
 * One leaf, one row, in O(d²): the same operations in the same order as `leafShapley` in shapley.ts, which explains them.
 * columns: d × u32 offset into phi, then f64 value, d × f64 cover share, d × f64 coalition weight. pattern: bit j, the
 * row satisfies feature j. polynomial: scratch of d + 1 float64.
 */
function addDeepLeaf(columns: usize, d: u32, pattern: u32, phi: usize, polynomial: usize): void {
  const shares = columns + (<usize>d << 2) + 8;
  const weights = shares + (<usize>d << 3);
  let unsatisfied = load<f64>(shares - 8);
  let degree: u32 = 0;
  store<f64>(polynomial, 1);
  for (let j: u32 = 0; j < d; j++) {
    const share = load<f64>(shares + (<usize>j << 3));
    if (((pattern >> j) & 1) == 0) {
      unsatisfied *= share;
      continue;
    }
    store<f64>(polynomial + (<usize>(degree + 1) << 3), load<f64>(polynomial + (<usize>degree << 3)));
    for (let k = degree; k > 0; k--) {
      const at = polynomial + (<usize>k << 3);
      store<f64>(at, load<f64>(at) * share + load<f64>(at - 8));
    }
    store<f64>(polynomial, load<f64>(polynomial) * share);
    degree++;
  }
  let outside: f64 = 0;
  if (degree < d) {
    for (let k: u32 = 0; k <= degree; k++) {
      outside += load<f64>(polynomial + (<usize>k << 3)) * load<f64>(weights + (<usize>k << 3));
    }
  }
  const absent = -unsatisfied * outside;
  for (let j: u32 = 0; j < d; j++) {
    const at = phi + <usize>load<u32>(columns + (<usize>j << 2));
    if (((pattern >> j) & 1) == 0) {
      store<f64>(at, load<f64>(at) + absent);
      continue;
    }
    const share = load<f64>(shares + (<usize>j << 3));
    let quotient: f64 = 0;
    let inside: f64 = 0;
    for (let k = degree; k > 0; k--) {
      quotient = load<f64>(polynomial + (<usize>k << 3)) - share * quotient;
      inside += quotient * load<f64>(weights + (<usize>(k - 1) << 3));
    }
    store<f64>(at, load<f64>(at) + unsatisfied * (1 - share) * inside);
  }
}
