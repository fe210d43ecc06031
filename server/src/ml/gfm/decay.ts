import { microsecondsPerDay } from '../contract/contract.ts';
import type { RelationClass } from './facts/store.ts';
import type { FactGraph } from './graph.ts';

/**
 * Days after which half is left of a fact: of what lasts from its end on, of what is momentary from its moment. Short
 * and long.
 */
export type HalfLives = Readonly<Record<RelationClass, readonly [number, number]>>;

export const defaultHalfLives: HalfLives = { lasting: [120, 720], momentary: [90, 540] };

/**
 * What is left of a fact at t, in [0, 1]: 1 while it lasts, else a half per half-life since its end. 0 for a version
 * that another took the place of. Its end is read only where it is not after t.
 */
export function remaining({ store: { facts } }: FactGraph, fact: number, t: number, halfLifeDays: number): number {
  if (!(facts.until[fact] > t)) return 0;
  const to = facts.to[fact];
  return to <= t ? 2 ** (-(t - to) / (halfLifeDays * microsecondsPerDay)) : 1;
}

/** How new a fact is at t: 1 at its start, a half after a half-life; 0 for a version that another took the place of. */
export function newness({ store: { facts } }: FactGraph, fact: number, t: number, halfLifeDays: number): number {
  if (!(facts.until[fact] > t)) return 0;
  return 2 ** (-(t - facts.from[fact]) / (halfLifeDays * microsecondsPerDay));
}

export function isOver({ store: { facts } }: FactGraph, fact: number, t: number): boolean {
  return facts.to[fact] <= t;
}
