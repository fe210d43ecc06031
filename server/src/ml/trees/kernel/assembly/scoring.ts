/**
 * Scores groups of sixteen rows with V-QuickScorer (Lucchese et al. 2016): every tree keeps a mask of its leaves still
 * reachable, and each test that fails (value > threshold) clears the leaves on its left; the lowest bit left is the exit.
 * A mask is cut into bytes, each of which stands side by side for the sixteen rows: most tests clear leaves of one byte.
 * Per row the leaf values are added in tree order in float64, whatever the group, so results do not depend on batching.
 *
 * values: per used feature, `stride` bytes of float32 rows. nodes, per feature its single tests and then its pairs of one
 * threshold, each ascending: f32 threshold, then per byte that a test clears u32 offset of the byte's masks and u32 four
 * times the leaves cleared when the value is larger; filled up with what never fails to a multiple of four tests, and ended
 * by a threshold of Infinity. missing, per feature, 8 bytes each: the tests that send missing values right, as offset and
 * leaves cleared. starts: u32 × 3 per feature and once more, byte offsets of singles and pairs in nodes, and into missing. bytes: of a tree's mask, 1, 2 or 4. masks: 16 ×
 * bytes per tree. leaves: u32 per tree, address of its float64 leaf values. outputEnds: u32 per output, index of the first
 * tree after its own (trees are ordered by output). margins: float64, sixteen rows per group, per output a column of
 * `stride * 2` bytes; read as the start value.
 */
export function scoreGroups(
  values: usize,
  stride: u32,
  groups: u32,
  features: u32,
  starts: usize,
  nodes: usize,
  missing: usize,
  bytes: u32,
  masks: usize,
  leaves: usize,
  outputEnds: usize,
  outputs: u32,
  margins: usize,
): void {
  const trees = load<u32>(outputEnds + (<usize>(outputs - 1) << 2));
  const masksEnd = masks + ((<usize>trees * <usize>bytes) << 4);
  for (let group: u32 = 0; group < groups; group++) {
    memory.fill(masks, 0xff, masksEnd - masks);
    let column = values + (<usize>group << 6);
    for (let f: u32 = 0; f < features; f++, column += stride) {
      const at = starts + <usize>f * 12;
      const a = v128.load(column);
      const b = v128.load(column, 16);
      const c = v128.load(column, 32);
      const d = v128.load(column, 48);
      const largest = largestOf(a, b, c, d);
      // A test past the largest value does nothing, so only every fourth asks whether to go on.
      for (let p = nodes + <usize>load<u32>(at); load<f32>(p) < largest; p += 48) {
        test(p, masks, a, b, c, d);
        test(p + 12, masks, a, b, c, d);
        test(p + 24, masks, a, b, c, d);
        test(p + 36, masks, a, b, c, d);
      }
      for (let p = nodes + <usize>load<u32>(at, 4); load<f32>(p) < largest; p += 40) {
        testTwo(p, masks, a, b, c, d);
        testTwo(p + 20, masks, a, b, c, d);
      }
      const isMissing = narrow(f32x4.ne(a, a), f32x4.ne(b, b), f32x4.ne(c, c), f32x4.ne(d, d));
      if (!v128.any_true(isMissing)) continue;
      const missingEnd = missing + <usize>load<u32>(at, 20);
      for (let p = missing + <usize>load<u32>(at, 8); p < missingEnd; p += 8) {
        clearLeaves(masks + <usize>load<u32>(p), v128.load32_splat(p, 4), isMissing);
      }
    }
    if (bytes == 2) for (let mask = masks; mask < masksEnd; mask += 32) joinTwo(mask);
    if (bytes == 4) for (let mask = masks; mask < masksEnd; mask += 64) joinFour(mask);
    let tree: usize = 0;
    let margin = margins + (<usize>group << 7);
    for (let o: u32 = 0; o < outputs; o++, margin += <usize>stride << 1) {
      const end = <usize>load<u32>(outputEnds + (<usize>o << 2));
      for (let half: usize = 0; half < 2; half++) {
        if (bytes == 1) addLeaves<u8>(margin + (half << 6), masks + (half << 3), leaves, tree, end);
        else if (bytes == 2) addLeaves<u16>(margin + (half << 6), masks + (half << 4), leaves, tree, end);
        else addLeaves<u32>(margin + (half << 6), masks + (half << 5), leaves, tree, end);
      }
      tree = end;
    }
  }
}

/**
 * Scores one row: the same tests and sums as `scoreGroups`, for what is asked one by one. values: float32 per used feature,
 * side by side. nodes: single tests alone, with the tree's mask of 4 bytes and the leaves cleared as they are.
 * missing: likewise. starts: u32 × 2 per feature and once more. masks: 4 bytes per tree. margins: float64 per output.
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
      const mask = masks + <usize>load<u32>(p, 4);
      store<u32>(mask, load<u32>(mask) & ~load<u32>(p, 8));
    }
    if (value === value) continue;
    const missingEnd = missing + <usize>load<u32>(at, 12);
    for (let p = missing + <usize>load<u32>(at, 4); p < missingEnd; p += 8) {
      const mask = masks + <usize>load<u32>(p);
      store<u32>(mask, load<u32>(mask) & ~load<u32>(p, 4));
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

/** The largest of sixteen values, -Infinity when all are missing. */
@inline
function largestOf(a: v128, b: v128, c: v128, d: v128): f32 {
  // A missing value is never the larger one, as the second operand.
  const none = f32x4.splat(-Infinity);
  const four = f32x4.pmax(f32x4.pmax(f32x4.pmax(f32x4.pmax(none, a), b), c), d);
  const two = f32x4.pmax(four, v128.shuffle<f32>(four, four, 2, 3, 0, 1));
  const one = f32x4.pmax(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2));
  return f32x4.extract_lane(one, 0);
}

/** Sixteen words of all ones or zeros as bytes. */
@inline
export function narrow(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
}

@inline
function test(p: usize, masks: usize, a: v128, b: v128, c: v128, d: v128): void {
  const fails = failing(p, a, b, c, d);
  clearLeaves(masks + <usize>load<u32>(p, 4), v128.load32_splat(p, 8), fails);
}

/** Comparing is more than half of a test's work: two of one threshold share it. */
@inline
function testTwo(p: usize, masks: usize, a: v128, b: v128, c: v128, d: v128): void {
  const fails = failing(p, a, b, c, d);
  clearLeaves(masks + <usize>load<u32>(p, 4), v128.load32_splat(p, 8), fails);
  clearLeaves(masks + <usize>load<u32>(p, 12), v128.load32_splat(p, 16), fails);
}

/** Which of sixteen values are above a test's threshold, as bytes. */
@inline
function failing(p: usize, a: v128, b: v128, c: v128, d: v128): v128 {
  const threshold = v128.load32_splat(p);
  return narrow(f32x4.gt(a, threshold), f32x4.gt(b, threshold), f32x4.gt(c, threshold), f32x4.gt(d, threshold));
}

@inline
function clearLeaves(mask: usize, cleared: v128, fails: v128): void {
  v128.store(mask, v128.andnot(v128.load(mask), v128.and(fails, cleared)));
}

/** Two rows of sixteen bytes become sixteen masks of two bytes, in place. */
@inline
function joinTwo(mask: usize): void {
  const low = v128.load(mask);
  const high = v128.load(mask, 16);
  v128.store(mask, firstBytes(low, high));
  v128.store(mask, lastBytes(low, high), 16);
}

/** Four rows of sixteen bytes become sixteen masks of four bytes, in place. */
@inline
function joinFour(mask: usize): void {
  const a = v128.load(mask);
  const b = v128.load(mask, 16);
  const c = v128.load(mask, 32);
  const d = v128.load(mask, 48);
  const lowFirst = firstBytes(a, b);
  const lowLast = lastBytes(a, b);
  const highFirst = firstBytes(c, d);
  const highLast = lastBytes(c, d);
  v128.store(mask, v128.shuffle<u16>(lowFirst, highFirst, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(mask, v128.shuffle<u16>(lowFirst, highFirst, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(mask, v128.shuffle<u16>(lowLast, highLast, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(mask, v128.shuffle<u16>(lowLast, highLast, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

@inline
function firstBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
function lastBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Adds the exit leaves of trees [tree, end) to eight rows' margins, in tree order. T: a row's mask; a tree has sixteen. */
@inline
function addLeaves<T>(margin: usize, masks: usize, leaves: usize, tree: usize, end: usize): void {
  let m0 = load<f64>(margin);
  let m1 = load<f64>(margin, 8);
  let m2 = load<f64>(margin, 16);
  let m3 = load<f64>(margin, 24);
  let m4 = load<f64>(margin, 32);
  let m5 = load<f64>(margin, 40);
  let m6 = load<f64>(margin, 48);
  let m7 = load<f64>(margin, 56);
  let mask = masks + tree * (sizeof<T>() << 4);
  for (; tree < end; tree++, mask += sizeof<T>() << 4) {
    const leaf = <usize>load<u32>(leaves + (tree << 2));
    m0 += load<f64>(leaf + (exitOf<T>(mask) << 3));
    m1 += load<f64>(leaf + (exitOf<T>(mask + sizeof<T>()) << 3));
    m2 += load<f64>(leaf + (exitOf<T>(mask + 2 * sizeof<T>()) << 3));
    m3 += load<f64>(leaf + (exitOf<T>(mask + 3 * sizeof<T>()) << 3));
    m4 += load<f64>(leaf + (exitOf<T>(mask + 4 * sizeof<T>()) << 3));
    m5 += load<f64>(leaf + (exitOf<T>(mask + 5 * sizeof<T>()) << 3));
    m6 += load<f64>(leaf + (exitOf<T>(mask + 6 * sizeof<T>()) << 3));
    m7 += load<f64>(leaf + (exitOf<T>(mask + 7 * sizeof<T>()) << 3));
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

/** The lowest leaf still reachable. */
@inline
function exitOf<T>(mask: usize): usize {
  return <usize>ctz<u32>(<u32>load<T>(mask));
}
