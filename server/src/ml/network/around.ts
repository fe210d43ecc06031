import type { Incidence } from './incidence.ts';
import { eachShared } from './walk.ts';

/** How two entities are tied by rows of one table that both lead to. */
export type Tie = {
  readonly one: number;
  readonly other: number;
  /** The table of the shared rows. */
  readonly relation: string;
  /** How many rows they share. */
  readonly count: number;
  /** Since when they share the first, microseconds; -Infinity where it is not dated. */
  readonly since: number;
};

export type Around = {
  /** The entities, nearest first, with their distance; the first is the one asked about. */
  readonly entities: readonly { readonly entity: number; readonly hops: number }[];
  /** The ties between these entities. */
  readonly ties: readonly Tie[];
  /** How many tied entities and ties are left out because there are too many. */
  readonly entitiesLeftOut: number;
  readonly tiesLeftOut: number;
};

/** Most entities that are followed from one, most entities and ties of an answer, and most that a path may pass. */
export const followedMax = 50;
export const entitiesMax = 200;
export const tiesMax = 1_000;
export const passedMax = 2_000;

/** Finds who is tied to an entity over up to `hops` ties that were known by `readableUntil`. */
export function findAround(incidence: Incidence, entity: number, hops: number, readableUntil: number): Around {
  const tiesOf = openTies(incidence, readableUntil);
  const found = new Map([[entity, 0]]);
  const leftOut = new Set<number>();
  let frontier = [entity];
  for (let hop = 1; hop <= hops; hop++) {
    const next: number[] = [];
    for (const from of frontier) {
      for (const [at, other] of strongestFirst(tiesOf(from)).entries()) {
        if (found.has(other)) continue;
        if (at >= followedMax || found.size >= entitiesMax) {
          leftOut.add(other);
          continue;
        }
        found.set(other, hop);
        next.push(other);
      }
    }
    frontier = next;
  }
  for (const other of found.keys()) leftOut.delete(other);
  // Each tie is told once, from the entity that was found first.
  const places = new Map([...found.keys()].map((other, place) => [other, place]));
  const ties = [...found.keys()].flatMap((one) =>
    [...tiesOf(one)].flatMap(([other, relations]) =>
      (places.get(other) ?? -1) > places.get(one)!
        ? [...relations].map(([relation, tie]) => ({ one, other, relation, ...tie }))
        : [],
    ),
  );
  return {
    entities: [...found].map(([other, hops]) => ({ entity: other, hops })),
    ties: ties.slice(0, tiesMax),
    entitiesLeftOut: leftOut.size,
    tiesLeftOut: Math.max(0, ties.length - tiesMax),
  };
}

/** The ties of a shortest path, if there is one; `isWhole`: whether all that could be passed was looked at. */
export type FoundPath = { readonly ties: readonly Tie[] | null; readonly isWhole: boolean };

/**
 * Finds a shortest path of up to `hops` ties that were known by `readableUntil`, and gives up after `passedMax`
 * entities.
 */
export function findPath(
  incidence: Incidence,
  from: number,
  to: number,
  hops: number,
  readableUntil: number,
): FoundPath {
  const tiesOf = openTies(incidence, readableUntil);
  const before = new Map<number, Tie | null>([[from, null]]);
  let frontier = [from];
  let passed = 0;
  for (let hop = 1; hop <= hops && !before.has(to); hop++) {
    const next: number[] = [];
    for (const one of frontier) {
      if (before.has(to)) break;
      if (passed++ >= passedMax) return { ties: null, isWhole: false };
      const ties = tiesOf(one);
      for (const other of strongestFirst(ties)) {
        if (before.has(other)) continue;
        const [[relation, tie]] = [...ties.get(other)!].sort(([, a], [, b]) => compare(a.since, b.since));
        before.set(other, { one, other, relation, ...tie });
        next.push(other);
      }
    }
    frontier = next;
  }
  if (!before.has(to)) return { ties: null, isWhole: true };
  const ties: Tie[] = [];
  for (let tie = before.get(to)!; tie !== null; tie = before.get(tie.one)!) ties.unshift(tie);
  return { ties, isWhole: true };
}

type Shared = { readonly count: number; readonly since: number };
/** By entity, and by relation. */
type Ties = ReadonlyMap<number, ReadonlyMap<string, Shared>>;

function openTies(incidence: Incidence, readableUntil: number): (entity: number) => Ties {
  const starts = [...incidence.bases].sort(([, a], [, b]) => a - b);
  const relationOf = (node: number) => starts.findLast(([, base]) => base <= node)![0];
  const known = new Map<number, Ties>();
  return (entity) => {
    const made = known.get(entity) ?? new Map<number, Map<string, Shared>>();
    if (known.has(entity)) return made;
    const open = made as Map<number, Map<string, Shared>>;
    eachShared(incidence, { entity, nodes: null, readableUntil }, (node, since, from, to) => {
      const relation = relationOf(node);
      for (let k = from; k < to; k++) {
        const other = incidence.members[k];
        if (other === entity) continue;
        const relations = open.get(other) ?? new Map<string, Shared>();
        const { count = 0, since: first = Number.POSITIVE_INFINITY } = relations.get(relation) ?? {};
        const both = Math.max(since, incidence.memberSince[k]);
        relations.set(relation, { count: count + 1, since: Math.min(first, both) });
        open.set(other, relations);
      }
    });
    known.set(entity, made);
    return made;
  };
}

/** Those that share most lead; of those the ones that are tied longest, and then by their rows. */
function strongestFirst(ties: Ties): number[] {
  const strength = (entity: number) => {
    const shared = [...ties.get(entity)!.values()];
    return {
      entity,
      count: shared.reduce((sum, { count }) => sum + count, 0),
      since: Math.min(...shared.map(({ since }) => since)),
    };
  };
  return [...ties.keys()]
    .map(strength)
    .sort((a, b) => b.count - a.count || compare(a.since, b.since) || a.entity - b.entity)
    .map(({ entity }) => entity);
}

/** Compared instead of subtracted: -Infinity minus -Infinity is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
