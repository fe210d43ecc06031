import { assert, Failure } from '../../../lib/failure.ts';
import type { EntityKind } from '../../contract/contract.ts';
import { growIdentifiers, noIdentifiers } from '../../lake/identifiers.ts';
import {
  type AttributeColumn,
  entityKinds,
  type FactStore,
  type Facts,
  type Nodes,
  type RelationClass,
  type StoreLayout,
  type StoreRelation,
  type StoreSource,
} from './store.ts';

export type NewFact = {
  readonly subject: number;
  readonly relation: string;
  readonly object: number;
  /**
   * The start; for momentary facts, the moment. Dates with day precision are the last microsecond of their day, at both
   * ends.
   */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  /** When the sender knew the fact; −Infinity where not given. A fact is never known before it begins. */
  readonly knownAt: number;
};

export type AttributeValue = number | string | null;

/** A store being built. Entities are numbered from 0 in order of first appearance. */
export type FactBook = {
  entityFor(kind: EntityKind, identifier: string): number;
  /** Throws Failure 'invalid' when the relation already has the other class. */
  addFact(fact: NewFact, relationClass: RelationClass): void;
  /**
   * Adds the attribute values of an entity from `known` on; they replace earlier values. Each attribute must have been
   * declared by `attribute`.
   */
  addNode(entity: number, known: number, values: ReadonlyMap<string, AttributeValue>): void;
  /** Declares the kind of an attribute. Throws Failure 'invalid' when it already has another kind. */
  attribute(name: string, kind: AttributeColumn['kind']): void;
  finish(isSynthetic: boolean, sources: readonly StoreSource[], layout?: StoreLayout): FactStore;
};

const entitiesMax = 2 ** 31 - 2;

export function openBook(): FactBook {
  const identifiers = growIdentifiers(noIdentifiers);
  const relations = new Map<string, { readonly number: number; readonly class: RelationClass }>();
  const fact = Array.from({ length: 7 }, () => new GrowingNumbers());
  const nodeEntity = new GrowingNumbers();
  const nodeKnown = new GrowingNumbers();
  const attributes = new Map<string, GrowingAttribute>();

  function relationFor(name: string, relationClass: RelationClass): number {
    const known = relations.get(name);
    if (known === undefined) {
      relations.set(name, { number: relations.size, class: relationClass });
      return relations.size - 1;
    }
    if (known.class !== relationClass)
      throw new Failure(
        'invalid',
        `relation ${name} has facts with an end (from, to) and facts without (at): choose one`,
      );
    return known.number;
  }

  return {
    entityFor(kind, identifier) {
      const number = identifiers.numberFor(kind, identifier);
      if (number > entitiesMax) throw new Failure('limit_exceeded', 'a store holds at most 2^31 entities');
      return number - 1;
    },
    addFact({ subject, relation, object, from, to, weight, knownAt }, relationClass) {
      assert(Number.isFinite(from), 'a fact has a start');
      const values = [subject, relationFor(relation, relationClass), object, from, to, weight, Math.max(from, knownAt)];
      for (const [i, value] of values.entries()) fact[i].push(value);
    },
    attribute(name, kind) {
      const known = attributes.get(name);
      if (known === undefined) attributes.set(name, { kind, rows: [], values: new GrowingNumbers(), codes: new Map() });
      else if (known.kind !== kind)
        throw new Failure('invalid', `attribute ${name} is a ${known.kind} in one file and a ${kind} in another`);
    },
    addNode(entity, known, values) {
      const row = nodeEntity.length;
      nodeEntity.push(entity);
      nodeKnown.push(known);
      for (const [name, value] of values) {
        const attribute = attributes.get(name);
        assert(attribute, 'an attribute is named before it has values');
        if (value === null) continue;
        attribute.rows.push(row);
        attribute.values.push(typeof value === 'number' ? value : codeFor(attribute.codes, value));
      }
    },
    finish(isSynthetic, sources, layout = 'plain') {
      const entities = identifiers;
      const kinds = Uint8Array.from({ length: entities.size }, (_, i) =>
        entityKinds.indexOf(entities.entryOf(i + 1)!.kind),
      );
      const named = [...relations].map(([name, each]): StoreRelation => ({ name, class: each.class }));
      return {
        ...{ entities, kinds, isSynthetic, sources, layout },
        relations: named,
        facts: orderFacts(
          fact.map((column) => column.values()),
          named,
        ),
        nodes: orderNodes(nodeEntity.values(), nodeKnown.values(), attributes),
      };
    },
  };
}

type GrowingAttribute = {
  readonly kind: AttributeColumn['kind'];
  /** Rows with a value, ascending. */
  readonly rows: number[];
  readonly values: GrowingNumbers;
  readonly codes: Map<string, number>;
};

function codeFor(codes: Map<string, number>, text: string): number {
  const known = codes.get(text);
  if (known !== undefined) return known;
  codes.set(text, codes.size);
  return codes.size - 1;
}

/** Sorts facts and drops repeated ones. A later version of a lasting fact replaces the earlier one. */
function orderFacts(columns: readonly Float64Array[], relations: readonly StoreRelation[]): Facts {
  const [subject, relation, object, from, to, weight, known] = columns as [
    ...[Float64Array, Float64Array, Float64Array, Float64Array],
    ...[Float64Array, Float64Array, Float64Array],
  ];
  const isSame = (a: number, b: number) =>
    subject[a] === subject[b] && relation[a] === relation[b] && object[a] === object[b] && from[a] === from[b];
  const order = Uint32Array.from(subject.keys()).sort(
    (a, b) =>
      subject[a] - subject[b] ||
      relation[a] - relation[b] ||
      object[a] - object[b] ||
      from[a] - from[b] ||
      known[a] - known[b] ||
      a - b,
  );
  const isLasting = (row: number) => relations[relation[row]].class === 'lasting';
  // Of versions known at the same moment the last one sent is kept.
  const kept = order.filter((row, i) => {
    const next = order[i + 1];
    return next === undefined || !isLasting(row) || !isSame(row, next) || known[row] !== known[next];
  });
  const until = Float64Array.from(kept, (row, i) => {
    const next = kept[i + 1];
    return next !== undefined && isLasting(row) && isSame(row, next) ? known[next] : Number.POSITIVE_INFINITY;
  });
  const numbers = (values: Float64Array) => Float64Array.from(kept, (row) => values[row]);
  const integers = (values: Float64Array) => Int32Array.from(kept, (row) => values[row]);
  return {
    subject: integers(subject),
    relation: integers(relation),
    object: integers(object),
    from: numbers(from),
    to: numbers(to),
    weight: numbers(weight),
    known: numbers(known),
    until,
  };
}

function orderNodes(
  entity: Float64Array,
  known: Float64Array,
  attributes: ReadonlyMap<string, GrowingAttribute>,
): Nodes {
  const order = Uint32Array.from(entity.keys()).sort(
    (a, b) => entity[a] - entity[b] || (known[a] < known[b] ? -1 : known[a] > known[b] ? 1 : a - b),
  );
  return {
    entity: Int32Array.from(order, (row) => entity[row]),
    known: Float64Array.from(order, (row) => known[row]),
    attributes: [...attributes].map(([name, { kind, rows, values, codes }]): AttributeColumn => {
      const given = new Float64Array(entity.length).fill(Number.NaN);
      const told = values.values();
      for (const [i, row] of rows.entries()) given[row] = told[i];
      const sorted = Float64Array.from(order, (row) => given[row]);
      if (kind !== 'text') return { name, kind, values: sorted };
      return {
        name,
        kind,
        codes: Int32Array.from(sorted, (code) => (Number.isNaN(code) ? -1 : code)),
        dictionary: [...codes.keys()],
      };
    }),
  };
}

/** A growing array of numbers. */
class GrowingNumbers {
  length = 0;
  #values = new Float64Array(1024);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
}
