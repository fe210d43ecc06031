// The numeric columns of each candidate of a question, which the ranker reads.
import { assert } from '../../lib/failure.ts';
import type { Candidates } from './candidates.ts';
import { inverseOf } from './facts.ts';
import type { History } from './history.ts';
import { likenesses } from './profiles.ts';

/** The columns' names, in the order `fillColumns` writes them for histories of three half-lives. */
export const columnNames = [
  ...namesOf('edge', ['count', 'fast', 'middle', 'slow', 'middle share', 'slow share', 'age', 'gap', 'first']),
  ...namesOf('pair', ['count', 'fast', 'middle', 'slow', 'middle share', 'slow share', 'age', 'gap', 'first']),
  ...namesOf('reciprocal', ['count', 'fast', 'middle', 'slow', 'age']),
  ...namesOf('side', ['count', 'fast', 'middle', 'slow', 'fast share', 'middle share', 'slow share', 'age']),
  ...namesOf('object', ['count', 'fast', 'middle', 'slow', 'age', 'first']),
  ...namesOf('edge rules', ['best', 'second', 'other', 'sum', 'best to greatest', 'sum to greatest']),
  ...namesOf('path rules', ['best', 'sum', 'paths', 'sum to greatest']),
  ...namesOf('group', ['edge to greatest', 'pair to greatest']),
  ...namesOf('subject', ['count', 'fast', 'middle', 'slow']),
  ...namesOf('question', ['count', 'fast', 'middle', 'slow', 'age', 'candidates']),
  ...namesOf('relation', ['count', 'middle']),
  ...namesOf('alike', ['r by relations', 's r by relations', 's r', 's', 'r', 'subject']),
] as const;

/** Logarithms of counts and confidences start here, so that none and very little differ little. */
const leastCount = 0.01;
const leastConfidence = 0.001;
const noCount = Math.log(leastCount);
const noConfidence = Math.log(leastConfidence);
const leastCosine = -1;

/**
 * Columns that can order the candidates by themselves. `least` is the value of an entity without count or rule: it ties
 * with all entities that are no candidates.
 */
export const views: readonly { name: string; column: (typeof columnNames)[number]; least: number }[] = [
  { name: 'edge (s, r, o)', column: 'edge middle', least: noCount },
  { name: 'pair (s, any, o)', column: 'pair middle', least: noCount },
  { name: 'reciprocal (o, r, s)', column: 'reciprocal middle', least: noCount },
  { name: 'side (any, r, o)', column: 'side middle', least: noCount },
  { name: 'object activity', column: 'object slow', least: noCount },
  { name: 'length-1 rules, best', column: 'edge rules best', least: noConfidence },
  { name: 'length-1 rules, noisy-or', column: 'edge rules sum', least: noConfidence },
  { name: 'length-2 rules, noisy-or', column: 'path rules sum', least: noConfidence },
  { name: 'alike to answers of (s, r)', column: 'alike s r', least: leastCosine },
  { name: 'alike to answers of s', column: 'alike s', least: leastCosine },
];

/**
 * Writes one row of `columnNames` per candidate to `out`, in the order of the candidates. Counts, shares and
 * confidences are logarithms. Ages, gaps and times since the first are log(1 + steps); what never occurred counts as if
 * it had occurred before the first fact. Likenesses are cosines.
 */
export function fillColumns(
  out: Float64Array,
  candidates: Candidates,
  history: History,
  subject: number,
  relation: number,
  time: number,
): void {
  const { counts } = history;
  assert(counts.halfLives.length === 3, 'columns are of a fast, a middle and a slow half-life');
  const width = columnNames.length;
  const inverse = inverseOf(relation, history.relations);
  const never = Math.log(2 * (time + 1) + 1);
  const age = (since: number) => Math.log(time - since + 1);
  const decayed = new Float64Array(3);
  const alike = new Float64Array(likenesses);
  const read = (entry: number) => {
    for (let h = 0; h < 3; h++) decayed[h] = counts.decayed(entry, h, time);
  };
  const total = (entry: number) => (entry < 0 ? 0 : counts.totals[entry]);
  let at = 0;
  const put = (value: number) => {
    out[at++] = value;
  };
  const putCount = (value: number) => put(Math.log(value + leastCount));
  const putShare = (value: number, whole: number) => put(Math.log(value / (whole + leastCount) + leastCount));
  const putConfidence = (value: number) => put(Math.log(value + leastConfidence));
  const putTotals = (entry: number) => {
    read(entry);
    putCount(total(entry));
    for (let h = 0; h < 3; h++) putCount(decayed[h]);
  };
  const putAge = (entry: number) => put(entry < 0 ? never : age(counts.lasts[entry]));
  const putGap = (entry: number) => {
    const before = entry < 0 ? Number.NaN : counts.previous[entry];
    put(Number.isNaN(before) ? never : Math.log(counts.lasts[entry] - before + 1));
  };
  const putFirst = (entry: number) => put(entry < 0 ? never : age(counts.firsts[entry]));

  const question = history.side(subject, relation);
  const own = history.entity(subject);
  const every = history.relation(relation);
  const [askedMiddle, askedSlow] = [1, 2].map((h) => counts.decayed(question, h, time));
  const [ownMiddle, ownSlow] = [1, 2].map((h) => counts.decayed(own, h, time));
  const all = [0, 1, 2].map((h) => counts.decayed(every, h, time));
  const greatest = greatestOf(candidates, history, subject, relation, time);

  for (let place = 0; place < candidates.size; place++) {
    const object = candidates.entities[place];
    const edge = history.edge(subject, relation, object);
    putTotals(edge);
    const edgeMiddle = decayed[1];
    putShare(decayed[1], askedMiddle);
    putShare(decayed[2], askedSlow);
    putAge(edge);
    putGap(edge);
    putFirst(edge);

    const pair = history.pair(subject, object);
    putTotals(pair);
    const pairMiddle = decayed[1];
    putShare(decayed[1], ownMiddle);
    putShare(decayed[2], ownSlow);
    putAge(pair);
    putGap(pair);
    putFirst(pair);

    const reciprocal = history.edge(subject, inverse, object);
    putTotals(reciprocal);
    putAge(reciprocal);

    const side = history.side(object, inverse);
    putTotals(side);
    for (let h = 0; h < 3; h++) putShare(decayed[h], all[h]);
    putAge(side);

    const entity = history.entity(object);
    putTotals(entity);
    putAge(entity);
    putFirst(entity);

    const best = candidates.edgeBest[place];
    const sum = candidates.edgeSum[place];
    putConfidence(best);
    putConfidence(candidates.edgeSecond[place]);
    putConfidence(candidates.edgeOther[place]);
    putConfidence(sum);
    put(Math.log((best + leastConfidence) / (greatest.edgeBest + leastConfidence)));
    put(Math.log((sum + leastConfidence) / (greatest.edgeSum + leastConfidence)));

    const pathSum = candidates.pathSum[place];
    putConfidence(candidates.pathBest[place]);
    putConfidence(pathSum);
    putCount(candidates.paths[place]);
    put(Math.log((pathSum + leastConfidence) / (greatest.pathSum + leastConfidence)));

    putShare(edgeMiddle, greatest.edge);
    putShare(pairMiddle, greatest.pair);
    putTotals(own);
    putTotals(question);
    putAge(question);
    putCount(candidates.size);
    putCount(total(every));
    putCount(all[1]);
    history.profiles.liken(alike, question, subject, relation, object);
    for (const cosine of alike) put(cosine);
  }
  assert(at === candidates.size * width, 'every candidate has every column');
}

/** The greatest values among the candidates, to which each candidate is compared. */
function greatestOf(candidates: Candidates, history: History, subject: number, relation: number, time: number) {
  const { counts } = history;
  let [edge, pair, edgeBest, edgeSum, pathSum] = [0, 0, 0, 0, 0];
  for (let place = 0; place < candidates.size; place++) {
    const object = candidates.entities[place];
    edge = Math.max(edge, counts.decayed(history.edge(subject, relation, object), 1, time));
    pair = Math.max(pair, counts.decayed(history.pair(subject, object), 1, time));
    edgeBest = Math.max(edgeBest, candidates.edgeBest[place]);
    edgeSum = Math.max(edgeSum, candidates.edgeSum[place]);
    pathSum = Math.max(pathSum, candidates.pathSum[place]);
  }
  return { edge, pair, edgeBest, edgeSum, pathSum };
}

function namesOf<G extends string, C extends string>(group: G, columns: readonly C[]): `${G} ${C}`[] {
  return columns.map((column) => `${group} ${column}` as const);
}
