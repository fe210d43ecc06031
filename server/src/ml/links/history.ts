import { assert } from '../../lib/failure.ts';
import { isPast } from '../graph/as-of/days.ts';
import { DecayedCounts } from './counts.ts';
import { inverseOf, type Period } from './facts.ts';
import { Profiles } from './profiles.ts';

/** Stands for any entity or any relation in a key. */
const any = -1;

/**
 * All facts seen so far, from both ends. It holds how often and when each edge (s, r, o) and each wider key was seen,
 * and the distinct edges of each entity, the latest first. It only grows, in order of time. Whoever reads it as of a
 * time must call `standAt`, which fails if it holds facts of that time or later.
 */
export class History {
  readonly entities: number;
  /** Number of relations in the files. Edges have twice as many, see `inverseOf`. */
  readonly relations: number;
  readonly counts: DecayedCounts;
  readonly profiles: Profiles;
  /** Grows with every period; a key for caches. */
  version = 0;
  /** The time of the newest facts; −∞ without any. */
  private latest = Number.NEGATIVE_INFINITY;
  /** Entry of the newest edge of each entity, or −1. */
  private readonly newest: Int32Array;
  /** For the entry of an edge: the entries of the next older and the next newer edge of the same entity, or −1. */
  private older = new Int32Array(1024).fill(-1);
  private newer = new Int32Array(1024).fill(-1);
  /** For each relation the entries of (entity, relation, any), in order of first appearance. */
  private readonly holders: number[][];

  constructor(entities: number, relations: number, halfLives: ArrayLike<number>) {
    this.entities = entities;
    this.relations = relations;
    this.counts = new DecayedCounts(halfLives);
    this.profiles = new Profiles(entities, relations, halfLives[halfLives.length - 1]);
    this.newest = new Int32Array(entities).fill(-1);
    this.holders = Array.from({ length: 2 * relations }, () => []);
  }

  /** Adds the facts of a period, which must be later than all before. */
  add(period: Period): void {
    const { time, subjects, relations, objects } = period;
    assert(isPast(this.latest, time), 'periods come in order of time');
    this.latest = time;
    for (let i = 0; i < subjects.length; i++) {
      this.addEdge(subjects[i], relations[i], objects[i], time);
      this.addEdge(objects[i], inverseOf(relations[i], this.relations), subjects[i], time);
    }
    const slow = this.counts.halfLives.length - 1;
    this.profiles.add(
      period,
      (entity, relation) => this.side(entity, relation),
      (entity) => this.counts.decayed(this.entity(entity), slow, time),
    );
    this.version++;
  }

  /** Asserts that all facts lie before `time`. Call it before reading the history as of `time`. */
  standAt(time: number): void {
    assert(isPast(this.latest, time), 'only facts before the time asked about are read');
  }

  /** The entry of the edge (s, r, o), or −1. */
  edge(subject: number, relation: number, object: number): number {
    return this.counts.find(subject, relation, object);
  }

  /** The entry of (s, any relation, o), or −1. */
  pair(subject: number, object: number): number {
    return this.counts.find(subject, any, object);
  }

  /**
   * The entry of (s, r, any object), or −1. The edges (any subject, r, o) have the entry of (o, inverse of r, any
   * object).
   */
  side(entity: number, relation: number): number {
    return this.counts.find(entity, relation, any);
  }

  /** The entry of all edges of an entity, or −1. */
  entity(entity: number): number {
    return this.counts.find(entity, any, any);
  }

  /** The entry of all edges with a relation, or −1. */
  relation(relation: number): number {
    return this.counts.find(any, relation, any);
  }

  /** The entry of the latest edge of an entity, or −1. */
  newestEdge(entity: number): number {
    return this.newest[entity];
  }

  /** The next older edge of the same entity, or −1. */
  olderEdge(entry: number): number {
    return this.older[entry];
  }

  relationOf(entry: number): number {
    return this.counts.keys[3 * entry + 1];
  }

  objectOf(entry: number): number {
    return this.counts.keys[3 * entry + 2];
  }

  /** The entries of `side(entity, relation)` of all entities that have such edges. */
  sidesBy(relation: number): readonly number[] {
    return this.holders[relation];
  }

  /** The entity of an entry of `side`. */
  entityOf(entry: number): number {
    return this.counts.keys[3 * entry];
  }

  private addEdge(subject: number, relation: number, object: number, time: number): void {
    const { counts } = this;
    const known = counts.size;
    const edge = counts.add(subject, relation, object, time);
    this.moveToFront(subject, edge, edge === known);
    counts.add(subject, any, object, time);
    const held = counts.size;
    const side = counts.add(subject, relation, any, time);
    if (side === held) this.holders[relation].push(side);
    counts.add(subject, any, any, time);
    counts.add(any, relation, any, time);
  }

  private moveToFront(entity: number, edge: number, isNew: boolean): void {
    const head = this.newest[entity];
    if (head === edge) return;
    if (edge >= this.older.length) {
      this.older = lengthened(this.older, edge);
      this.newer = lengthened(this.newer, edge);
    }
    if (!isNew) {
      // A newer edge exists, because this one is not the head.
      const [before, after] = [this.newer[edge], this.older[edge]];
      this.older[before] = after;
      if (after >= 0) this.newer[after] = before;
    }
    this.older[edge] = head;
    this.newer[edge] = -1;
    if (head >= 0) this.newer[head] = edge;
    this.newest[entity] = edge;
  }
}

function lengthened(links: Int32Array, index: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * links.length, index + 1)).fill(-1);
  longer.set(links);
  return longer;
}
