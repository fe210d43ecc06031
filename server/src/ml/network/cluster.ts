import { assert } from '../../lib/failure.ts';
import { isKnown } from '../graph/as-of/values.ts';
import type { Incidence } from './incidence.ts';
import { eachShared, type Subject } from './walk.ts';

/** One step of a path: the entity it leads to, the shared row, and since when both have been linked to that row. */
export type Step = { readonly entity: number; readonly node: number; readonly since: number };

/** Which entities are known to be bad, since when, and how common that is. */
export type Known = {
  /** Microseconds per entity; Infinity for entities not known to be bad. */
  readonly since: Float64Array;
  /** The share, in [0, 1], of the entities known by a moment that were known to be bad by then. */
  shareAt(readableUntil: number): number;
};

export type Cluster = {
  /** From the subject to the nearest known bad actor of the group. */
  readonly path: readonly Step[];
  readonly size: number;
  readonly bad: number;
};

/** Ties of at least this many sorts (by a device, by an address) are tried first; ties of one sort last. */
const sortsMax = 3;
const hopsMax = 3;
/** Most entities around the subject; more are a neighborhood, not a group. */
const reachMax = 40;
const sizeMax = 20;
/**
 * Ties of one sort also connect honest people (a common director). Such a group needs this many known bad actors, and
 * this share of them.
 */
const badMin = 2;
const badShareMin = 1 / 3;
/** A group with ties of several sorts may instead have this many members. Both numbers include the subject. */
const sizeMin = 4;
/** Largest allowed probability that a group of its size has so many known bad actors by chance. */
const chanceMax = 0.1;

/**
 * Finds the tightest group around a subject with more known bad actors than chance would explain. Every member is tied
 * to two others, so that no single member holds the group together (a biconnected component of the graph of ties;
 * Hopcroft and Tarjan 1973). Ties of several sorts are tried before ties of one, near groups before wide ones. Null
 * where there is none.
 */
export function findCluster(incidence: Incidence, known: Known, subject: Subject): Cluster | null {
  const { readableUntil } = subject;
  const tiesOf = openTies(incidence, subject);
  const share = known.shareAt(readableUntil);
  const isBad = (entity: number) => isKnown(known.since, entity, readableUntil);
  // All other balls are parts of this one, and in most cases it has no bad actor.
  const widest = gather(tiesOf, subject.entity, 1, hopsMax);
  if (widest && ![...widest.keys()].some((entity) => entity !== subject.entity && isBad(entity))) return null;
  for (let sorts = sortsMax; sorts >= 1; sorts--) {
    for (let hops = 1; hops <= hopsMax; hops++) {
      const ball = gather(tiesOf, subject.entity, sorts, hops);
      if (ball === null) break;
      for (const block of blocksAround(ball)) {
        const bad = block.filter(isBad).length;
        // The path must lead to a bad actor other than the subject.
        if (bad <= Number(isBad(subject.entity)) || !isSuspicious(block.length, bad, sorts > 1, share)) continue;
        return { path: pathToBad(ball, new Set(block), isBad), size: block.length, bad };
      }
    }
  }
  return null;
}

function isSuspicious(size: number, bad: number, isTight: boolean, share: number): boolean {
  const isMany = bad >= badMin && bad >= badShareMin * size;
  return size <= sizeMax && (isMany || (isTight && size >= sizeMin)) && chanceOf(size, bad, share) <= chanceMax;
}

/** For each tied entity: the earliest step to it, and by how many sorts of rows it is tied. */
type Ties = ReadonlyMap<number, { readonly step: Step; readonly sorts: number }>;

function openTies({ bases, ...rest }: Incidence, subject: Subject): (entity: number) => Ties {
  const starts = [...bases.values()].sort((a, b) => a - b);
  const sortOf = (node: number) => starts.findLastIndex((base) => base <= node);
  const found = new Map<number, Ties>();
  return (entity) => {
    let ties = found.get(entity);
    if (ties) return ties;
    const made = new Map<number, { step: Step; sorts: number; seen: number[] }>();
    const from = entity === subject.entity ? subject : { entity, nodes: null, readableUntil: subject.readableUntil };
    eachShared({ bases, ...rest }, from, (node, since, first, last) => {
      if (last - first > sizeMax) return;
      const sort = sortOf(node);
      for (let k = first; k < last; k++) {
        const other = rest.members[k];
        if (other === entity) continue;
        const step = { entity: other, node, since: Math.max(since, rest.memberSince[k]) };
        const tie = made.get(other);
        if (!tie) made.set(other, { step, sorts: 1, seen: [sort] });
        else {
          if (step.since < tie.step.since) tie.step = step;
          if (!tie.seen.includes(sort)) tie.sorts = tie.seen.push(sort);
        }
      }
    });
    found.set(entity, (ties = made));
    return ties;
  };
}

/** The entities within some hops by ties of enough sorts, the subject first, with the ties between them. */
type Ball = ReadonlyMap<number, readonly Step[]>;

function gather(tiesOf: (entity: number) => Ties, subject: number, sorts: number, hops: number): Ball | null {
  const tied = (entity: number) =>
    [...tiesOf(entity)].filter(([, tie]) => tie.sorts >= sorts).map(([, { step }]) => step);
  const reached = new Set([subject]);
  let frontier = [subject];
  for (let hop = 0; hop < hops; hop++) {
    const next: number[] = [];
    for (const entity of frontier) {
      for (const { entity: other } of tied(entity)) {
        if (reached.has(other)) continue;
        reached.add(other);
        next.push(other);
        if (reached.size > reachMax) return null;
      }
    }
    frontier = next;
  }
  // A new row is tied to others, but their ties do not include it yet; the reverse step is added.
  const own = tied(subject);
  return new Map(
    [...reached].map((entity) => {
      const steps = entity === subject ? own : tied(entity).filter((step) => reached.has(step.entity));
      const back = own.find((step) => step.entity === entity);
      const isMissing = back && !steps.some((step) => step.entity === subject);
      return [entity, isMissing ? [...steps, { ...back, entity: subject }] : steps];
    }),
  );
}

/**
 * The blocks of a ball that contain its first member, the subject: sets that stay connected when any one member is
 * removed.
 */
function blocksAround(ball: Ball): number[][] {
  const [root] = ball.keys();
  const order = new Map<number, number>([[root!, 0]]);
  const low = new Map<number, number>([[root!, 0]]);
  const stack: number[] = [];
  const blocks: number[][] = [];
  const visit = (entity: number, parent: number): void => {
    stack.push(entity);
    for (const { entity: other } of ball.get(entity)!) {
      if (other === parent) continue;
      if (order.has(other)) {
        low.set(entity, Math.min(low.get(entity)!, order.get(other)!));
        continue;
      }
      order.set(other, order.size);
      low.set(other, order.get(other)!);
      visit(other, entity);
      low.set(entity, Math.min(low.get(entity)!, low.get(other)!));
      if (low.get(other)! < order.get(entity)!) continue;
      const block = stack.splice(stack.indexOf(other));
      if (entity === root) blocks.push([root, ...block]);
    }
  };
  visit(root!, -2);
  return blocks.filter((block) => block.length > 2);
}

/** The shortest path within a group from the subject to a known bad actor. */
function pathToBad(ball: Ball, group: ReadonlySet<number>, isBad: (entity: number) => boolean): Step[] {
  const [subject] = ball.keys();
  const seen = new Set([subject!]);
  let paths: Step[][] = [[]];
  while (paths.length > 0) {
    const longer: Step[][] = [];
    for (const path of paths) {
      for (const step of ball.get(path.at(-1)?.entity ?? subject!)!) {
        if (seen.has(step.entity) || !group.has(step.entity)) continue;
        seen.add(step.entity);
        if (isBad(step.entity)) return [...path, step];
        longer.push([...path, step]);
      }
    }
    paths = longer;
  }
  assert(false, 'a block with a bad actor has a way to it');
}

/**
 * The probability of at least `least` out of `count`, each with probability `share` in [0, 1): the upper tail of a
 * binomial.
 */
export function chanceOf(count: number, least: number, share: number): number {
  let below = 0;
  let term = (1 - share) ** count;
  for (let k = 0; k < least; k++) {
    below += term;
    term *= ((count - k) / (k + 1)) * (share / (1 - share));
  }
  return 1 - below;
}
