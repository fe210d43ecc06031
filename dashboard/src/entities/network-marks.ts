import type { Schemas } from '@lastro/sdk';

export type Network = Schemas['Network'];
export type NetworkNode = Network['nodes'][number];
export type NetworkEdge = Network['edges'][number];

import { shownKey } from './shown-key.ts';

/** Networks of at most so many entities are drawn with all names. */
export const namedUpTo = 45;

export type Pair = { readonly from: number; readonly to: number; readonly count: number };

/** Ties between the same two as one line. */
export function pairsOf(edges: readonly NetworkEdge[]): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { from, to, count } of edges) {
    const [a, b] = from < to ? [from, to] : [to, from];
    const key = `${a} ${b}`;
    pairs.set(key, { from: a, to: b, count: (pairs.get(key)?.count ?? 0) + count });
  }
  return [...pairs.values()];
}

export const radiusOf = (hops: number): number => [9, 7, 5.5, 4.5][hops] ?? 4.5;
export const lineWidthOf = (count: number): number => Math.min(4, 0.8 + Math.log2(count + 1) / 2);

const shownMost = 18;

/** A key beside its mark in a drawing. */
export function shortKey(key: string): string {
  const shown = shownKey(key);
  return shown.length > shownMost ? `${shown.slice(0, shownMost - 1)}…` : shown;
}
