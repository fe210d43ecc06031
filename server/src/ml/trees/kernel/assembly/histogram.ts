// Gradient sums are whole numbers (fixed point): sums are exact, so they do not depend on order, and a sibling found by
// subtraction is bit for bit what counting it would give. One cell is 16 bytes: the gradient sum (i64), then the hessian
// sum above `countBits` bits of row count (i64).

/** Turns float64 gradients and hessians (≥ 0) into cells, scaled and rounded, each with a row count of one. */
export function quantizeGradients(
  gradients: usize,
  hessians: usize,
  rows: u32,
  gradientScale: f64,
  hessianScale: f64,
  countBits: u32,
  cells: usize,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const at = cells + (<usize>i << 4);
    const g = nearest(load<f64>(gradients + (<usize>i << 3)) * gradientScale);
    const h = nearest(load<f64>(hessians + (<usize>i << 3)) * hessianScale);
    store<i64>(at, <i64>g);
    store<i64>(at, (<i64>h << <i64>countBits) | 1, 8);
  }
}

/**
 * Sums the cells of a node's rows per feature and bin.
 * packed: per block of four features, one u32 per row holding four bins. offsets: u32 per feature, where its bins begin
 * in the histogram (bytes). gathered: scratch of `rows` cells; isRoot: rowIds are 0 … rows − 1, cells are read in place.
 */
export function buildHistogram(
  packed: usize,
  blockBytes: u32,
  blocks: u32,
  offsets: usize,
  rowIds: usize,
  rows: u32,
  cells: usize,
  gathered: usize,
  isRoot: bool,
  histogram: usize,
  histogramBytes: u32,
): void {
  memory.fill(histogram, 0, histogramBytes);
  let ordered = cells;
  if (!isRoot) {
    ordered = gathered;
    for (let i: u32 = 0; i < rows; i++) {
      const row = <usize>load<u32>(rowIds + (<usize>i << 2));
      v128.store(gathered + (<usize>i << 4), v128.load(cells + (row << 4)));
    }
  }
  for (let block: u32 = 0; block < blocks; block++) {
    const bins = packed + <usize>block * blockBytes;
    const at = offsets + (<usize>block << 4);
    const h0 = histogram + <usize>load<u32>(at);
    const h1 = histogram + <usize>load<u32>(at, 4);
    const h2 = histogram + <usize>load<u32>(at, 8);
    const h3 = histogram + <usize>load<u32>(at, 12);
    let cell = ordered;
    if (isRoot) {
      const end = bins + (<usize>rows << 2);
      for (let p = bins; p < end; p += 4, cell += 16) addRow(load<u32>(p), v128.load(cell), h0, h1, h2, h3);
    } else {
      const end = rowIds + (<usize>rows << 2);
      for (let p = rowIds; p < end; p += 4, cell += 16) {
        addRow(load<u32>(bins + (<usize>load<u32>(p) << 2)), v128.load(cell), h0, h1, h2, h3);
      }
    }
  }
}

@inline
function addRow(word: u32, cell: v128, h0: usize, h1: usize, h2: usize, h3: usize): void {
  const a0 = h0 + <usize>((word << 4) & 0xff0);
  v128.store(a0, i64x2.add(v128.load(a0), cell));
  const a1 = h1 + <usize>((word >> 4) & 0xff0);
  v128.store(a1, i64x2.add(v128.load(a1), cell));
  const a2 = h2 + <usize>((word >> 12) & 0xff0);
  v128.store(a2, i64x2.add(v128.load(a2), cell));
  const a3 = h3 + <usize>((word >> 20) & 0xff0);
  v128.store(a3, i64x2.add(v128.load(a3), cell));
}

/** parent −= child, cell by cell: the parent's memory becomes the other child's histogram. */
export function subtractHistogram(parent: usize, child: usize, bytes: u32): void {
  for (let i: usize = 0; i < <usize>bytes; i += 16) {
    v128.store(parent + i, i64x2.sub(v128.load(parent + i), v128.load(child + i)));
  }
}

/**
 * Orders a node's row ids so that those going left come first; both sides keep their order. Returns how many go left.
 * bins: the u32 column of the feature's block; lane: which of its four bytes. scratch: room for `rows` ids.
 */
export function partitionRows(
  bins: usize,
  lane: u32,
  lastLeftBin: u32,
  missingLeft: bool,
  rowIds: usize,
  rows: u32,
  scratch: usize,
): u32 {
  const column = bins + lane;
  let left = rowIds;
  let right = scratch;
  const end = rowIds + (<usize>rows << 2);
  for (let p = rowIds; p < end; p += 4) {
    const row = load<u32>(p);
    const bin = <u32>load<u8>(column + (<usize>row << 2));
    const goesLeft = <u32>select<bool>(missingLeft, bin <= lastLeftBin, bin == 0);
    store<u32>(left, row);
    store<u32>(right, row);
    left += <usize>goesLeft << 2;
    right += <usize>(goesLeft ^ 1) << 2;
  }
  memory.copy(left, scratch, right - scratch);
  return <u32>((left - rowIds) >> 2);
}
