const rowsPerChunk = 1024;

/**
 * Many rows of one length in large chunks: millions of small arrays would cost more than the computation, and a single
 * large array would be copied as it grows. Rows are numbered from 1, so that 0 can mean none. A row is never moved.
 */
export type Pool = { readonly size: number; readonly chunks: Float64Array[]; used: number };

export function openPool(size: number): Pool {
  return { size, chunks: [], used: 1 };
}

/** Takes a row to write to. It may contain old values. */
export function takeRow(pool: Pool): number {
  const row = pool.used++;
  if (row >= pool.chunks.length * rowsPerChunk) pool.chunks.push(new Float64Array(rowsPerChunk * pool.size));
  return row;
}

/** The array that contains the row, starting at `offsetOf`. */
export function chunkOf(pool: Pool, row: number): Float64Array {
  return pool.chunks[Math.floor(row / rowsPerChunk)];
}

export function offsetOf(pool: Pool, row: number): number {
  return (row % rowsPerChunk) * pool.size;
}
