/**
 * A seeded stream of random numbers: xoshiro128** (Blackman and Vigna 2018), with its state filled by splitmix32.
 * Streams of the same seed and different `path` are independent for our purposes, so the rows of one customer do not
 * depend on how many numbers were drawn for another.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare = Number.NaN;

  constructor(seed: number, ...path: readonly number[]) {
    let state = mix(seed >>> 0) ^ mix(Math.floor(seed / 2 ** 32) >>> 0);
    for (const step of path) state = mix((state + 0x9e3779b9) ^ mix(step >>> 0));
    const next = () => mix((state = (state + 0x9e3779b9) | 0));
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  /** Draws uniformly from [0, 1), in steps of 2^-32. */
  uniform(): number {
    const times5 = Math.imul(this.#b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return (result >>> 0) / 2 ** 32;
  }

  /** Draws a uniform integer from [0, count). */
  below(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Draws a standard normal number (Box and Muller 1958). Each pair of uniform draws gives two. */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }
}

/** The output function of splitmix32: every bit of the input reaches every bit of the result. */
function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}
