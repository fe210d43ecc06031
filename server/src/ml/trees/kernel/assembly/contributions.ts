/**
 * Adds the exact path-dependent Shapley values (Lundberg et al. 2018) of a list of trees to per-feature columns, four
 * rows at a time. What a tree gives depends on a row only through which of its tests hold. Every tree is cut into pieces
 * of few enough tests to tabulate all their outcomes once per model (the idea of Fast TreeSHAP v2, Yang 2021); leaves
 * whose paths are too long for a table are computed here.
 *
 * program: one record per tree, written by layout.ts: u32 size in bytes, tests, pieces; per test a byte offset into
 * values, f32 threshold, all ones where missing goes right; then the pieces. A piece: u32 size, terms, features, table
 * address or 0; per term a step, literals, and per literal a byte offset into outcomes and all ones where the test must
 * go left; per feature a byte offset into phi; without a table, see `addDeepLeaf`.
 * values: float32 columns. phi: float64 columns. outcomes: scratch, 16 bytes per test. deep: scratch of 33 float64.
 */
export function addContributions(
  program: usize,
  programEnd: usize,
  values: usize,
  phi: usize,
  groups: u32,
  outcomes: usize,
  deep: usize,
): void {
  for (let tree = program; tree < programEnd; tree += <usize>load<u32>(tree)) {
    const tests = tree + 12;
    const testsEnd = tests + <usize>load<u32>(tree, 4) * 12;
    const pieces = load<u32>(tree, 8);
    for (let group: u32 = 0; group < groups; group++) {
      const row = values + (<usize>group << 4);
      let outcome = outcomes;
      for (let test = tests; test < testsEnd; test += 12, outcome += 16) {
        const value = v128.load(row + <usize>load<u32>(test));
        const isMissing = v128.and(f32x4.ne(value, value), v128.load32_splat(test, 8));
        v128.store(outcome, v128.or(f32x4.gt(value, v128.load32_splat(test, 4)), isMissing));
      }
      let piece = testsEnd;
      for (let k: u32 = 0; k < pieces; k++) {
        addPiece(piece, phi + (<usize>group << 5), outcomes, deep);
        piece += <usize>load<u32>(piece);
      }
    }
  }
}

@inline
function addPiece(piece: usize, phi: usize, outcomes: usize, deep: usize): void {
  const terms = load<u32>(piece, 4);
  const features = load<u32>(piece, 8);
  const table = load<u32>(piece, 12);
  let entry = i32x4.splat(table);
  let at = piece + 16;
  for (let term: u32 = 0; term < terms; term++) {
    const step = v128.load32_splat(at);
    const end = at + 8 + (<usize>load<u32>(at, 4) << 3);
    let holds = i32x4.splat(-1);
    for (at += 8; at < end; at += 8) {
      holds = v128.and(holds, v128.xor(v128.load(outcomes + <usize>load<u32>(at)), v128.load32_splat(at, 4)));
    }
    entry = i32x4.add(entry, v128.and(holds, step));
  }
  let e0 = <usize>i32x4.extract_lane(entry, 0);
  let e1 = <usize>i32x4.extract_lane(entry, 1);
  let e2 = <usize>i32x4.extract_lane(entry, 2);
  let e3 = <usize>i32x4.extract_lane(entry, 3);
  const columnsEnd = at + (<usize>features << 2);
  if (table == 0) {
    addDeepLeaf(at, features, <u32>e0, phi, deep);
    addDeepLeaf(at, features, <u32>e1, phi + 8, deep);
    addDeepLeaf(at, features, <u32>e2, phi + 16, deep);
    addDeepLeaf(at, features, <u32>e3, phi + 24, deep);
    return;
  }
  for (; at < columnsEnd; at += 4, e0 += 8, e1 += 8, e2 += 8, e3 += 8) {
    const column = phi + <usize>load<u32>(at);
    const low = v128.load_lane<f64>(e1, v128.load_zero<f64>(e0), 1);
    const high = v128.load_lane<f64>(e3, v128.load_zero<f64>(e2), 1);
    v128.store(column, f64x2.add(v128.load(column), low));
    v128.store(column, f64x2.add(v128.load(column, 16), high), 16);
  }
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
