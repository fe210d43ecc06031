/**
 * Vectors of the relations and neighbours with which each entity was seen, by which entities that never met can be
 * compared.
 *
 * Every relation and every entity has a random signature of ±1. An entity's profile has two parts: the decayed sum of
 * the signatures of its relations, and that of its neighbours. Each neighbour is divided by the root of its activity,
 * because everyone meets the largest. A question's profile is the decayed sum of the normalised profiles of the
 * entities that answered it, as they were before. The cosine of two profiles approximates that of the sums they stand
 * for, with noise of about 1/√width (Johnson and Lindenstrauss 1984). It needs no decay, which only scales a vector as
 * a whole.
 */
import { hashKey } from './counts.ts';
import { inverseOf, type Period } from './facts.ts';

const relationWidth = 32;
const neighbourWidth = 128;
const width = relationWidth + neighbourWidth;

/** Decayed sums of vectors, by row. */
type Sums = { vectors: Float32Array; times: Float64Array };

export class Profiles {
  private readonly relations: number;
  private readonly halfLife: number;
  private readonly own: Sums;
  /**
   * Profiles of what answered an entity by any relation, a relation for any subject, and both together (by the entry of
   * the side).
   */
  private readonly bySubject: Sums;
  private readonly byRelation: Sums;
  private readonly bySide: Sums;
  private readonly rowOfSide = new Map<number, number>();
  private readonly unit = new Float32Array(width);

  constructor(entities: number, relations: number, halfLife: number) {
    this.relations = relations;
    this.halfLife = halfLife;
    this.own = openSums(entities);
    this.bySubject = openSums(entities);
    this.byRelation = openSums(2 * relations);
    this.bySide = openSums(1024);
  }

  /** Adds a period. sideOf: an integer ≥ 0 for each (entity, relation) in it; activityOf: > 0 for each entity in it. */
  add(
    { time, subjects, relations, objects }: Period,
    sideOf: (entity: number, relation: number) => number,
    activityOf: (entity: number) => number,
  ): void {
    for (let i = 0; i < subjects.length; i++) {
      const inverse = inverseOf(relations[i], this.relations);
      this.addAnswer(sideOf(subjects[i], relations[i]), subjects[i], relations[i], objects[i], time);
      this.addAnswer(sideOf(objects[i], inverse), objects[i], inverse, subjects[i], time);
    }
    for (let i = 0; i < subjects.length; i++) {
      const inverse = inverseOf(relations[i], this.relations);
      this.addNeighbour(subjects[i], relations[i], objects[i], 1 / Math.sqrt(activityOf(objects[i])), time);
      this.addNeighbour(objects[i], inverse, subjects[i], 1 / Math.sqrt(activityOf(subjects[i])), time);
    }
  }

  /**
   * Writes how similar `object` is to the earlier answers of (subject, relation, ?): `likenesses` cosines, 0 when
   * nothing is known. side: the result of `sideOf` for (subject, relation), or −1.
   */
  liken(out: Float64Array, side: number, subject: number, relation: number, object: number): void {
    const row = this.rowOfSide.get(side) ?? -1;
    const own = this.own.vectors;
    const at = object * width;
    const [relationsEnd, end] = [relationWidth, width];
    out[0] = cosine(own, at, this.byRelation.vectors, relation * width, 0, relationsEnd);
    out[1] = row < 0 ? 0 : cosine(own, at, this.bySide.vectors, row * width, 0, relationsEnd);
    out[2] = row < 0 ? 0 : cosine(own, at, this.bySide.vectors, row * width, relationsEnd, end);
    out[3] = cosine(own, at, this.bySubject.vectors, subject * width, relationsEnd, end);
    out[4] = cosine(own, at, this.byRelation.vectors, relation * width, relationsEnd, end);
    out[5] = cosine(own, at, own, subject * width, relationsEnd, end);
  }

  private addAnswer(side: number, subject: number, relation: number, object: number, time: number): void {
    const { own, unit } = this;
    const at = object * width;
    for (const [from, to] of [
      [0, relationWidth],
      [relationWidth, width],
    ]) {
      let squares = 0;
      for (let i = from; i < to; i++) squares += own.vectors[at + i] ** 2;
      const length = Math.sqrt(squares);
      for (let i = from; i < to; i++) unit[i] = length === 0 ? 0 : own.vectors[at + i] / length;
    }
    let row = this.rowOfSide.get(side);
    if (row === undefined) this.rowOfSide.set(side, (row = this.rowOfSide.size));
    makeRoom(this.bySide, row);
    this.addUnit(this.bySide, row, time);
    this.addUnit(this.bySubject, subject, time);
    this.addUnit(this.byRelation, relation, time);
  }

  private addUnit(sums: Sums, row: number, time: number): void {
    this.decay(sums, row, time);
    for (let i = 0; i < width; i++) sums.vectors[row * width + i] += this.unit[i];
  }

  private addNeighbour(entity: number, relation: number, neighbour: number, weight: number, time: number): void {
    this.decay(this.own, entity, time);
    const { vectors } = this.own;
    const at = entity * width;
    for (let i = 0; i < relationWidth; i++) vectors[at + i] += signOf(relation, i, 1);
    for (let i = 0; i < neighbourWidth; i++) vectors[at + relationWidth + i] += weight * signOf(neighbour, i, 2);
  }

  private decay({ vectors, times }: Sums, row: number, time: number): void {
    if (times[row] === time) return;
    const share = 2 ** ((times[row] - time) / this.halfLife);
    times[row] = time;
    for (let i = row * width; i < (row + 1) * width; i++) vectors[i] *= share;
  }
}

/** Number of cosines that `Profiles.liken` writes. */
export const likenesses = 6;

function openSums(rows: number): Sums {
  return { vectors: new Float32Array(rows * width), times: new Float64Array(rows) };
}

function makeRoom(sums: Sums, row: number): void {
  if (row < sums.times.length) return;
  const { vectors, times } = openSums(2 * sums.times.length);
  vectors.set(sums.vectors);
  times.set(sums.times);
  sums.vectors = vectors;
  sums.times = times;
}

/** Number `i` (1 or −1) of the signature of a relation or an entity. 31 numbers come from one hash. */
function signOf(subject: number, i: number, kind: number): number {
  const bits = hashKey(subject, Math.floor(i / 31), kind);
  return 2 * ((bits >>> (i % 31)) & 1) - 1;
}

/** The cosine of the numbers [from, to) of two vectors; 0 when one of them is zero. */
function cosine(a: Float32Array, atA: number, b: Float32Array, atB: number, from: number, to: number): number {
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    const x = a[atA + i];
    const y = b[atB + i];
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return product === 0 ? 0 : product / Math.sqrt(squaresA * squaresB);
}
