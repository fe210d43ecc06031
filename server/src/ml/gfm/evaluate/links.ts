import { microsecondsPerDay } from '../../contract/contract.ts';
import { fitLinear, scoreLinear } from '../../training/linear.ts';
import type { FeatureMatrix } from '../../trees/matrix.ts';
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
  /** Prefixes asked about; all by default. */
  readonly dimensions?: readonly number[];
};

const questionsDefault = 120;
const questionsMin = 20;
const pastQuarters = 8;
const quarterDays = 91;
const pairsMax = 320;
/** Others that a truth is ranked among. */
const candidatesMax = 1_000;
/** With fewer there is hardly a question. */
const candidatesMin = 50;
/** Others beside each past link, out of a pool drawn for the quarter. */
const othersPerLink = 12;
const poolMax = 80;
const ridge = 1;
const linkRidge = 10;
/** Of a hub only so many facts are walked along. */
const walkedMax = 128;

/** What a prefix of a vector tells of an entity: stretches, of which those of one length can be held against each other. */
export type Views = (vector: Float32Array, dimension: number) => readonly Float64Array[];

/**
 * How well links between entities known at t are foretold. Candidates are a thousand entities of the kind known at t, drawn, and the
 * truths, less those linked already; ties share their mean rank. The vectors' guess is a ridge-penalised logistic model of the inner
 * products of asker's and candidate's views, and of how near the candidate lies to where a linear map (ridge regression) takes the
 * asker; both are fitted on links that became known in the two years before t, beside twelve others for each, from vectors of the
 * quarter before each. Relations and directions with fewer than 20 askers are left out.
 */
export function measureLinks(
  graph: FactGraph,
  embedder: Embedder,
  views: Views,
  options: LinkOptions,
  progress: (done: number, of: number) => void = () => {},
): LinkMeasures[] {
  const { t, seed = 1, questionsMax = questionsDefault, dimensions = prefixLengths } = options;
  const random = seedRandom(seed);
  const measures: LinkMeasures[] = [];
  const vectors = new Map<number, Float32Array>();
  for (let direction = 0; direction < graph.directions; direction++) {
    progress(direction, graph.directions);
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
    const past = pastExamples(graph, embedder, direction, t, random);
    if (past.length < questionsMin) continue;
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
      embedding: dimensions.map((dimension) => {
        const score = fitScorer(past, views, dimension);
        const vectorsOf = candidates.map((e) => vectors.get(e)!);
        return { dimension, mrr: mrr(({ from }) => score(vectors.get(from)!, vectorsOf)) };
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

/** A link, from the vectors of its ends before it was known, and others that the asker was not linked with. */
type Example = {
  readonly input: Float32Array;
  readonly output: Float32Array;
  readonly others: readonly Float32Array[];
};

function pastExamples(
  graph: FactGraph,
  embedder: Embedder,
  direction: number,
  t: number,
  random: () => number,
): Example[] {
  const examples: Example[] = [];
  const { kinds } = graph.store;
  for (let quarter = pastQuarters; quarter >= 1; quarter--) {
    const start = t - quarter * quarterDays * microsecondsPerDay;
    const links = newLinks(graph, direction, start, start + quarterDays * microsecondsPerDay);
    const count = Math.min(links.length, Math.floor(pairsMax / pastQuarters));
    const drawn = Array.from(sampleIndices(links.length, count, random), (i) => links[i]!);
    const ends = embedder.embedAll(
      drawn.flatMap(({ from, to }) => [from, to]),
      start,
    );
    const known = Array.from(kinds.keys()).filter(
      (e) => drawn.length > 0 && kinds[e] === kinds[drawn[0]!.to] && graph.bornAt[e]! <= start,
    );
    const pool = Array.from(sampleIndices(known.length, Math.min(known.length, poolMax), random), (i) => known[i]!);
    const poolVectors = embedder.embedAll(pool, start);
    for (const [i, link] of drawn.entries()) {
      const [input, output] = [ends[2 * i]!, ends[2 * i + 1]!];
      if (input === null || output === null || pool.length === 0) continue;
      const partners = new Set([link.from, link.to, ...edgesOf(graph, link.from, direction, start)]);
      const others = Array.from({ length: othersPerLink }, () => Math.floor(random() * pool.length))
        .filter((place) => !partners.has(pool[place]!))
        .map((place) => poolVectors[place]!);
      examples.push({ input, output, others });
    }
  }
  return examples;
}

type Scorer = (asker: Float32Array, candidates: readonly Float32Array[]) => Float64Array;

function fitScorer(past: readonly Example[], views: Views, dimension: number): Scorer {
  const seen = new Map<Float32Array, readonly Float64Array[]>();
  const viewsOf = (vector: Float32Array) => {
    const found = seen.get(vector) ?? views(vector, dimension);
    seen.set(vector, found);
    return found;
  };
  const map = solveRidgeMap(past, dimension, ridge);
  const matrixOf = (asker: Float32Array, candidates: readonly Float32Array[]): number[][] => {
    const own = viewsOf(asker);
    const wanted = map(asker);
    return candidates.map((candidate) => {
      const other = viewsOf(candidate);
      const products = [cosineTo(wanted, candidate)];
      for (const a of own) for (const b of other) if (a.length === b.length) products.push(dotOf(a, b));
      return products;
    });
  };
  const rows = past.flatMap(({ input, output, others }) => matrixOf(input, [output, ...others]));
  const labels = Float64Array.from(past.flatMap(({ others }) => [1, ...others.map(() => 0)]));
  const model = fitLinear(columnsOf(rows), Int32Array.from(rows.keys()), labels, null, {
    ...{ loss: 'logistic', l2: linkRidge, scaling: 'rank' },
    features: Int32Array.from(rows[0]!.keys()),
  });
  return (asker, candidates) => scoreLinear(model, columnsOf(matrixOf(asker, candidates)));
}

function columnsOf(rows: readonly (readonly number[])[]): FeatureMatrix {
  const features = rows[0]!.length;
  const values = new Float32Array(features * rows.length);
  for (const [r, row] of rows.entries()) for (let k = 0; k < features; k++) values[k * rows.length + r] = row[k]!;
  return { rows: rows.length, features, values };
}

/** Of the first numbers of a vector with a target; the target's length does not matter to a ranking. */
function cosineTo(target: Float64Array, vector: Float32Array): number {
  let dot = 0;
  let square = 0;
  for (let k = 0; k < target.length; k++) {
    dot += target[k]! * vector[k]!;
    square += vector[k]! * vector[k]!;
  }
  return square === 0 ? 0 : dot / Math.sqrt(square);
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

function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}
