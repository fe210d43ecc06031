/**
 * Scores groups of eight rows with V-QuickScorer (Lucchese et al. 2016): every tree keeps a mask of its leaves still
 * reachable, and each test that fails (value > threshold) clears the leaves on its left; the lowest bit left is the exit.
 * Per row the leaf values are added in tree order in float64, whatever the group, so results do not depend on batching.
 *
 * values: per used feature, `stride` bytes of float32 rows. nodes, per feature ascending by threshold, 12 bytes each:
 * f32 threshold, u32 byte offset of the tree's masks, u32 leaves kept when the value is larger; filled up with tests that
 * never fail to a multiple of four, and ended by a threshold of Infinity. missing, per feature, 8 bytes each: the tests
 * that send missing values right, as mask offset and kept leaves. starts: u32 × 2 per feature plus a last pair, byte
 * offsets into nodes and missing. masks: 32 bytes per tree. leaves: u32 per tree, address of its
 * float64 leaf values. outputEnds: u32 per output, index of the first tree after its own (trees are ordered by output).
 * margins: float64, eight rows per group, per output a column of `stride * 2` bytes; read as the start value.
 */
export function scoreGroups(
  values: usize,
  stride: u32,
  groups: u32,
  features: u32,
  starts: usize,
  nodes: usize,
  missing: usize,
  masks: usize,
  leaves: usize,
  outputEnds: usize,
  outputs: u32,
  margins: usize,
): void {
  const trees = load<u32>(outputEnds + (<usize>(outputs - 1) << 2));
  const maskBytes = <usize>trees << 5;
  for (let group: u32 = 0; group < groups; group++) {
    memory.fill(masks, 0xff, maskBytes);
    let column = values + (<usize>group << 5);
    for (let f: u32 = 0; f < features; f++, column += stride) {
      const at = starts + (<usize>f << 3);
      const low = v128.load(column);
      const high = v128.load(column, 16);
      const largest = largestOf(low, high);
      // A test past the largest value does nothing, so only every fourth asks whether to go on.
      for (let p = nodes + <usize>load<u32>(at); load<f32>(p) < largest; p += 48) {
        test(p, masks, low, high);
        test(p + 12, masks, low, high);
        test(p + 24, masks, low, high);
        test(p + 36, masks, low, high);
      }
      const lowMissing = f32x4.ne(low, low);
      const highMissing = f32x4.ne(high, high);
      if (!v128.any_true(v128.or(lowMissing, highMissing))) continue;
      const missingEnd = missing + <usize>load<u32>(at, 12);
      for (let p = missing + <usize>load<u32>(at, 4); p < missingEnd; p += 8) {
        clearLeaves(masks + <usize>load<u32>(p), v128.load32_splat(p, 4), lowMissing, highMissing);
      }
    }
    let tree: usize = 0;
    let margin = margins + (<usize>group << 6);
    for (let o: u32 = 0; o < outputs; o++, margin += <usize>stride << 1) {
      const end = <usize>load<u32>(outputEnds + (<usize>o << 2));
      addLeaves(margin, masks, leaves, tree, end);
      tree = end;
    }
  }
}

/**
 * Scores one row: the same tests and sums as `scoreGroups`, for what is asked one by one. values: float32 per used feature,
 * side by side. masks: 4 bytes per tree, at an eighth of the offsets that nodes and missing give. margins: float64 per output.
 */
export function scoreRow(
  values: usize,
  features: u32,
  starts: usize,
  nodes: usize,
  missing: usize,
  masks: usize,
  leaves: usize,
  outputEnds: usize,
  outputs: u32,
  margins: usize,
): void {
  const trees = load<u32>(outputEnds + (<usize>(outputs - 1) << 2));
  memory.fill(masks, 0xff, <usize>trees << 2);
  for (let f: u32 = 0; f < features; f++) {
    const at = starts + (<usize>f << 3);
    const value = load<f32>(values + (<usize>f << 2));
    for (let p = nodes + <usize>load<u32>(at); load<f32>(p) < value; p += 12) {
      const mask = masks + (<usize>load<u32>(p, 4) >> 3);
      store<u32>(mask, load<u32>(mask) & load<u32>(p, 8));
    }
    if (value === value) continue;
    const missingEnd = missing + <usize>load<u32>(at, 12);
    for (let p = missing + <usize>load<u32>(at, 4); p < missingEnd; p += 8) {
      const mask = masks + (<usize>load<u32>(p) >> 3);
      store<u32>(mask, load<u32>(mask) & load<u32>(p, 4));
    }
  }
  let tree: usize = 0;
  for (let o: u32 = 0; o < outputs; o++) {
    const end = <usize>load<u32>(outputEnds + (<usize>o << 2));
    const margin = margins + (<usize>o << 3);
    let sum = load<f64>(margin);
    for (; tree < end; tree++)
      sum += load<f64>(<usize>load<u32>(leaves + (tree << 2)) + (<usize>ctz(load<u32>(masks + (tree << 2))) << 3));
    store<f64>(margin, sum);
  }
}

/** The largest of eight values, -Infinity when all are missing. */
@inline
function largestOf(low: v128, high: v128): f32 {
  const none = f32x4.splat(-Infinity);
  const eight = f32x4.pmax(
    v128.bitselect(low, none, f32x4.eq(low, low)),
    v128.bitselect(high, none, f32x4.eq(high, high)),
  );
  const four = f32x4.pmax(eight, v128.shuffle<f32>(eight, eight, 2, 3, 0, 1));
  const two = f32x4.pmax(four, v128.shuffle<f32>(four, four, 1, 0, 3, 2));
  return f32x4.extract_lane(two, 0);
}

@inline
function test(p: usize, masks: usize, low: v128, high: v128): void {
  const threshold = v128.load32_splat(p);
  const mask = masks + <usize>load<u32>(p, 4);
  clearLeaves(mask, v128.load32_splat(p, 8), f32x4.gt(low, threshold), f32x4.gt(high, threshold));
}

@inline
function clearLeaves(mask: usize, kept: v128, low: v128, high: v128): void {
  v128.store(mask, v128.andnot(v128.load(mask), v128.andnot(low, kept)));
  v128.store(mask, v128.andnot(v128.load(mask, 16), v128.andnot(high, kept)), 16);
}

/** Adds the exit leaves of trees [tree, end) to eight rows' margins, in tree order. */
@inline
function addLeaves(margin: usize, masks: usize, leaves: usize, tree: usize, end: usize): void {
  let m0 = load<f64>(margin);
  let m1 = load<f64>(margin, 8);
  let m2 = load<f64>(margin, 16);
  let m3 = load<f64>(margin, 24);
  let m4 = load<f64>(margin, 32);
  let m5 = load<f64>(margin, 40);
  let m6 = load<f64>(margin, 48);
  let m7 = load<f64>(margin, 56);
  for (; tree < end; tree++) {
    const mask = masks + (tree << 5);
    const leaf = <usize>load<u32>(leaves + (tree << 2));
    m0 += load<f64>(leaf + (<usize>ctz(load<u32>(mask)) << 3));
    m1 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 4)) << 3));
    m2 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 8)) << 3));
    m3 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 12)) << 3));
    m4 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 16)) << 3));
    m5 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 20)) << 3));
    m6 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 24)) << 3));
    m7 += load<f64>(leaf + (<usize>ctz(load<u32>(mask, 28)) << 3));
  }
  store<f64>(margin, m0);
  store<f64>(margin, m1, 8);
  store<f64>(margin, m2, 16);
  store<f64>(margin, m3, 24);
  store<f64>(margin, m4, 32);
  store<f64>(margin, m5, 40);
  store<f64>(margin, m6, 48);
  store<f64>(margin, m7, 56);
}
