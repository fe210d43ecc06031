/** Even parts of the range of a column's thresholds. */
const cellCount: i32 = 1024;
/** Bytes are kept less 128: there are comparisons of signed ones. */
const bias: i8 = -128;

/**
 * Writes, as a signed byte per value, how many of a column's thresholds are below it, less 127; -128 when missing. A value's
 * cell of an even grid tells how many thresholds lie in the cells before; those of its own cell are searched by halves.
 *
 * rows: a multiple of sixteen. cells: 64 bytes to work with. grid: f32 lowest threshold; f32 cells per unit; u32 the most
 * thresholds of a cell, in bits; u8 per cell the thresholds before it; float32 thresholds, at most 253, ascending, then
 * Infinity as often as a search may read past them.
 */
export function codeColumn(values: usize, rows: u32, grid: usize, cells: usize, codes: usize): void {
  const low = v128.load32_splat(grid);
  const scale = v128.load32_splat(grid, 4);
  const bits = load<u32>(grid, 8);
  const before = grid + 12;
  const thresholds = before + <usize>cellCount;
  const end = codes + <usize>rows;
  for (let value = values, code = codes; code < end; value += 64, code += 16) {
    v128.store(cells, cellsOf(v128.load(value), low, scale));
    v128.store(cells, cellsOf(v128.load(value, 16), low, scale), 16);
    v128.store(cells, cellsOf(v128.load(value, 32), low, scale), 32);
    v128.store(cells, cellsOf(v128.load(value, 48), low, scale), 48);
    if (bits == 1) for (let k: usize = 0; k < 16; k++) codeOne(value + (k << 2), cells + (k << 2), before, thresholds, code + k);
    else for (let k: usize = 0; k < 16; k++) searchOne(value + (k << 2), cells + (k << 2), before, thresholds, bits, code + k);
  }
  for (let value = values, code = codes; code < end; value += 64, code += 16) {
    const a = v128.load(value);
    const b = v128.load(value, 16);
    const c = v128.load(value, 32);
    const d = v128.load(value, 48);
    const isThere = narrow(f32x4.eq(a, a), f32x4.eq(b, b), f32x4.eq(c, c), f32x4.eq(d, d));
    v128.store(code, v128.xor(v128.and(v128.load(code), isThere), i8x16.splat(bias)));
  }
}

/** Copies a column's bytes with missing values as the largest. rows: a multiple of sixteen. */
export function raiseMissing(codes: usize, rows: u32, raised: usize): void {
  for (let i: usize = 0; i < <usize>rows; i += 16) {
    const code = v128.load(codes + i);
    v128.store(raised + i, v128.xor(code, i8x16.eq(code, i8x16.splat(bias))));
  }
}

/** Sixteen words of all ones or zeros as bytes. */
@inline
export function narrow(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
}

/** The cells of four values, the outer ones when they are out of range; any when missing. */
@inline
function cellsOf(values: v128, low: v128, scale: v128): v128 {
  const cells = i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(values, low), scale));
  return i32x4.min_s(i32x4.max_s(cells, i32x4.splat(0)), i32x4.splat(cellCount - 1));
}

/** Where no cell has more than one threshold. */
@inline
function codeOne(value: usize, cell: usize, before: usize, thresholds: usize, code: usize): void {
  const below = <u32>load<u8>(before + <usize>load<u32>(cell));
  const isAbove = <u32>(load<f32>(value) > load<f32>(thresholds + (<usize>below << 2)));
  store<u8>(code, below + isAbove + 1);
}

@inline
function searchOne(value: usize, cell: usize, before: usize, thresholds: usize, bits: u32, code: usize): void {
  let below = <u32>load<u8>(before + <usize>load<u32>(cell));
  for (let bit = bits; bit > 0; bit--) {
    const tried = below + (1 << (bit - 1)) - 1;
    below += <u32>(load<f32>(value) > load<f32>(thresholds + (<usize>tried << 2))) << (bit - 1);
  }
  store<u8>(code, below + 1);
}
