import { microsecondsPerDay } from '../contract/contract.ts';
import type { RelationClass } from './facts/store.ts';
import type { FactGraph } from './graph.ts';

/** Half-lives in days, short and long. A lasting fact decays from its end on, a momentary one from its moment on. */
export type HalfLives = Readonly<Record<RelationClass, readonly [number, number]>>;

export const defaultHalfLives: HalfLives = { lasting: [120, 720], momentary: [90, 540] };

/**
 * What remains of a fact at t, in [0, 1]: 1 while it lasts; after its end it halves with each half-life. 0 for a
 * version that has been replaced. The end is read only if it is not after t.
 */
export function remaining({ store: { facts } }: FactGraph, fact: number, t: number, halfLifeDays: number): number {
  if (!(facts.until[fact] > t)) return 0;
  const to = facts.to[fact];
  return to <= t ? 2 ** (-(t - to) / (halfLifeDays * microsecondsPerDay)) : 1;
}

/** How new a fact is at t: 1 at its start, one half after a half-life; 0 for a version that has been replaced. */
export function newness({ store: { facts } }: FactGraph, fact: number, t: number, halfLifeDays: number): number {
  if (!(facts.until[fact] > t)) return 0;
  return 2 ** (-(t - facts.from[fact]) / (halfLifeDays * microsecondsPerDay));
}

export function isOver({ store: { facts } }: FactGraph, fact: number, t: number): boolean {
  return facts.to[fact] <= t;
}
