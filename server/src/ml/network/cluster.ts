import { assert } from '../../lib/failure.ts';
import { isKnown } from '../graph/as-of/values.ts';
import type { Incidence } from './incidence.ts';
import { eachShared, type Subject } from './walk.ts';

/** One link of a path: whom it leads to, by a shared row, since when both stood by it. */
export type Step = { readonly entity: number; readonly node: number; readonly since: number };

/** Who is known to be bad since when, and how common that is. */
export type Known = {
  /** Microseconds per entity, Infinity for those who are not known to be bad. */
  readonly since: Float64Array;
  /** The share of all entities known by a moment who were known to be bad by then, in [0, 1]. */
  shareAt(readableUntil: number): number;
};

export type Cluster = {
  /** From the subject to the nearest of the group who is known to be bad. */
  readonly path: readonly Step[];
  readonly size: number;
  readonly bad: number;
};

/** Ties of so many sorts (by a device, by an address) hold the tightest groups; those of one are tried last. */
const sortsMax = 3;
const hopsMax = 3;
/** Around the subject; more are a neighbourhood and no group. */
const reachMax = 40;
const sizeMax = 20;
/**
 * Where ties are of one sort, honest people form groups too (a common director): a group has so many known bad actors …
 */
const badMin = 2;
const badShareMin = 1 / 3;
/** … and where they are of several, so many members, the subject counted in both. */
const sizeMin = 4;
/** Chance that a group of its size has as many known bad actors for no reason, at most. */
const chanceMax = 0.1;

/**
 * The tightest group around a subject with more known bad actors than chance would put there: everybody in it is tied
 * to two others, so that no one member holds it together (a block of the graph of ties; Hopcroft and Tarjan 1973). Ties
 * of several sorts go before ties of one, near groups before wide ones. Null where there is none.
 */
export function findCluster(incidence: Incidence, known: Known, subject: Subject): Cluster | null {
  const { readableUntil } = subject;
  const tiesOf = openTies(incidence, subject);
  const share = known.shareAt(readableUntil);
  const isBad = (entity: number) => isKnown(known.since, entity, readableUntil);
  // All other balls are parts of this one, and hardly anybody has a bad actor in it.
  const widest = gather(tiesOf, subject.entity, 1, hopsMax);
  if (widest && ![...widest.keys()].some((entity) => entity !== subject.entity && isBad(entity))) return null;
  for (let sorts = sortsMax; sorts >= 1; sorts--) {
    for (let hops = 1; hops <= hopsMax; hops++) {
      const ball = gather(tiesOf, subject.entity, sorts, hops);
      if (ball === null) break;
      for (const block of blocksAround(ball)) {
        const bad = block.filter(isBad).length;
        // Whom the path leads to is another.
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

/** To whom somebody is tied by how many sorts of rows, and by the first of them. */
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

/** Those within some hops by ties of enough sorts, the subject first, with the ties between them. */
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
  // A new row is tied to others, and they are not yet to it.
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

/** The blocks of a ball that its first member, the subject, is in: sets that stay connected whichever one leaves. */
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

/** The shortest way within a group from the subject to somebody known to be bad. */
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

/** The chance of `least` or more out of `count`, each with this share in [0, 1) (the upper tail of a binomial). */
export function chanceOf(count: number, least: number, share: number): number {
  let below = 0;
  let term = (1 - share) ** count;
  for (let k = 0; k < least; k++) {
    below += term;
    term *= ((count - k) / (k + 1)) * (share / (1 - share));
  }
  return 1 - below;
}
