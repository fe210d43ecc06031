import { microsecondsPerDay } from '../../contract/contract.ts';
import { fitLinear, scoreLinear } from '../../linear/linear.ts';
import type { FeatureMatrix } from '../../statistics/matrix.ts';
import { sampleIndices, seedRandom } from '../../statistics/random.ts';
import type { Embedder } from '../embed.ts';
import { type FactGraph, forDirections, otherEnd } from '../graph.ts';
import { prefixLengths } from './prefixes.ts';
import { solveRidgeMap } from './ridge-map.ts';
import type { PlaceView } from './views.ts';

/**
 * Mean reciprocal rank of several predictors, over questions (entity, relation, direction, ?) about links that become
 * known after t.
 */
export type LinkMeasures = {
  readonly relation: string;
  readonly inverse: boolean;
  readonly questions: number;
  readonly candidates: number;
  readonly random: number;
  readonly popularity: number;
  readonly commonNeighbours: number;
  /** By length of the prefix. */
  readonly embedding: readonly { readonly dimension: number; readonly mrr: number }[];
};

export type LinkOptions = {
  /** Links known after t and up to `until` are predicted from what was known at t. Microseconds. */
  readonly t: number;
  readonly until: number;
  readonly questionsMax?: number;
  readonly seed?: number;
  /** The prefix lengths to evaluate; all by default. */
  readonly dimensions?: readonly number[];
};

const questionsDefault = 300;
const questionsMin = 20;
const quarterDays = 91;
const pastQuarters = 8;
/**
 * Share of the past links, earliest first, that the linear map is fitted on; the scoring model is fitted on the others.
 */
const mapShare = 0.75;
const linksPerQuarter = 100;
/** Most candidates that the true entity is ranked among. */
const candidatesMax = 1_000;
/** With fewer candidates a relation is left out. */
const candidatesMin = 50;
/** Negatives per past link, from a pool drawn for the quarter. */
const othersPerLink = 12;
const poolMax = 80;
const ridge = 1;
const linkRidge = 10;
/** Most facts of an entity that are followed. */
const walkedMax = 128;

/**
 * Measures how well links between entities known at t are predicted. Candidates are up to a thousand sampled entities
 * of the answer's kind known at t, together with the true answers, without those already linked. Ties count at their
 * mean rank.
 *
 * The predictor from vectors is a ridge-penalised logistic model of three cosines: between the places of candidate and
 * asker, as far as their prefixes contain them; between the candidate and the output of a linear map (ridge regression)
 * for the asker; and between the candidate and the mean of earlier answers. It is trained on links that became known in
 * the two years before t. The map and the mean use the earlier three quarters of them, the logistic model the rest with
 * twelve negatives each. Vectors are those at the beginning of the link's quarter of a year.
 *
 * Only the most frequent kind of answer is evaluated. Relations and directions with fewer than 20 askers are left out.
 */
export function measureLinks(
  graph: FactGraph,
  embedder: Pick<Embedder, 'embedAll'>,
  placeView: PlaceView,
  options: LinkOptions,
  progress: (phase: string, done: number, of: number) => void = () => {},
): LinkMeasures[] {
  const { t, seed = 1, dimensions = prefixLengths } = options;
  const random = seedRandom(seed);
  const asked = questionsOf(graph, options, random);
  const past = pastExamples(
    graph,
    embedder,
    asked.map(({ direction }) => direction),
    t,
    random,
    (done) => progress('reading links of the past', done, pastQuarters),
  );
  const vectors = new Map<number, Float32Array>();
  return asked.flatMap(({ direction, questions, candidates }, done) => {
    progress('predicting links', done, asked.length);
    const examples = past.get(direction)!;
    if (examples.length < questionsMin) return [];
    const early = examples.slice(0, Math.floor(mapShare * examples.length));
    const late = examples.slice(early.length);
    const missing = [...new Set([...candidates, ...questions.map(({ from }) => from)])].filter((e) => !vectors.has(e));
    for (const [i, vector] of embedder.embedAll(missing, t).entries()) vectors.set(missing[i], vector!);
    const endOf = (e: number): End => ({ vector: vectors.get(e)!, kind: graph.store.kinds[e] });
    const popularity = Float64Array.from(candidates, (e) => edgesOf(graph, e, direction ^ 1, t).length);
    const placeOf = new Map(candidates.map((e, at) => [e, at]));
    const mrr = (score: (question: FactLink) => Float64Array) =>
      meanReciprocalRank(graph, questions, placeOf, direction, t, score);
    const ends = candidates.map(endOf);
    return {
      relation: graph.store.relations[direction >> 1].name,
      inverse: (direction & 1) === 1,
      questions: questions.length,
      candidates: candidates.length,
      random: guessing(candidates.length),
      popularity: mrr(() => popularity),
      commonNeighbours: mrr(({ from }) => walkScores(graph, from, direction, t, placeOf)),
      embedding: dimensions.map((dimension) => {
        const score = fitScorer(early, late, placeView, dimension);
        return { dimension, mrr: mrr(({ from }) => score(endOf(from), ends)) };
      }),
    };
  });
}

type LinkQuestions = {
  readonly direction: number;
  readonly questions: readonly FactLink[];
  readonly candidates: readonly number[];
};

function questionsOf(
  graph: FactGraph,
  { t, until, questionsMax = questionsDefault }: LinkOptions,
  random: () => number,
): LinkQuestions[] {
  const { kinds } = graph.store;
  return Array.from({ length: graph.directions }, (_, direction) => direction).flatMap((direction) => {
    const known = newLinks(graph, direction, t, until).filter(
      ({ from, to }) => graph.bornAt[from] <= t && graph.bornAt[to] <= t,
    );
    const byKind = [...Map.groupBy(known, ({ to }) => kinds[to])].sort(
      ([a, m], [b, n]) => n.length - m.length || a - b,
    );
    const [kind, all] = byKind[0] ?? [0, []];
    if (new Set(all.map(({ from }) => from)).size < questionsMin) return [];
    const drawn = sampleIndices(all.length, Math.min(all.length, questionsMax), random);
    const questions = Array.from(drawn, (i) => all[i]);
    const everybody = Array.from(kinds.keys()).filter((e) => kinds[e] === kind && graph.bornAt[e] <= t);
    if (everybody.length < candidatesMin) return [];
    const others = sampleIndices(everybody.length, Math.min(everybody.length, candidatesMax), random);
    const candidates = [...new Set([...Array.from(others, (i) => everybody[i]), ...questions.map(({ to }) => to)])];
    return { direction, questions, candidates };
  });
}

/** The expected reciprocal rank of a random guess: the mean of 1, 1/2, … 1/n. */
function guessing(candidates: number): number {
  let sum = 0;
  for (let rank = 1; rank <= candidates; rank++) sum += 1 / rank;
  return sum / candidates;
}

type FactLink = { readonly from: number; readonly to: number };

/** Pairs whose first fact in the direction became known after t and by `until`. */
function newLinks(graph: FactGraph, direction: number, t: number, until: number): (FactLink & { known: number })[] {
  const { facts } = graph.store;
  const links: (FactLink & { known: number })[] = [];
  const [from, to] = (direction & 1) === 0 ? [facts.subject, facts.object] : [facts.object, facts.subject];
  const seen = new Set<number>();
  for (let fact = 0; fact < facts.subject.length; fact++) {
    const known = facts.known[fact];
    if (facts.relation[fact] !== direction >> 1 || !(known > t && known <= until)) continue;
    const pair = from[fact] * graph.entities + to[fact];
    if (seen.has(pair) || edgesOf(graph, from[fact], direction, t).includes(to[fact])) continue;
    seen.add(pair);
    links.push({ from: from[fact], to: to[fact], known });
  }
  return links;
}

/** The other ends of an entity's newest facts in a direction, known at t. */
function edgesOf(graph: FactGraph, entity: number, direction: number, t: number): number[] {
  const ends: number[] = [];
  forDirections(graph, entity, t, (own, start, end) => {
    if (own !== direction) return;
    for (let edge = end - 1; edge >= Math.max(start, end - walkedMax); edge--) ends.push(otherEnd(graph, edge, own));
  });
  return ends;
}

type End = { readonly vector: Float32Array; readonly kind: number };

/**
 * A link with the vectors of its ends before it was known, and negatives: entities that the asker was not linked with.
 */
type LinkExample = { readonly from: End; readonly to: End; readonly others: readonly End[] };

/** Past links in order of time, by quarter, so that the vectors of one moment are computed together. */
function pastExamples(
  graph: FactGraph,
  embedder: Pick<Embedder, 'embedAll'>,
  directions: readonly number[],
  t: number,
  random: () => number,
  progress: (quarters: number) => void,
): Map<number, LinkExample[]> {
  const past = new Map(directions.map((direction): [number, LinkExample[]] => [direction, []]));
  for (let quarter = pastQuarters; quarter >= 1; quarter--) {
    progress(pastQuarters - quarter);
    const start = t - quarter * quarterDays * microsecondsPerDay;
    for (const [direction, examples] of past)
      examples.push(...quarterExamples(graph, embedder, direction, start, random));
  }
  return past;
}

function quarterExamples(
  graph: FactGraph,
  embedder: Pick<Embedder, 'embedAll'>,
  direction: number,
  start: number,
  random: () => number,
): LinkExample[] {
  const { kinds } = graph.store;
  const links = newLinks(graph, direction, start, start + quarterDays * microsecondsPerDay);
  const drawn = Array.from(
    sampleIndices(links.length, Math.min(links.length, linksPerQuarter), random),
    (i) => links[i],
  );
  if (drawn.length === 0) return [];
  const known = Array.from(kinds.keys()).filter((e) => kinds[e] === kinds[drawn[0].to] && graph.bornAt[e] <= start);
  const pool = Array.from(sampleIndices(known.length, Math.min(known.length, poolMax), random), (i) => known[i]);
  if (pool.length === 0) return [];
  const embed = (entities: readonly number[]) =>
    embedder
      .embedAll(entities, start)
      .map((vector, i): End | null => (vector === null ? null : { vector, kind: kinds[entities[i]] }));
  const [from, to, rest] = [embed(drawn.map((link) => link.from)), embed(drawn.map((link) => link.to)), embed(pool)];
  return drawn.flatMap((link, i) => {
    const [asker, answer] = [from[i], to[i]];
    if (asker === null || answer === null) return [];
    const partners = new Set([link.from, link.to, ...edgesOf(graph, link.from, direction, start)]);
    const others = Array.from({ length: othersPerLink }, () => Math.floor(random() * pool.length))
      .filter((place) => !partners.has(pool[place]))
      .map((place) => rest[place]!);
    return { from: asker, to: answer, others };
  });
}

type Scorer = (asker: End, candidates: readonly End[]) => Float64Array;

function fitScorer(
  early: readonly LinkExample[],
  late: readonly LinkExample[],
  placeView: PlaceView,
  dimension: number,
): Scorer {
  const map = solveRidgeMap(
    early.map(({ from, to }) => ({ input: from.vector, output: to.vector })),
    dimension,
    ridge,
  );
  const usual = new Float64Array(dimension);
  for (const { to } of early) for (let k = 0; k < dimension; k++) usual[k] = usual[k] + to.vector[k];
  const places = new Map<Float32Array, Float64Array>();
  const placeOf = ({ vector, kind }: End) => {
    const found = places.get(vector) ?? placeView(vector, kind, dimension);
    places.set(vector, found);
    return found;
  };
  const matrixOf = (asker: End, candidates: readonly End[]): number[][] => {
    const wanted = map(asker.vector);
    const own = placeOf(asker);
    return candidates.map((candidate) => [
      cosineTo(own, placeOf(candidate)),
      cosineTo(wanted, candidate.vector),
      cosineTo(usual, candidate.vector),
    ]);
  };
  const rows = late.flatMap(({ from, to, others }) => matrixOf(from, [to, ...others]));
  const labels = Float64Array.from(late.flatMap(({ others }) => [1, ...others.map(() => 0)]));
  const model = fitLinear(columnsOf(rows), Int32Array.from(rows.keys()), labels, null, {
    ...{ loss: 'logistic', l2: linkRidge, scaling: 'winsor' },
    features: Int32Array.from(rows[0].keys()),
  });
  return (asker, candidates) => scoreLinear(model, columnsOf(matrixOf(asker, candidates)));
}

function columnsOf(rows: readonly (readonly number[])[]): FeatureMatrix {
  const features = rows[0].length;
  const values = new Float32Array(features * rows.length);
  for (const [r, row] of rows.entries()) for (let k = 0; k < features; k++) values[k * rows.length + r] = row[k];
  return { rows: rows.length, features, values };
}

/**
 * Cosine of the first numbers of a vector with a target, without dividing by the target's length, which does not change
 * a ranking.
 */
function cosineTo(target: Float64Array, vector: Float32Array | Float64Array): number {
  let dot = 0;
  let square = 0;
  for (let k = 0; k < target.length; k++) {
    dot += target[k] * vector[k];
    square += vector[k] * vector[k];
  }
  return square === 0 ? 0 : dot / Math.sqrt(square);
}

/**
 * Scores over paths asker → partner → another asker of that partner → a partner of that one. Hubs have less weight (as
 * in Adamic & Adar 2003).
 */
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
          scores[place] = scores[place] + 1 / (Math.log(2 + fellows.length) * Math.log(2 + others.length));
      }
    }
  }
  return scores;
}

function meanReciprocalRank(
  graph: FactGraph,
  questions: readonly FactLink[],
  placeOf: ReadonlyMap<number, number>,
  direction: number,
  t: number,
  score: (question: FactLink) => Float64Array,
): number {
  let sum = 0;
  for (const question of questions) {
    const scores = score(question);
    const truth = scores[placeOf.get(question.to)!];
    const excluded = new Set([question.from, ...edgesOf(graph, question.from, direction, t)]);
    let higher = 0;
    let equal = 0;
    for (const [entity, place] of placeOf) {
      if (entity === question.to || excluded.has(entity)) continue;
      if (scores[place] > truth) higher++;
      else if (scores[place] === truth) equal++;
    }
    sum += 1 / (1 + higher + equal / 2);
  }
  return sum / questions.length;
}
