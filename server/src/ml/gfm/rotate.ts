import { openKernel } from '../trees/kernel/kernel.ts';

/**
 * Rotates up to `rowsMax` raw vectors and returns the first `columns` numbers of each; zeros beyond the raw size. A
 * result does not depend on the other vectors. rotation: row-major, must not change after first use.
 */
export type Rotator = (raws: readonly Float64Array[], rotation: Float32Array, columns: number) => Float64Array[];

/** width: length of raw vectors. At its first use a rotation is copied to the memory of the kernel, where it stays. */
export function openRotator(width: number, rowsMax: number): Rotator {
  const kernel = openKernel();
  const reserve = (doubles: number) => kernel.reserve(doubles * Float64Array.BYTES_PER_ELEMENT);
  const rawsAt = reserve(rowsMax * width);
  // There are at most as many axes as columns of a raw vector.
  const outAt = reserve(rowsMax * width);
  const rotationAt = new Map<Float32Array, number>();
  function bring(rotation: Float32Array): number {
    const found = rotationAt.get(rotation);
    if (found !== undefined) return found;
    const at = kernel.reserve(rotation.byteLength);
    new Float32Array(kernel.memory.buffer, at, rotation.length).set(rotation);
    rotationAt.set(rotation, at);
    return at;
  }
  return (raws, rotation, columns) => {
    const at = bring(rotation);
    const axes = Math.min(width, columns);
    const rows = new Float64Array(kernel.memory.buffer, rawsAt, rowsMax * width);
    for (const [r, raw] of raws.entries()) rows.set(raw, r * width);
    kernel.rotateRows(at, axes, rawsAt, raws.length, width, outAt);
    const out = new Float64Array(kernel.memory.buffer, outAt, raws.length * axes);
    return raws.map((_, r) => {
      const vector = new Float64Array(columns);
      vector.set(out.subarray(r * axes, (r + 1) * axes));
      return vector;
    });
  };
}
