// 64-bit digests of rows, so that a comparison with stored rows takes memory per key and not per row.
import type { Column, Numbers } from '../../lib/files/column.ts';
import { mix } from '../../lib/files/texts.ts';

/** Digests of values or rows, as two 32-bit halves. Not cryptographic. */
export type Digests = { readonly high: Int32Array; readonly low: Int32Array };

const highSeed = 0x2545f491;
const lowSeed = 0x5851f42d;

/** One digest per row, of the values of all columns in the given order. Equal values give equal digests. */
export function digestRows(columns: readonly Column[], rows: number): Digests {
  const high = new Int32Array(rows).fill(highSeed);
  const low = new Int32Array(rows).fill(lowSeed);
  for (const column of columns) {
    const values = digestValues(column);
    for (let row = 0; row < rows; row++) {
      const at = column.kind === 'text' ? column.codes[row] : row;
      high[row] = mix(Math.imul(high[row], 31) ^ (at < 0 ? 0 : values.high[at]));
      low[row] = mix(Math.imul(low[row], 37) ^ (at < 0 ? 0 : values.low[at]));
    }
  }
  return { high, low };
}

/** One digest per value: per dictionary entry for a text column, per row for any other. Missing is 0. */
export function digestValues(column: Column): Digests {
  return column.kind === 'text' ? digestTexts(column.dictionary) : digestNumbers(column.values);
}

function digestTexts(texts: readonly string[]): Digests {
  const high = new Int32Array(texts.length);
  const low = new Int32Array(texts.length);
  for (const [i, text] of texts.entries()) {
    let a = highSeed ^ text.length;
    let b = lowSeed ^ text.length;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      a = mix(Math.imul(a, 31) ^ unit);
      b = Math.imul(b ^ unit, 0x01000193);
    }
    high[i] = a;
    low[i] = mix(b);
  }
  return { high, low };
}

function digestNumbers(values: Numbers): Digests {
  const high = new Int32Array(values.length);
  const low = new Int32Array(values.length);
  const number = new Float64Array(1);
  const words = new Int32Array(number.buffer);
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    // Adding zero turns -0 into 0. The two are equal in a file of integers.
    number[0] = value + 0;
    high[i] = mix(mix(words[0] ^ highSeed) ^ words[1]);
    low[i] = mix(mix(words[1] ^ lowSeed) ^ words[0]);
  }
  return { high, low };
}

/** Numbers digests in order of first appearance. */
export class DigestIndex {
  size = 0;
  private high = new Int32Array(1024);
  private low = new Int32Array(1024);
  /** Hash table with open addressing and linear probing: number + 1, or 0 when free. */
  private slots = new Int32Array(4096);

  /** The number of a digest, or -1 when it was never added. */
  find(high: number, low: number): number {
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const entry = this.slots[slot] - 1;
      if (entry < 0 || (this.high[entry] === high && this.low[entry] === low)) return entry;
    }
  }

  /** The number of a digest. A new digest gets the next number. */
  add(high: number, low: number): number {
    const known = this.find(high, low);
    if (known >= 0) return known;
    if (this.size === this.high.length) {
      this.high = doubled(this.high);
      this.low = doubled(this.low);
      this.slots = new Int32Array(this.slots.length * 2);
      for (let entry = 0; entry < this.size; entry++) this.place(entry);
    }
    this.high[this.size] = high;
    this.low[this.size] = low;
    this.place(this.size);
    return this.size++;
  }

  private place(entry: number): void {
    const mask = this.slots.length - 1;
    let slot = this.low[entry] & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = entry + 1;
  }
}

function doubled(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2);
  larger.set(values);
  return larger;
}

const registersBits = 12;
const registers = 1 << registersBits;
/** Up to this many values are counted exactly: nobody expects an estimate for five hundred customers. */
const countedMax = 4096;

/**
 * Counts distinct digests in some 100 KiB: exactly up to 4,096, above that with a standard error of 1.6 % (Flajolet,
 * Fusy, Gandouet, Meunier 2007, HyperLogLog, with linear counting when few registers are filled).
 */
export class DistinctCounter {
  private readonly ranks = new Uint8Array(registers);
  /** Null once there are more than `countedMax`. */
  private counted: DigestIndex | null = new DigestIndex();

  add(high: number, low: number): void {
    if (this.counted !== null && this.counted.add(high, low) >= countedMax) this.counted = null;
    const at = low & (registers - 1);
    const rank = Math.clz32(high) + 1;
    if (rank > this.ranks[at]) this.ranks[at] = rank;
  }

  get isExact(): boolean {
    return this.counted !== null;
  }

  estimate(): number {
    if (this.counted !== null) return this.counted.size;
    let sum = 0;
    let empty = 0;
    for (const rank of this.ranks) {
      sum += 2 ** -rank;
      if (rank === 0) empty++;
    }
    const raw = ((0.7213 / (1 + 1.079 / registers)) * registers * registers) / sum;
    return Math.round(raw <= 2.5 * registers && empty > 0 ? registers * Math.log(registers / empty) : raw);
  }
}
