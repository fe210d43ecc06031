import { microsecondsPerDay } from '../../contract/contract.ts';
import { sampleIndices, seedRandom } from '../../trees/random.ts';
import type { Embedder } from '../embed.ts';
import { type FactGraph, forDirections, otherEnd } from '../graph.ts';
import { prefixLengths } from './prefixes.ts';
import { solveRidgeMap } from './ridge-map.ts';

/** Mean reciprocal rank by way of guessing, over questions (entity, relation, direction, ?) about links that are new after t. */
export type LinkMeasures = {
  readonly relation: string;
  readonly inverse: boolean;
  readonly questions: number;
  readonly candidates: number;
  readonly random: number;
  readonly popularity: number;
  readonly commonNeighbours: number;
  /** By the length of the prefix. */
  readonly embedding: readonly { readonly dimension: number; readonly mrr: number }[];
};

export type LinkOptions = {
  /** Links known after t and up to `until` are foretold from what was known at t. Microseconds. */
  readonly t: number;
  readonly until: number;
  readonly questionsMax?: number;
  readonly seed?: number;
};

const questionsDefault = 150;
const questionsMin = 20;
const pastQuarters = 8;
const quarterDays = 91;
const pairsMax = 480;
/** Others that a truth is ranked among. */
const candidatesMax = 1_000;
/** With fewer there is hardly a question. */
const candidatesMin = 50;
const ridge = 1;
/** Of a hub only so many facts are walked along. */
const walkedMax = 128;

/**
 * How well links between entities known at t are foretold. Candidates are a thousand entities of the kind
 * known at t, drawn, and the truths, less those linked already; ties share their mean rank. The embedding's guess is a linear map of the asker's vector to that of the partner
 * (ridge regression, closed form), fitted on links that became known in the two years before t from vectors of the quarter before
 * each. Relations and directions with fewer than 20 askers are left out.
 */
export function measureLinks(graph: FactGraph, embedder: Embedder, options: LinkOptions): LinkMeasures[] {
  const { t, seed = 1, questionsMax = questionsDefault } = options;
  const random = seedRandom(seed);
  const measures: LinkMeasures[] = [];
  const vectors = new Map<number, Float32Array>();
  for (let direction = 0; direction < graph.directions; direction++) {
    const all = newLinks(graph, direction, t, options.until).filter(
      ({ from, to }) => graph.bornAt[from]! <= t && graph.bornAt[to]! <= t,
    );
    if (new Set(all.map(({ from }) => from)).size < questionsMin) continue;
    const kind = graph.store.kinds[all[0]!.to]!;
    const questions = Array.from(
      sampleIndices(all.length, Math.min(all.length, questionsMax), random),
      (i) => all[i]!,
    ).filter(({ to }) => graph.store.kinds[to] === kind);
    const everybody = Array.from(graph.store.kinds.keys()).filter(
      (e) => graph.store.kinds[e] === kind && graph.bornAt[e]! <= t,
    );
    if (everybody.length < candidatesMin) continue;
    const drawn = sampleIndices(everybody.length, Math.min(everybody.length, candidatesMax), random);
    const candidates = [...new Set([...Array.from(drawn, (i) => everybody[i]!), ...questions.map(({ to }) => to)])];
    const missing = [...new Set([...candidates, ...questions.map(({ from }) => from)])].filter((e) => !vectors.has(e));
    for (const [i, vector] of embedder.embedAll(missing, t).entries()) vectors.set(missing[i]!, vector!);
    const pairs = pastPairs(graph, embedder, direction, t, random);
    if (pairs.length < questionsMin) continue;
    const popularity = Float64Array.from(candidates, (e) => edgesOf(graph, e, direction ^ 1, t).length);
    const placeOf = new Map(candidates.map((e, at) => [e, at]));
    const mrr = (score: (question: Link) => Float64Array) =>
      meanReciprocalRank(graph, questions, placeOf, direction, t, score);
    measures.push({
      relation: graph.store.relations[direction >> 1]!.name,
      inverse: (direction & 1) === 1,
      questions: questions.length,
      candidates: candidates.length,
      random: guessing(candidates.length),
      popularity: mrr(() => popularity),
      commonNeighbours: mrr(({ from }) => walkScores(graph, from, direction, t, placeOf)),
      embedding: prefixLengths.map((dimension) => {
        const map = solveRidgeMap(pairs, dimension, ridge);
        const units = candidates.map((e) => unit(vectors.get(e)!, dimension));
        return {
          dimension,
          mrr: mrr(({ from }) => {
            const wanted = map(vectors.get(from)!);
            return Float64Array.from(units, (vector) => dotOf(vector, wanted));
          }),
        };
      }),
    });
  }
  return measures;
}

/** The expected reciprocal rank of a draw: the mean of 1, 1/2, … 1/n. */
function guessing(candidates: number): number {
  let sum = 0;
  for (let rank = 1; rank <= candidates; rank++) sum += 1 / rank;
  return sum / candidates;
}

type Link = { readonly from: number; readonly to: number };

/** Pairs whose first fact in the direction became known after t and by `until`. */
function newLinks(graph: FactGraph, direction: number, t: number, until: number): (Link & { known: number })[] {
  const { facts } = graph.store;
  const links: (Link & { known: number })[] = [];
  const [from, to] = (direction & 1) === 0 ? [facts.subject, facts.object] : [facts.object, facts.subject];
  const seen = new Set<number>();
  for (let fact = 0; fact < facts.subject.length; fact++) {
    const known = facts.known[fact]!;
    if (facts.relation[fact] !== direction >> 1 || !(known > t && known <= until)) continue;
    const pair = from[fact]! * graph.entities + to[fact]!;
    if (seen.has(pair) || edgesOf(graph, from[fact]!, direction, t).includes(to[fact]!)) continue;
    seen.add(pair);
    links.push({ from: from[fact]!, to: to[fact]!, known });
  }
  return links;
}

/** The other ends of an entity's newest facts in a direction that were known at t. */
function edgesOf(graph: FactGraph, entity: number, direction: number, t: number): number[] {
  const ends: number[] = [];
  forDirections(graph, entity, t, (own, start, end) => {
    if (own !== direction) return;
    for (let edge = end - 1; edge >= Math.max(start, end - walkedMax); edge--) ends.push(otherEnd(graph, edge, own));
  });
  return ends;
}

type Pair = { readonly input: Float32Array; readonly output: Float32Array };

function pastPairs(graph: FactGraph, embedder: Embedder, direction: number, t: number, random: () => number): Pair[] {
  const pairs: Pair[] = [];
  for (let quarter = pastQuarters; quarter >= 1; quarter--) {
    const start = t - quarter * quarterDays * microsecondsPerDay;
    const links = newLinks(graph, direction, start, start + quarterDays * microsecondsPerDay);
    const count = Math.min(links.length, Math.floor(pairsMax / pastQuarters));
    const drawn = Array.from(sampleIndices(links.length, count, random), (i) => links[i]!);
    const ends = embedder.embedAll(
      drawn.flatMap(({ from, to }) => [from, to]),
      start,
    );
    for (let i = 0; i < drawn.length; i++) {
      const [input, output] = [ends[2 * i]!, ends[2 * i + 1]!];
      if (input !== null && output !== null) pairs.push({ input, output });
    }
  }
  return pairs;
}

/** Over paths asker → partner → another asker of it → partner of that one, with hubs counting less (as Adamic & Adar 2003). */
function walkScores(
  graph: FactGraph,
  from: number,
  direction: number,
  t: number,
  placeOf: ReadonlyMap<number, number>,
): Float64Array {
  const scores = new Float64Array(placeOf.size);
  for (const partner of edgesOf(graph, from, direction, t)) {
    const fellows = edgesOf(graph, partner, direction ^ 1, t);
    for (const fellow of fellows) {
      if (fellow === from) continue;
      const others = edgesOf(graph, fellow, direction, t);
      for (const other of others) {
        const place = placeOf.get(other);
        if (place !== undefined)
          scores[place] = scores[place]! + 1 / (Math.log(2 + fellows.length) * Math.log(2 + others.length));
      }
    }
  }
  return scores;
}

function meanReciprocalRank(
  graph: FactGraph,
  questions: readonly Link[],
  placeOf: ReadonlyMap<number, number>,
  direction: number,
  t: number,
  score: (question: Link) => Float64Array,
): number {
  let sum = 0;
  for (const question of questions) {
    const scores = score(question);
    const truth = scores[placeOf.get(question.to)!]!;
    const excluded = new Set([question.from, ...edgesOf(graph, question.from, direction, t)]);
    let higher = 0;
    let equal = 0;
    for (const [entity, place] of placeOf) {
      if (entity === question.to || excluded.has(entity)) continue;
      if (scores[place]! > truth) higher++;
      else if (scores[place] === truth) equal++;
    }
    sum += 1 / (1 + higher + equal / 2);
  }
  return sum / questions.length;
}

function unit(vector: Float32Array, dimension: number): Float64Array {
  const cut = Float64Array.from(vector.subarray(0, dimension));
  let square = 0;
  for (const value of cut) square += value * value;
  if (square > 0) for (let k = 0; k < dimension; k++) cut[k] = cut[k]! / Math.sqrt(square);
  return cut;
}

function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}
