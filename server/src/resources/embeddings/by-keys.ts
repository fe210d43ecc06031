import { Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { valueOfText } from '../../lib/files/values.ts';
import { isThere } from '../../ml/graph/as-of/rows.ts';
import { hasPersonalKey } from '../../ml/graph/key-text.ts';
import { findKeys } from '../../ml/graph/keys.ts';
import type { Table } from '../../ml/graph/tables.ts';
import type { Identifiers } from '../../ml/lake/identifiers.ts';
import { openEntities } from '../../ml/rfm/neighbors.ts';
import { embeddingColumns } from '../../ml/rfm/network.ts';
import type { OpenRfm } from '../../ml/rfm/open.ts';
import { layOut, sampleRows } from '../../ml/rfm/plane.ts';
import { type Neighborhood, searchedMax } from '../../ml/vector-search/neighborhood.ts';

export type EntityKey = string | number;
export type Embedded = {
  /** Rows × 1024; zeros for an entity that was not known as of the moment. */
  readonly vectors: Float32Array;
  readonly isKnown: readonly boolean[];
};
export type Similar = { readonly key: EntityKey; readonly similarity: number };

/** `at`: readableUntil, in microseconds of the data's local time. */
export type Search = {
  readonly of: { readonly key: EntityKey } | { readonly vector: Float32Array };
  readonly most: number;
  readonly at: number;
};

export type Placed = {
  /** How many entities were known. */
  readonly entities: number;
  readonly explained: readonly [number, number];
  /** Null for a key that was erased, or says who a person is. */
  readonly points: readonly { readonly key: EntityKey | null; readonly x: number; readonly y: number }[];
};

/** An encoder whose entities are named by the customer's keys. */
export type KeyedEncoder = {
  embed(keys: readonly EntityKey[], at: number): Embedded;
  /** Returns null when the entity of the key was not known as of the moment. Throws Failure 'limit_exceeded'. */
  nearest(search: Search): Similar[] | null;
  /** Shows at most `most` of the entities known at a moment in two dimensions: the same ones each time. */
  layOut(most: number, at: number): Placed;
  /** Does what the first call would do beside its own work, for searches too if `searchedAt` is a moment. */
  warmUp(searchedAt: number | null): void;
};

const neighborhoodsKept = 2;

type Entities = { readonly rows: Int32Array; readonly neighborhood: Neighborhood };

/** Opens an encoder by the keys of its table. `names`: the dictionary, if the table stores numbers for names. */
export function byKeys(rfm: OpenRfm, table: Table, names: Identifiers | null): KeyedEncoder {
  const neighborhoods = new Map<number, Entities>();
  const neighborhoodAt = (at: number): Entities => {
    const known = neighborhoods.get(at);
    if (known) return known;
    const rows = searchableAt(table, names, at);
    const opened = { rows, neighborhood: openEntities(rfm, rows, at) };
    neighborhoods.set(at, opened);
    if (neighborhoods.size > neighborhoodsKept) neighborhoods.delete(neighborhoods.keys().next().value!);
    return opened;
  };
  return {
    warmUp(searchedAt) {
      if (table.rows > 0) rfm.embed(Int32Array.of(0), Float64Array.of(searchedAt ?? 0));
      if (searchedAt !== null) neighborhoodAt(searchedAt);
    },
    embed(keys, at) {
      const rows = knownRows(table, keys, at);
      const known = rows.filter((row) => row >= 0);
      const found = rfm.embed(known, new Float64Array(known.length).fill(at));
      const vectors = new Float32Array(keys.length * embeddingColumns);
      let next = 0;
      rows.forEach((row, i) => {
        if (row < 0) return;
        vectors.set(found.subarray(next * embeddingColumns, (next + 1) * embeddingColumns), i * embeddingColumns);
        next++;
      });
      return { vectors, isKnown: Array.from(rows, (row) => row >= 0) };
    },
    nearest({ of, most, at }) {
      const row = 'key' in of ? knownRows(table, [of.key], at)[0] : -1;
      if ('key' in of && row < 0) return null;
      const vector = 'key' in of ? rfm.embed(Int32Array.of(row), Float64Array.of(at)) : of.vector;
      const { rows, neighborhood } = neighborhoodAt(at);
      return neighborhood.nearest(vector, most, rows.indexOf(row)).flatMap(({ place, similarity }) => {
        const key = keyOf(table, names, rows[place]);
        return key === null ? [] : [{ key, similarity }];
      });
    },
    layOut(most, at) {
      const known = entitiesAt(table, names, at);
      const rows = sampleRows(known, most);
      const { x, y, explained } = layOut(rfm, rows, at);
      const isHidden = hasPersonalKey(table);
      return {
        ...{ entities: known.length, explained },
        points: Array.from(rows, (row, i) => ({
          ...{ key: isHidden ? null : keyOf(table, names, row), x: x[i], y: y[i] },
        })),
      };
    },
  };
}

/** Returns the row of each key; -1 for a key that was not known as of the moment. */
function knownRows(table: Table, keys: readonly EntityKey[], at: number): Int32Array {
  const key = table.columns.get(table.contract.key[0])!;
  const isNamed = key.kind === 'text' || table.numbers?.columns.has(table.contract.key[0]) === true;
  const column: Column = isNamed
    ? { kind: 'text', codes: Int32Array.from(keys.keys()), dictionary: keys.map(String) }
    : { kind: 'number', values: Float64Array.from(keys, (key) => valueOfText('number', String(key))) };
  return findKeys(column, keys.length, table.rowOf).map((row) => (isThere(table, row, at) ? row : -1));
}

/** Returns one row for each known entity: the row that its key resolves to. */
function entitiesAt(table: Table, names: Identifiers | null, at: number): Int32Array {
  return Int32Array.from({ length: table.rows }, (_, row) => row).filter((row) => {
    const key = keyOf(table, names, row);
    return key !== null && table.rowOf.get(key) === row && isThere(table, row, at);
  });
}

/** As `entitiesAt`. Throws Failure 'limit_exceeded' where there are more than are searched. */
function searchableAt(table: Table, names: Identifiers | null, at: number): Int32Array {
  const rows = entitiesAt(table, names, at);
  if (rows.length <= searchedMax) return rows;
  throw new Failure('limit_exceeded', `${table.name} has ${rows.length} entities; up to ${searchedMax} are searched`, {
    reason: 'too_many_entities',
  });
}

/** Returns a row's key as the customer writes it; null for an erased key. */
function keyOf({ columns, contract, numbers }: Table, names: Identifiers | null, row: number): EntityKey | null {
  const column = columns.get(contract.key[0])!;
  if (column.kind === 'text') return column.dictionary[column.codes[row]] ?? null;
  const value = column.values[row];
  return numbers?.columns.has(contract.key[0]) ? (names?.entryOf(value)?.identifier ?? null) : value;
}
