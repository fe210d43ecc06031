import { isKnown } from '../graph/as-of/values.ts';
import { type Cluster, chanceOf, findCluster, type Known, type Step } from './cluster.ts';
import type { Incidence } from './incidence.ts';
import { eachShared, type Subject } from './walk.ts';

/**
 * A link to an entity known to be bad by `readableUntil`, or a tight group with more bad actors than chance would
 * explain.
 */
export type Flag = {
  readonly kind: 'known_bad_actor' | 'suspicious_cluster';
  readonly hops: number;
  /** Since when the path and the bad actor at its end have been known, microseconds. */
  readonly since: number;
  readonly path: readonly Step[];
  /** For a group: its size, and how many of its members are known to be bad. */
  readonly group?: { readonly size: number; readonly bad: number };
};

const hopsMax = 3;
const flagsMax = 5;
/** Largest allowed probability that as many of the entities sharing one row are bad by chance. */
const rowChanceMax = 0.2;
/** Largest allowed probability that as many of all reached entities are bad by chance, for links over several hops. */
const chanceMax = 0.05;
/** Most members visited for one answer, to limit its work. */
const looksMax = 5_000;

/**
 * The flags of a subject: first a suspicious group around it, then known bad actors, nearest first, within three hops
 * over shared rows. Actors several hops away are flagged only if more of all reached entities are bad than chance would
 * explain.
 */
export function findFlags(incidence: Incidence, known: Known, subject: Subject): Flag[] {
  const actors = findActors(incidence, known, subject);
  const cluster = findCluster(incidence, known, subject);
  return [...(cluster ? [tellCluster(cluster, known)] : []), ...actors].slice(0, flagsMax);
}

function tellCluster({ path, size, bad }: Cluster, known: Known): Flag {
  const since = latest(path, known.since[path.at(-1)!.entity]);
  return { kind: 'suspicious_cluster', hops: path.length, since, path, group: { size, bad } };
}

function findActors(incidence: Incidence, known: Known, subject: Subject): Flag[] {
  const { readableUntil } = subject;
  const share = known.shareAt(readableUntil);
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
        if (!isTelling(incidence, known, at, from, to, share)) return;
        for (let k = from; k < to; k++) {
          const entity = incidence.members[k];
          if (seen.has(entity)) continue;
          seen.add(entity);
          const steps = [...path, { entity, node, since: Math.max(since, incidence.memberSince[k]) }];
          if (isKnown(known.since, entity, readableUntil)) {
            flags.push({ kind: 'known_bad_actor', hops, since: latest(steps, known.since[entity]), path: steps });
          } else reached.push({ at: { entity, nodes: null, readableUntil }, path: steps });
        }
      });
      if (flags.length >= flagsMax) return flags.slice(0, flagsMax);
    }
    const isMore = hops > 1 && flags.at(-1)?.hops === hops;
    if (isMore && chanceOf(seen.size - 1, flags.length, share) > chanceMax)
      return flags.filter((flag) => flag.hops < hops);
    frontier = reached;
  }
  return flags;
}

/** Whether more of the other entities that share a row are bad than chance would explain, or none is. */
function isTelling(incidence: Incidence, known: Known, at: Subject, from: number, to: number, share: number): boolean {
  let others = 0;
  let bad = 0;
  for (let k = from; k < to; k++) {
    const other = incidence.members[k];
    if (other === at.entity) continue;
    others++;
    if (isKnown(known.since, other, at.readableUntil)) bad++;
  }
  return bad === 0 || chanceOf(others, bad, share) <= rowChanceMax;
}

function latest(steps: readonly Step[], known: number): number {
  return steps.reduce((moment, { since }) => Math.max(moment, since), known);
}
