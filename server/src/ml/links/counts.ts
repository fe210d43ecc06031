/**
 * How often and when each key was seen. A key is three integers ≥ −1. Besides its count, a key has one decayed count
 * per half-life: Σ 2^(−(time − seen) / halfLife) over the times it was seen. They are stored as of the key's last time
 * and decayed when read, so that a period costs only the keys it contains.
 */
export class DecayedCounts {
  /** In the unit of the times. Entries hold one decayed count for each, in this order. */
  readonly halfLives: Float64Array;
  size = 0;
  keys = new Int32Array(3 * firstCapacity);
  totals = new Float64Array(firstCapacity);
  firsts = new Float64Array(firstCapacity);
  lasts = new Float64Array(firstCapacity);
  /** The time before the last; NaN while there was only one. Two sightings at the same time count as one here. */
  previous = new Float64Array(firstCapacity);
  private decays: Float64Array;
  /** Hash table with open addressing and linear probing: entry + 1, or 0 when free. */
  private slots = new Int32Array(2 * firstCapacity);

  constructor(halfLives: ArrayLike<number>) {
    this.halfLives = Float64Array.from(halfLives);
    this.decays = new Float64Array(this.halfLives.length * firstCapacity);
  }

  /** The entry of a key, or −1 when it was never seen. */
  find(a: number, b: number, c: number): number {
    return this.slots[this.slotOf(a, b, c)] - 1;
  }

  /**
   * Records a key at a time, which must not be before its last time. Returns its entry, which is `size` − 1 when it is
   * new.
   */
  add(a: number, b: number, c: number, time: number): number {
    const { halfLives } = this;
    const width = halfLives.length;
    const slot = this.slotOf(a, b, c);
    let entry = this.slots[slot] - 1;
    if (entry < 0) {
      entry = this.addKey(a, b, c, slot);
      this.firsts[entry] = time;
      this.previous[entry] = Number.NaN;
      this.lasts[entry] = time;
    } else if (time > this.lasts[entry]) {
      const age = time - this.lasts[entry];
      for (let h = 0; h < width; h++) this.decays[entry * width + h] *= 2 ** (-age / halfLives[h]);
      this.previous[entry] = this.lasts[entry];
      this.lasts[entry] = time;
    }
    this.totals[entry]++;
    for (let h = 0; h < width; h++) this.decays[entry * width + h]++;
    return entry;
  }

  /**
   * The decayed count of an entry with the half-life at index `halfLife`; 0 for entry −1. time: not before it was last
   * seen.
   */
  decayed(entry: number, halfLife: number, time: number): number {
    if (entry < 0) return 0;
    const age = time - this.lasts[entry];
    return this.decays[entry * this.halfLives.length + halfLife] * 2 ** (-age / this.halfLives[halfLife]);
  }

  private slotOf(a: number, b: number, c: number): number {
    const { slots, keys } = this;
    const mask = slots.length - 1;
    let slot = hashKey(a, b, c) & mask;
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      const at = 3 * (found - 1);
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private addKey(a: number, b: number, c: number, slot: number): number {
    const entry = this.size++;
    if (entry === this.totals.length) this.grow();
    this.keys[3 * entry] = a;
    this.keys[3 * entry + 1] = b;
    this.keys[3 * entry + 2] = c;
    this.slots[slot] = entry + 1;
    if (2 * this.size > this.slots.length) this.rehash();
    return entry;
  }

  private grow(): void {
    this.keys = doubled(this.keys, Int32Array);
    this.totals = doubled(this.totals, Float64Array);
    this.firsts = doubled(this.firsts, Float64Array);
    this.lasts = doubled(this.lasts, Float64Array);
    this.previous = doubled(this.previous, Float64Array);
    this.decays = doubled(this.decays, Float64Array);
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let slot = hashKey(this.keys[3 * entry], this.keys[3 * entry + 1], this.keys[3 * entry + 2]) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = entry + 1;
    }
  }
}

const firstCapacity = 1024;

function doubled<A extends Int32Array | Float64Array>(values: A, Kind: new (length: number) => A): A {
  const larger = new Kind(2 * values.length);
  larger.set(values);
  return larger;
}

/**
 * An integer in [0, 2^31) that depends on every bit of the key (the finaliser of splitmix32 over a sum of products).
 */
export function hashKey(a: number, b: number, c: number): number {
  let z = (Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b) + Math.imul(c, 0xc2b2ae35)) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) & 0x7fffffff;
}
