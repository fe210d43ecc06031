import { codeColumn, raiseMissing } from './codes';

/** Rows of a group; a vector holds a byte of sixteen. */
const groupRows: usize = 32;

/**
 * Scores groups of 32 rows as QuickScorer does (Lucchese et al. 2016): each test of a tree that fails (value > threshold)
 * clears the leaves on its left from a mask of those still reachable; the lowest bit left is the exit. Values are first told
 * as bytes, by how many thresholds are below them, and a mask is cut into bytes, so that one instruction serves sixteen rows.
 * Per row the leaf values are added in tree order in float64, whatever the group, so results do not depend on batching.
 *
 * values: per used feature, `stride` bytes of float32 rows, filled up to a group. columns: u32 × 2 per column of bytes:
 * offset of its values, and into grids, or `repeats` where it is the column before with missing values as the largest. grids:
 * as `codeColumn` reads them. codes: `stride / 4` bytes per column, written. program, per tree and byte of its mask: u32 bytes
 * of the tests that follow, each u32 offset of its column in codes, four times the byte (as signed) that a larger one fails
 * and four times the leaves cleared then. bytes: of a tree's mask, 1, 2 or 4. masks: 16 KiB to work with. leaves: u32 per tree,
 * address of its float64 leaf values. outputEnds: u32 per output, index of the first tree after its own (trees are ordered by
 * output). margins: float64 rows, filled up to a multiple of eight, per output a column of `stride * 2` bytes; read as the
 * start value.
 */
export function scoreGroups(
  values: usize,
  stride: u32,
  rows: u32,
  columns: usize,
  columnsEnd: usize,
  grids: usize,
  codes: usize,
  program: usize,
  bytes: u32,
  masks: usize,
  leaves: usize,
  outputEnds: usize,
  outputs: u32,
  margins: usize,
): void {
  const codesStride = stride >> 2;
  const filled = (rows + <u32>groupRows - 1) & ~(<u32>groupRows - 1);
  for (let at = columns, own = codes; at < columnsEnd; at += 8, own += codesStride) {
    const column = load<u32>(at);
    if (column == repeats) raiseMissing(own - codesStride, filled, own);
    else codeColumn(values + <usize>column, filled, grids + <usize>load<u32>(at, 4), masks, own);
  }
  for (let row: u32 = 0; row < rows; row += 2 * <u32>groupRows) {
    const own = codes + <usize>row;
    const eights = min<usize>(8, (rows - row + 7) >> 3);
    let p = program;
    let leaf = leaves;
    let tree: u32 = 0;
    let margin = margins + (<usize>row << 3);
    for (let o: u32 = 0; o < outputs; o++, margin += <usize>stride << 1) {
      const end = load<u32>(outputEnds + (<usize>o << 2));
      // So many trees at a time that their masks are still near when they are read.
      for (let trees: u32 = 0; tree < end; tree += trees, leaf += <usize>trees << 2) {
        trees = min<u32>(end - tree, blockBytes / bytes);
        const sixteens = <usize>(trees * bytes) << 4;
        p = eights > 4 ? testGroups<u16>(p, own, masks, sixteens) : testGroups<u8>(p, own, masks, sixteens);
        const masksEnd = masks + (sixteens << (eights > 4 ? 2 : 1));
        if (bytes == 2) for (let mask = masks; mask < masksEnd; mask += 32) joinTwo(mask);
        if (bytes == 4) for (let mask = masks; mask < masksEnd; mask += 64) joinFour(mask);
        for (let eight: usize = 0; eight < eights; eight++) {
          const at = margin + (eight << 6);
          const rowsMasks = masks + (eight >> 1) * sixteens;
          const half = eight & 1;
          if (bytes == 1) addLeaves<u8>(at, rowsMasks + (half << 3), leaf, trees);
          else if (bytes == 2) addLeaves<u16>(at, rowsMasks + (half << 4), leaf, trees);
          else addLeaves<u32>(at, rowsMasks + (half << 5), leaf, trees);
        }
      }
    }
  }
}

/** Bytes of masks per row that are worked on together. */
const blockBytes: u32 = 256;

/**
 * Writes the masks of trees for one group of rows (T: u8), or for two side by side (u16), for which a test is read once:
 * `sixteens` bytes for each sixteen rows. Returns where the program goes on.
 */
@inline
function testGroups<T>(program: usize, codes: usize, masks: usize, sixteens: usize): usize {
  let p = program;
  for (let mask = masks; mask < masks + sixteens; mask += 16) {
    const end = p + 4 + <usize>load<u32>(p);
    let a = i8x16.splat(-1);
    let b = i8x16.splat(-1);
    let c = i8x16.splat(-1);
    let d = i8x16.splat(-1);
    for (p += 4; p < end; p += 12) {
      const column = codes + <usize>load<u32>(p);
      const limit = v128.load32_splat(p, 4);
      const cleared = v128.load32_splat(p, 8);
      a = v128.andnot(a, v128.and(i8x16.gt_s(v128.load(column), limit), cleared));
      b = v128.andnot(b, v128.and(i8x16.gt_s(v128.load(column, 16), limit), cleared));
      if (sizeof<T>() == 2) {
        c = v128.andnot(c, v128.and(i8x16.gt_s(v128.load(column, 32), limit), cleared));
        d = v128.andnot(d, v128.and(i8x16.gt_s(v128.load(column, 48), limit), cleared));
      }
    }
    v128.store(mask, a);
    v128.store(mask + sixteens, b);
    if (sizeof<T>() == 2) {
      v128.store(mask + 2 * sixteens, c);
      v128.store(mask + 3 * sixteens, d);
    }
  }
  return p;
}

/** Where a column's values would be, of one that repeats the column before. */
const repeats: u32 = 0xffffffff;

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

/** Adds the exit leaves of trees to eight rows' margins, in tree order. T: a row's mask; a tree has sixteen. */
@inline
function addLeaves<T>(margin: usize, masks: usize, leaves: usize, trees: u32): void {
  let m0 = load<f64>(margin);
  let m1 = load<f64>(margin, 8);
  let m2 = load<f64>(margin, 16);
  let m3 = load<f64>(margin, 24);
  let m4 = load<f64>(margin, 32);
  let m5 = load<f64>(margin, 40);
  let m6 = load<f64>(margin, 48);
  let m7 = load<f64>(margin, 56);
  const end = leaves + (<usize>trees << 2);
  for (let at = leaves, mask = masks; at < end; at += 4, mask += sizeof<T>() << 4) {
    const leaf = <usize>load<u32>(at);
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
