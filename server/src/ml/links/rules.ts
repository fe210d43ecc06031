/**
 * Rules, and how often their bodies led to an object of a question. For the question (s, r, ?) at a time:
 *
 * - length 1: s has an edge b to o; the rule is (r, b, age of the edge, how often it was seen);
 * - length 2: s has an edge b1 to x, and x an edge b2 to o; the rule is (r, b1, b2, age of each edge).
 *
 * A rule's confidence is hits / body over the questions asked before, drawn towards that of the same rule without its
 * ages and counts. Cells are found by hash without a check of the key: rules with the same cell share their counts.
 */
import { hashKey } from './counts.ts';
import type { LinkQuestion } from './facts.ts';
import type { History } from './history.ts';

export type RuleTables = {
  /** Each table: pairs of body and hits. The number of pairs is a power of two. */
  readonly edge: Uint32Array;
  readonly edgeBackOff: Uint32Array;
  readonly path: Uint32Array;
  readonly pathBackOff: Uint32Array;
};

/** Cells of the largest table, that of paths: 128 MB. A power of two. Tests of small graphs use fewer. */
export const pathCells = 2 ** 24;

/** At most this many of an entity's newest distinct edges are read. */
const edgesMax = 4_000;
/** Maximum numbers of first and second edges of paths, the newest of each entity. */
const firstEdgesMax = 60;
const secondEdgesMax = 30;

/** Bounds of ages, in units of the middle half-life. They did well where it is 20 days. */
const edgeAges = [0.05, 0.15, 0.35, 0.75, 1.5, 4.5, 9];
const pathAges = [0.15, 0.7, 2.25];
const pathAgeMax = 6;

/** Empty rule tables. cells: those of the largest table, a power of two ≥ 64. */
export function openRules(cells: number): RuleTables {
  const table = (share: number) => new Uint32Array(2 * cells * share);
  return { edge: table(1 / 4), edgeBackOff: table(1 / 64), path: table(1), pathBackOff: table(1 / 4) };
}

/** A copy of the tables, which later learning does not change. */
export function copyRules({ edge, edgeBackOff, path, pathBackOff }: RuleTables): RuleTables {
  return { edge: edge.slice(), edgeBackOff: edgeBackOff.slice(), path: path.slice(), pathBackOff: pathBackOff.slice() };
}

/** For each rule whose body holds at `time`, counts the question, and a hit when the rule leads to a truth. */
export function learnRules(
  rules: RuleTables,
  history: History,
  questions: readonly LinkQuestion[],
  time: number,
): void {
  history.standAt(time);
  const isTruth = new Uint8Array(history.entities);
  for (const { subject, relation, truths } of questions) {
    for (const truth of truths) isTruth[truth] = 1;
    walkEdges(rules, history, subject, relation, time, (object, _body, cell, backOff) => {
      rules.edge[cell]++;
      rules.edgeBackOff[backOff]++;
      rules.edge[cell + 1] += isTruth[object];
      rules.edgeBackOff[backOff + 1] += isTruth[object];
    });
    walkPaths(rules, history, subject, relation, time, (object, cell, backOff) => {
      rules.path[cell]++;
      rules.pathBackOff[backOff]++;
      rules.path[cell + 1] += isTruth[object];
      rules.pathBackOff[backOff + 1] += isTruth[object];
    });
    for (const truth of truths) isTruth[truth] = 0;
  }
}

/** The confidence of the length-1 rule at these cells: (h + 5 c₀) / (n + 5), c₀ = (h₀ + 0.02) / (n₀ + 2). */
export function edgeConfidence({ edge, edgeBackOff }: RuleTables, cell: number, backOff: number): number {
  const prior = (edgeBackOff[backOff + 1] + 0.02) / (edgeBackOff[backOff] + 2);
  return (edge[cell + 1] + 5 * prior) / (edge[cell] + 5);
}

/** The confidence of the length-2 rule at these cells: (h + 10 c₀) / (n + 10), c₀ = (h₀ + 0.01) / (n₀ + 10). */
export function pathConfidence({ path, pathBackOff }: RuleTables, cell: number, backOff: number): number {
  const prior = (pathBackOff[backOff + 1] + 0.01) / (pathBackOff[backOff] + 10);
  return (path[cell + 1] + 10 * prior) / (path[cell] + 10);
}

/**
 * Calls `visit(o, b, cell, backOff)` for each rule of length 1 whose body holds for (subject, relation, ?), newest edge
 * first.
 */
export function walkEdges(
  { edge, edgeBackOff }: RuleTables,
  history: History,
  subject: number,
  relation: number,
  time: number,
  visit: (object: number, body: number, cell: number, backOff: number) => void,
): void {
  const { counts } = history;
  const unit = ageUnit(history);
  let left = edgesMax;
  for (let entry = history.newestEdge(subject); entry >= 0 && left > 0; entry = history.olderEdge(entry), left--) {
    const body = history.relationOf(entry);
    const age = bucketOf((time - counts.lasts[entry]) / unit, edgeAges);
    const cell = cellOf(edge, relation, body, 4 * age + countBucketOf(counts.totals[entry]));
    visit(history.objectOf(entry), body, cell, cellOf(edgeBackOff, relation, body, -1));
  }
}

/**
 * Calls `visit(o, cell, backOff)` for each rule of length 2 whose body holds for (subject, relation, ?) and leads to
 * another entity than the subject.
 */
export function walkPaths(
  { path, pathBackOff }: RuleTables,
  history: History,
  subject: number,
  relation: number,
  time: number,
  visit: (object: number, cell: number, backOff: number) => void,
): void {
  const { counts } = history;
  const unit = ageUnit(history);
  const oldest = time - pathAgeMax * unit;
  let firstLeft = firstEdgesMax;
  for (let first = history.newestEdge(subject); first >= 0 && firstLeft > 0; first = history.olderEdge(first)) {
    if (counts.lasts[first] < oldest) return;
    firstLeft--;
    const middle = history.objectOf(first);
    const firstBody = history.relationOf(first);
    const firstAge = bucketOf((time - counts.lasts[first]) / unit, pathAges);
    let secondLeft = secondEdgesMax;
    for (let second = history.newestEdge(middle); second >= 0 && secondLeft > 0; second = history.olderEdge(second)) {
      if (counts.lasts[second] < oldest) break;
      secondLeft--;
      const object = history.objectOf(second);
      if (object === subject) continue;
      const pair = Math.imul(firstBody, 0x10001) ^ history.relationOf(second);
      const ages = 4 * firstAge + bucketOf((time - counts.lasts[second]) / unit, pathAges);
      visit(object, cellOf(path, relation, pair, ages), cellOf(pathBackOff, relation, pair, -1));
    }
  }
}

/** The index of a rule's body count in a table. Its hits are next to it. */
function cellOf(table: Uint32Array, relation: number, body: number, ages: number): number {
  return 2 * (hashKey(relation, body, ages) & (table.length / 2 - 1));
}

function ageUnit({ counts: { halfLives } }: History): number {
  return halfLives[halfLives.length >> 1];
}

/** Number of the ascending bounds that are below a value. */
function bucketOf(value: number, bounds: readonly number[]): number {
  let bucket = 0;
  while (bucket < bounds.length && value > bounds[bucket]) bucket++;
  return bucket;
}

function countBucketOf(count: number): number {
  return count === 1 ? 0 : count <= 3 ? 1 : count <= 9 ? 2 : 3;
}
