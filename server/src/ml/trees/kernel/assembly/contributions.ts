/**
 * Adds the exact path-dependent Shapley values (Lundberg et al. 2018) of a list of trees to per-feature columns, four
 * rows at a time. What a tree gives depends on a row only through which of its tests hold, so the values are read from
 * tables made once per model (the idea of Fast TreeSHAP v2, Yang 2021); paths too long for a table are computed here.
 *
 * program: one record per tree, see shapley.ts (`compileContributions`), which writes it. All offsets are in bytes:
 * `column` counts from `values` for tests, from `phi` for results (u32 of a float64 column). satisfied: scratch, 16
 * bytes per distinct feature of a tree. deep: scratch for one long path, see `addDeepLeaf`.
 */
export function addContributions(
  program: usize,
  programEnd: usize,
  values: usize,
  phi: usize,
  groups: u32,
  satisfied: usize,
  deep: usize,
): void {
  let p = program;
  while (p < programEnd) {
    const next = p + <usize>load<u32>(p);
    if (load<u32>(p, 4) == 0) addTabledTree(p, values, phi, groups);
    else addTreeByLeaf(p, values, phi, groups, satisfied, deep);
    p = next;
  }
}

/** Which lanes go right: larger than the threshold, or missing where missing goes right (all ones). */
// @ts-ignore: decorator
@inline
function goesRight(value: v128, test: usize): v128 {
  const isMissing = f32x4.ne(value, value);
  return v128.or(f32x4.gt(value, v128.load32_splat(test, 4)), v128.and(isMissing, v128.load32_splat(test, 8)));
}

/**
 * A tree with few tests: one table entry per pattern of outcomes.
 * Record: size, 0, tests, features, table address, then per test column, threshold, missing right, table step in bytes;
 * then per feature its phi column.
 */
function addTabledTree(record: usize, values: usize, phi: usize, groups: u32): void {
  const tests = record + 20;
  const testsEnd = tests + (<usize>load<u32>(record, 8) << 4);
  const featuresEnd = testsEnd + (<usize>load<u32>(record, 12) << 2);
  const table = load<u32>(record, 16);
  for (let group: u32 = 0; group < groups; group++) {
    let entry = i32x4.splat(table);
    const row = values + (<usize>group << 4);
    for (let test = tests; test < testsEnd; test += 16) {
      const isRight = goesRight(v128.load(row + <usize>load<u32>(test)), test);
      entry = i32x4.add(entry, v128.and(isRight, v128.load32_splat(test, 12)));
    }
    addLanes(entry, testsEnd, featuresEnd, phi + (<usize>group << 5));
  }
}

/** Adds one table entry per lane to the phi columns listed from `columns` to `columnsEnd`. */
// @ts-ignore: decorator
@inline
function addLanes(entry: v128, columns: usize, columnsEnd: usize, phi: usize): void {
  let e0 = <usize>i32x4.extract_lane(entry, 0);
  let e1 = <usize>i32x4.extract_lane(entry, 1);
  let e2 = <usize>i32x4.extract_lane(entry, 2);
  let e3 = <usize>i32x4.extract_lane(entry, 3);
  for (let c = columns; c < columnsEnd; c += 4, e0 += 8, e1 += 8, e2 += 8, e3 += 8) {
    const at = phi + <usize>load<u32>(c);
    const low = v128.load_lane<f64>(e1, v128.load_zero<f64>(e0), 1);
    const high = v128.load_lane<f64>(e3, v128.load_zero<f64>(e2), 1);
    v128.store(at, f64x2.add(v128.load(at), low));
    v128.store(at, f64x2.add(v128.load(at, 16), high), 16);
  }
}

/**
 * A larger tree: first, per feature, the leaves its tests leave reachable; then leaf by leaf, which of the path's
 * features are satisfied.
 * Record: size, 1, features, leaves, address of the leaves; then per feature its column, its number of tests, and per
 * test an unused word, threshold, missing right, leaves kept going left, leaves kept going right.
 * Leaf: size, features d, 0 or address of the table, bit number, f64 value, then d × satisfied offset, d × phi column,
 * padding to 8 bytes, and for a leaf without table d × f64 cover share and d × f64 weight.
 */
function addTreeByLeaf(record: usize, values: usize, phi: usize, groups: u32, satisfied: usize, deep: usize): void {
  const features = load<u32>(record, 8);
  const leaves = load<u32>(record, 12);
  const firstLeaf = <usize>load<u32>(record, 16);
  for (let group: u32 = 0; group < groups; group++) {
    const row = values + (<usize>group << 4);
    let at = record + 20;
    for (let f: u32 = 0; f < features; f++) {
      const value = v128.load(row + <usize>load<u32>(at));
      let kept = i32x4.splat(-1);
      const end = at + 8 + <usize>load<u32>(at, 4) * 20;
      for (at += 8; at < end; at += 20) {
        const isRight = goesRight(value, at);
        kept = v128.and(kept, v128.bitselect(v128.load32_splat(at, 16), v128.load32_splat(at, 12), isRight));
      }
      v128.store(satisfied + (<usize>f << 4), kept);
    }
    const columns = phi + (<usize>group << 5);
    let leaf = firstLeaf;
    for (let l: u32 = 0; l < leaves; l++) {
      const d = load<u32>(leaf, 4);
      const table = load<u32>(leaf, 8);
      const bit = load<i32>(leaf, 12);
      const slots = leaf + 24;
      let pattern = i32x4.splat(0);
      for (let j: u32 = 0; j < d; j++) {
        const kept = v128.load(satisfied + <usize>load<u32>(slots + (<usize>j << 2)));
        const holds = v128.and(i32x4.shr_u(kept, bit), i32x4.splat(1));
        pattern = v128.or(pattern, i32x4.shl(holds, <i32>j));
      }
      const phiColumns = slots + (<usize>d << 2);
      if (table != 0) {
        const entry = i32x4.add(i32x4.splat(table), i32x4.mul(pattern, i32x4.splat(<i32>(d << 3))));
        addLanes(entry, phiColumns, phiColumns + (<usize>d << 2), columns);
      } else {
        addDeepLeaf(leaf, d, <u32>i32x4.extract_lane(pattern, 0), columns, deep);
        addDeepLeaf(leaf, d, <u32>i32x4.extract_lane(pattern, 1), columns + 8, deep);
        addDeepLeaf(leaf, d, <u32>i32x4.extract_lane(pattern, 2), columns + 16, deep);
        addDeepLeaf(leaf, d, <u32>i32x4.extract_lane(pattern, 3), columns + 24, deep);
      }
      leaf += <usize>load<u32>(leaf);
    }
  }
}

/**
 * One leaf, one row, in O(d²): the same operations in the same order as `leafShapley` in shapley.ts, which explains them.
 * polynomial: scratch of d + 1 float64.
 */
function addDeepLeaf(leaf: usize, d: u32, pattern: u32, phi: usize, polynomial: usize): void {
  const value = load<f64>(leaf, 16);
  const columns = leaf + 24 + (<usize>d << 2);
  const shares = leaf + 24 + (<usize>d << 3);
  const weights = shares + (<usize>d << 3);
  let unsatisfied: f64 = value;
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
