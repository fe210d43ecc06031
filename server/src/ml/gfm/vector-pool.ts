/** Vectors of one length side by side: millions of small arrays would cost more than what is computed. */
export type Pool = { vectors: Float64Array; used: number; readonly scratch: Float64Array };

export function openPool(size: number): Pool {
  return { vectors: new Float64Array(0), used: 0, scratch: new Float64Array(size) };
}

/** Keeps what is in the scratch, and says where. */
export function keep(pool: Pool): number {
  const at = pool.used;
  pool.used += pool.scratch.length;
  if (pool.used > pool.vectors.length) {
    const grown = new Float64Array(Math.max(2 * pool.vectors.length, 64 * pool.scratch.length));
    grown.set(pool.vectors);
    pool.vectors = grown;
  }
  pool.vectors.set(pool.scratch, at);
  return at;
}
