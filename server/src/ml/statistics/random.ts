/** A stream of uniform numbers in [0, 1). The same seed gives the same stream on every machine. */
export type Random = () => number;

/**
 * xoshiro128** (Blackman & Vigna 2018). SplitMix32 fills its four words, so that close seeds give unrelated streams.
 * seed: any integer, of which the low 32 bits count. Values have 32 random bits.
 */
export function seedRandom(seed: number): Random {
  let state = seed | 0;
  const nextWord = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let a = nextWord();
  let b = nextWord();
  let c = nextWord();
  let d = nextWord() | 1; // All four words zero would stay zero.
  return () => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result / 4294967296;
  };
}

/**
 * Draws `count` of 0 … total − 1 without replacement, ascending (selection sampling, Knuth TAOCP 2, algorithm 3.4.2 S).
 * count ≤ total.
 */
export function sampleIndices(total: number, count: number, random: Random): Int32Array {
  const chosen = new Int32Array(count);
  let taken = 0;
  for (let i = 0; taken < count; i++) {
    if ((total - i) * random() < count - taken) chosen[taken++] = i;
  }
  return chosen;
}
