// Shared by the layouts in a kernel's memory.
import type { Kernel } from './kernel/kernel.ts';

/** Rows scored per call of the kernel. 4 × features of them in bytes should stay in a near cache. */
export const rowsPerChunk = 256;
/** Number of rows that the kernel scores together. */
export const rowsPerScoreGroup = 32;

/** A byte repeated four times in a word, the form in which the kernel reads it. */
export function fourTimes(byte: number): number {
  return Math.imul(byte, 0x01010101) >>> 0;
}

export function reserveUint32(kernel: Kernel, words: readonly number[]): number {
  const at = kernel.reserve(words.length * 4);
  new Uint32Array(kernel.memory.buffer, at, words.length).set(words);
  return at;
}

export function reserveFloat64(kernel: Kernel, values: ArrayLike<number>): number {
  const at = kernel.reserve(values.length * 8);
  new Float64Array(kernel.memory.buffer, at, values.length).set(values);
  return at;
}

export function reserveBytes(kernel: Kernel, bytes: Uint8Array): number {
  const at = kernel.reserve(bytes.length);
  new Uint8Array(kernel.memory.buffer, at, bytes.length).set(bytes);
  return at;
}
