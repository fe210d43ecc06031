import { inverseOf } from './facts.ts';
import type { History } from './history.ts';
import { edgeConfidence, pathConfidence, type RuleTables, walkEdges, walkPaths } from './rules.ts';

/** Maximum number of candidates of a question: the best by counts and rules. */
export const candidatesMax = 200;
/** Objects that a relation often had lately, whatever the subject. They are candidates for every subject. */
const usualObjectsMax = 50;

/**
 * The entities that may answer one question, and what the rules say about each. The arrays are parallel, `size` long,
 * and valid until the next question. Scratch space of `gatherCandidates`, one per reader.
 */
export class Candidates {
  size = 0;
  readonly entities: Int32Array;
  /**
   * Of the confidences of the length-1 rules that lead to the candidate: the greatest, the second, and the greatest by
   * another relation than the one asked about.
   */
  readonly edgeBest: Float64Array;
  readonly edgeSecond: Float64Array;
  readonly edgeOther: Float64Array;
  /** Σ −log(1 − confidence). 1 − exp of its negative is the noisy-or of the confidences. */
  readonly edgeSum: Float64Array;
  readonly pathBest: Float64Array;
  readonly pathSum: Float64Array;
  readonly paths: Float64Array;
  /** A first estimate of how likely each candidate is, by which the candidates are cut. */
  readonly guesses: Float64Array;
  /** For each entity: its place + 1, or 0 when it is no candidate. */
  readonly places: Int32Array;
  readonly usual = new Map<number, { version: number; objects: Int32Array }>();

  constructor(entities: number) {
    const values = () => new Float64Array(entities);
    this.entities = new Int32Array(entities);
    this.places = new Int32Array(entities);
    this.edgeBest = values();
    this.edgeSecond = values();
    this.edgeOther = values();
    this.edgeSum = values();
    this.pathBest = values();
    this.pathSum = values();
    this.paths = values();
    this.guesses = values();
  }

  /** The place of an entity. The entity becomes a candidate if it was none. */
  placeOf(entity: number): number {
    const known = this.places[entity];
    if (known > 0) return known - 1;
    const place = this.size++;
    this.places[entity] = place + 1;
    this.entities[place] = entity;
    this.edgeBest[place] = 0;
    this.edgeSecond[place] = 0;
    this.edgeOther[place] = 0;
    this.edgeSum[place] = 0;
    this.pathBest[place] = 0;
    this.pathSum[place] = 0;
    this.paths[place] = 0;
    return place;
  }

  clear(): void {
    for (let place = 0; place < this.size; place++) this.places[this.entities[place]] = 0;
    this.size = 0;
  }

  /** Keeps the candidates at the given places (ascending), and drops the others. */
  keep(places: Int32Array): void {
    for (let place = 0; place < this.size; place++) this.places[this.entities[place]] = 0;
    for (let to = 0; to < places.length; to++) {
      const from = places[to];
      this.entities[to] = this.entities[from];
      this.places[this.entities[to]] = to + 1;
      for (const values of [this.edgeBest, this.edgeSecond, this.edgeOther, this.edgeSum]) values[to] = values[from];
      for (const values of [this.pathBest, this.pathSum, this.paths, this.guesses]) values[to] = values[from];
    }
    this.size = places.length;
  }
}

/**
 * Finds the candidates for (subject, relation, ?) at `time`, from the history and the rules alone: the ends of the
 * subject's edges and paths, and the usual objects of the relation. They are cut to the `candidatesMax` best guesses.
 */
export function gatherCandidates(
  candidates: Candidates,
  history: History,
  rules: RuleTables,
  subject: number,
  relation: number,
  time: number,
): void {
  history.standAt(time);
  candidates.clear();
  walkEdges(rules, history, subject, relation, time, (object, body, cell, backOff) => {
    const place = candidates.placeOf(object);
    const confidence = edgeConfidence(rules, cell, backOff);
    candidates.edgeSum[place] -= Math.log(1 - confidence);
    if (confidence > candidates.edgeBest[place]) {
      candidates.edgeSecond[place] = candidates.edgeBest[place];
      candidates.edgeBest[place] = confidence;
    } else if (confidence > candidates.edgeSecond[place]) candidates.edgeSecond[place] = confidence;
    if (body !== relation && confidence > candidates.edgeOther[place]) candidates.edgeOther[place] = confidence;
  });
  walkPaths(rules, history, subject, relation, time, (object, cell, backOff) => {
    const place = candidates.placeOf(object);
    const confidence = pathConfidence(rules, cell, backOff);
    candidates.pathSum[place] -= Math.log(1 - confidence);
    candidates.paths[place]++;
    if (confidence > candidates.pathBest[place]) candidates.pathBest[place] = confidence;
  });
  for (const object of usualObjects(candidates, history, relation, time)) candidates.placeOf(object);
  guess(candidates, history, relation, time);
  if (candidates.size > candidatesMax)
    candidates.keep(bestPlaces(candidates.guesses, candidates.size, candidates.entities, candidatesMax));
}

/**
 * The entities that were most often objects of a relation, decayed by the middle half-life. Computed once per version
 * of the history.
 */
function usualObjects({ usual }: Candidates, history: History, relation: number, time: number): Int32Array {
  const known = usual.get(relation);
  if (known?.version === history.version) return known.objects;
  const { counts } = history;
  const sides = history.sidesBy(inverseOf(relation, history.relations));
  const middle = counts.halfLives.length >> 1;
  const weights = Float64Array.from(sides, (side) => counts.decayed(side, middle, time));
  const entities = Int32Array.from(sides, (side) => history.entityOf(side));
  const best = bestPlaces(weights, weights.length, entities, usualObjectsMax);
  const objects = best.map((place) => entities[place]);
  usual.set(relation, { version: history.version, objects });
  return objects;
}

/**
 * Writes the guesses: the noisy-or of the rules, with those of length 2 discounted, plus smaller terms for the entity's
 * share of the objects of the relation, by the middle and by the slow half-life.
 */
function guess(candidates: Candidates, history: History, relation: number, time: number): void {
  const { counts } = history;
  const middle = counts.halfLives.length >> 1;
  const slow = counts.halfLives.length - 1;
  const inverse = inverseOf(relation, history.relations);
  const all = counts.decayed(history.relation(relation), middle, time);
  const asked = counts.decayed(history.relation(relation), slow, time);
  for (let place = 0; place < candidates.size; place++) {
    const side = history.side(candidates.entities[place], inverse);
    const share = side < 0 ? 0 : counts.decayed(side, middle, time) / all;
    const slowShare = side < 0 ? 0 : counts.decayed(side, slow, time) / asked;
    const ruled = candidates.edgeSum[place] + 0.5 * Math.min(candidates.pathSum[place], 1);
    candidates.guesses[place] = 1 - Math.exp(-ruled) + 0.5 * share + 0.001 * slowShare;
  }
}

/** The places of the `count` greatest of the first `size` values, ascending. On ties the smaller entities win. */
export function bestPlaces(values: Float64Array, size: number, entities: Int32Array, count: number): Int32Array {
  if (size <= count) return Int32Array.from({ length: size }, (_, place) => place);
  const threshold = values.slice(0, size).sort()[size - count];
  const chosen: number[] = [];
  const tied: number[] = [];
  for (let place = 0; place < size; place++) {
    if (values[place] > threshold) chosen.push(place);
    else if (values[place] === threshold) tied.push(place);
  }
  tied.sort((a, b) => entities[a] - entities[b]);
  chosen.push(...tied.slice(0, count - chosen.length));
  return Int32Array.from(chosen).sort();
}
