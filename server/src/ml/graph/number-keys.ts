import { mix } from '../../lib/files/texts.ts';
import type { KeyLookup, KeyValue } from './tables.ts';

/** Looks up rows by numeric key in the hash table that `numberSlots` made of `values`. */
export function numberKeys(values: Float64Array, slots: Int32Array): KeyLookup {
  const mask = slots.length - 1;
  return {
    get(key: KeyValue) {
      if (typeof key !== 'number') return undefined;
      for (let slot = hashNumber(key) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        if (values[slots[slot] - 1] === key) return slots[slot] - 1;
      }
      return undefined;
    },
  };
}

/**
 * Hash table of `values`: row + 1 of the first row of each value. NaN is no key. Part of the format of frozen tables.
 */
export function numberSlots(values: Float64Array): Int32Array {
  const slots = emptySlots(values.length);
  const mask = slots.length - 1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    let slot = hashNumber(value) & mask;
    while (slots[slot] !== 0 && values[slots[slot] - 1] !== value) slot = (slot + 1) & mask;
    if (slots[slot] === 0) slots[slot] = row + 1;
  }
  return slots;
}

/**
 * An empty hash table with open addressing and linear probing, at most half full. A slot holds number + 1, or 0 when
 * free.
 */
export function emptySlots(entries: number): Int32Array {
  let size = 4;
  while (size < entries * 2) size *= 2;
  return new Int32Array(size);
}

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);

/** Part of the file format. 0 and -0 are the same key. */
function hashNumber(value: number): number {
  number[0] = value + 0;
  return mix(Math.imul(words[0], 31) ^ words[1]);
}
