import type { Random } from '../../statistics/random.ts';

/** An integer in [0, count). */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[below(random, from.length)];
}

/** Standard normal (Box and Muller 1958); the second number of the pair is not used. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** Poisson by multiplying uniform draws (Knuth); for means up to some tens. */
export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
