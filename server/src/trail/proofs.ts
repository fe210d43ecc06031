import { sql } from 'kysely';
import type { Tx } from '../access/transactions.ts';
import {
  append,
  consistencyRanges,
  type Growing,
  inclusionRanges,
  type LeafRange,
  type Place,
  peaksOf,
  rootOf,
} from '../lib/crypto/merkle.ts';
import { assert } from '../lib/failure.ts';
import { levelsPerNode } from './seal.ts';

/** The hashes that prove that a leaf is in the tree when it had `size` leaves (RFC 6962 §2.1.1). */
export function proveInclusion(tx: Tx, tree: string, index: number, size: number): Promise<Buffer[]> {
  return readRanges(tx, tree, inclusionRanges(index, size));
}

/** The hashes that prove that the tree of `older` leaves has grown to `size` (RFC 6962 §2.1.2). */
export function proveConsistency(tx: Tx, tree: string, older: number, size: number): Promise<Buffer[]> {
  return readRanges(tx, tree, consistencyRanges(older, size));
}

/** The roots of the perfect subtrees that the first `size` leaves are made of, the largest first. */
export function readPeaks(tx: Tx, tree: string, size: number): Promise<Buffer[]> {
  return readPlaces(tx, tree, peaksOf({ start: 0, end: size }));
}

async function readRanges(tx: Tx, tree: string, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const places = ranges.map(peaksOf);
  const hashes = await readPlaces(tx, tree, places.flat());
  let at = 0;
  return places.map(({ length }) => {
    at += length;
    return rootOf(hashes.slice(at - length, at));
  });
}

/** A subtree is made of the kept nodes, or leaves, of the next level below that is kept: at most 128 of them. */
async function readPlaces(tx: Tx, tree: string, places: readonly Place[]): Promise<Buffer[]> {
  const spans = places.map(({ level, position }, place) => {
    const kept = level - (level % levelsPerNode);
    const count = 2 ** (level - kept);
    return { place, kept, start: position * count, end: (position + 1) * count };
  });
  const parts: Buffer[][] = places.map(() => []);
  for (const { place, hash } of await readSpans(tx, tree, spans)) parts[place].push(hash);
  return parts.map((hashes, place) => {
    assert(hashes.length === spans[place].end - spans[place].start, `the tree ${tree} has all of its nodes`);
    const subtree: Growing = { size: 0, peaks: [] };
    for (const hash of hashes) append(subtree, hash);
    return rootOf(subtree.peaks);
  });
}

type Span = { readonly place: number; readonly kept: number; readonly start: number; readonly end: number };

/** The hashes of the spans, each in order. */
async function readSpans(
  tx: Tx,
  tree: string,
  spans: readonly Span[],
): Promise<readonly { readonly place: number; readonly hash: Buffer }[]> {
  const numbers = (read: (span: Span) => number) => spans.map((span) => String(read(span)));
  const { rows } = await sql<{ place: number; hash: Buffer }>`
    with span as (select * from unnest(${numbers(({ place }) => place)}::int[], ${numbers(({ kept }) => kept)}::int[],
      ${numbers(({ start }) => start)}::bigint[], ${numbers(({ end }) => end)}::bigint[])
      as span (place, kept, first, beyond))
    select place, position, hash from span join audit_nodes n
      on kept > 0 and n.tree = ${tree} and n.level = kept and n.position >= first and n.position < beyond
    union all
    select place, leaf_index, hash from span join audit_leaves l
      on kept = 0 and l.tree = ${tree} and l.leaf_index >= first and l.leaf_index < beyond
    order by place, position`.execute(tx);
  return rows;
}
