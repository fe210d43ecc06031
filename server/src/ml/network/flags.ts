import type { Incidence } from './incidence.ts';
import { eachShared, type Subject } from './walk.ts';

/** One link of a path: whom it leads to, by a shared row, since when both stood by it. */
export type Step = { readonly entity: number; readonly node: number; readonly since: number };

/** A link to somebody known to be bad by the limit, or a small dense group with several of them. */
export type Flag = {
  readonly kind: 'known_bad_actor' | 'suspicious_cluster';
  readonly hops: number;
  /** Since when all of it was known, microseconds. */
  readonly since: number;
  readonly path: readonly Step[];
  /** Of a group: its size, and how many of it are known to be bad. */
  readonly group?: { readonly size: number; readonly bad: number };
};

const hopsMax = 3;
const flagsMax = 5;
/** Members looked at for one answer: bounds its work. */
const looksMax = 5_000;
const groupMax = 20;
const groupBadMin = 2;
/** Share of the pairs of a group that share something. */
const densityMin = 0.5;

/**
 * The flags of a subject: a suspicious group around it first, then known bad actors, nearest first, reached over at most
 * three shared rows. `badSince`: microseconds per entity, Infinity for those who are not known to be bad.
 */
export function findFlags(incidence: Incidence, badSince: Float64Array, subject: Subject): Flag[] {
  const actors = findActors(incidence, badSince, subject);
  const cluster = findCluster(incidence, badSince, subject);
  return [...(cluster ? [cluster] : []), ...actors].slice(0, flagsMax);
}

function findActors(incidence: Incidence, badSince: Float64Array, subject: Subject): Flag[] {
  const { limit } = subject;
  const seen = new Set([subject.entity]);
  const passed = new Set<number>();
  const flags: Flag[] = [];
  let looks = 0;
  let frontier: { readonly at: Subject; readonly path: readonly Step[] }[] = [{ at: subject, path: [] }];
  for (let hops = 1; hops <= hopsMax; hops++) {
    const reached: typeof frontier = [];
    for (const { at, path } of frontier) {
      eachShared(incidence, at, (node, since, from, to) => {
        if (passed.has(node) || looks + to - from > looksMax) return;
        passed.add(node);
        looks += to - from;
        for (let k = from; k < to; k++) {
          const entity = incidence.members[k];
          if (seen.has(entity)) continue;
          seen.add(entity);
          const steps = [...path, { entity, node, since: Math.max(since, incidence.memberSince[k]) }];
          if (badSince[entity] <= limit) {
            flags.push({ kind: 'known_bad_actor', hops, since: latest(steps, badSince[entity]), path: steps });
          } else reached.push({ at: { entity, nodes: null, limit }, path: steps });
        }
      });
      if (flags.length >= flagsMax) return flags.slice(0, flagsMax);
    }
    frontier = reached;
  }
  return flags;
}

function latest(steps: readonly Step[], known: number): number {
  return steps.reduce((moment, { since }) => Math.max(moment, since), known);
}

/** Those who share a row with the subject, if they are few, mostly share rows with each other, and several are bad. */
function findCluster(incidence: Incidence, badSince: Float64Array, subject: Subject): Flag | null {
  const { limit } = subject;
  const group = new Map<number, Step>();
  let isLarge = false;
  eachShared(incidence, subject, (node, since, from, to) => {
    for (let k = from; k < to && !isLarge; k++) {
      const entity = incidence.members[k];
      if (entity === subject.entity || group.has(entity)) continue;
      group.set(entity, { entity, node, since: Math.max(since, incidence.memberSince[k]) });
      isLarge = group.size > groupMax;
    }
  });
  const bad = [...group.values()].filter(({ entity }) => badSince[entity] <= limit);
  if (isLarge || bad.length < groupBadMin) return null;
  // Each shares with the subject; of their own pairs those that share something are counted from both sides.
  let pairs = 2 * group.size;
  for (const entity of group.keys()) {
    const others = new Set<number>();
    eachShared(incidence, { entity, nodes: null, limit }, (_, __, from, to) => {
      for (let k = from; k < to; k++) {
        const other = incidence.members[k];
        if (other !== entity && group.has(other)) others.add(other);
      }
    });
    pairs += others.size;
  }
  const size = group.size + 1;
  if (pairs < densityMin * size * (size - 1)) return null;
  const known = bad.map((step) => latest([step], badSince[step.entity])).sort((a, b) => a - b);
  return {
    kind: 'suspicious_cluster',
    hops: 1,
    since: known[groupBadMin - 1],
    path: bad.slice(0, hopsMax),
    group: { size, bad: bad.length },
  };
}
