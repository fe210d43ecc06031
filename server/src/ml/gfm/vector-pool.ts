const rowsPerChunk = 1024;

/**
 * Rows of one length, many side by side: millions of small arrays would cost more than what is computed, and one large
 * one would be copied as it grows. Rows are numbered from 1, so that 0 can say none; a row stays where it is.
 */
export type Pool = { readonly size: number; readonly chunks: Float64Array[]; used: number };

export function openPool(size: number): Pool {
  return { size, chunks: [], used: 1 };
}

/** A row to be written; what was in it before still is. */
export function takeRow(pool: Pool): number {
  const row = pool.used++;
  if (row >= pool.chunks.length * rowsPerChunk) pool.chunks.push(new Float64Array(rowsPerChunk * pool.size));
  return row;
}

/** The array that has the row, from `offsetOf` on. */
export function chunkOf(pool: Pool, row: number): Float64Array {
  return pool.chunks[Math.floor(row / rowsPerChunk)];
}

export function offsetOf(pool: Pool, row: number): number {
  return (row % rowsPerChunk) * pool.size;
}
