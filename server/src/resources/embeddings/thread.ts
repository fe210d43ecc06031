// The thread that embeds the entities of one workspace at one moment: what it does for a thousand holds up no prediction.
import { assert, Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { serveCalls } from '../../lib/threads/serve.ts';
import { resolveKeys } from '../../ml/graph/load.ts';
import { linkedSince, type Table, type Tables } from '../../ml/graph/tables.ts';
import { type Identifiers, openIdentifiers } from '../../ml/lake/identifiers.ts';
import { openTables } from '../../ml/lake/open.ts';
import { type Neighborhood, openNeighborhood } from '../../ml/rfm/neighbors.ts';
import { embeddingColumns } from '../../ml/rfm/network.ts';
import { type OpenRfm, openRfm } from '../../ml/rfm/open.ts';

export type EntityKey = string | number;
export type Embedded = {
  /** Rows × 1024; zeros where the entity was not known by then. */
  readonly vectors: Float32Array;
  readonly isKnown: readonly boolean[];
};
export type Similar = { readonly key: EntityKey; readonly similarity: number };

/** More entities than this are not searched at once: it would take minutes. */
export const searchedMax = 50_000;
const neighborhoodsKept = 2;

let tables: Tables | null = null;
let names: Identifiers | null = null;
let last = 0;
const encoders = new Map<number, OpenRfm>();
const neighborhoods = new Map<string, Neighborhood>();

const calls = {
  async openTables(files: { frozen: string; names: string | null }): Promise<void> {
    tables = await openTables(files.frozen, files.names);
    names = files.names === null ? null : await openIdentifiers(files.names);
  },
  async openEncoder(folder: string): Promise<number> {
    assert(tables, 'tables are opened first');
    encoders.set(++last, await openRfm(folder, tables));
    return last;
  },
  closeEncoder(encoder: number): void {
    encoders.delete(encoder);
    for (const key of neighborhoods.keys()) if (key.startsWith(`${encoder} `)) neighborhoods.delete(key);
  },
  embed({ encoder, keys, at }: { encoder: number; keys: readonly EntityKey[]; at: number }): Embedded {
    const rfm = encoderOf(encoder);
    const table = tableOf(rfm);
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
  /** Null when the entity that others are to be like was not known by then. */
  nearest({ encoder, of, most, at }: Search): Similar[] | null {
    const rfm = encoderOf(encoder);
    const table = tableOf(rfm);
    const row = 'key' in of ? knownRows(table, [of.key], at)[0]! : -1;
    if ('key' in of && row < 0) return null;
    const vector = 'key' in of ? rfm.embed(Int32Array.of(row), Float64Array.of(at)) : of.vector;
    return neighborhoodOf(encoder, rfm, table, at)
      .nearest(vector, most, row)
      .flatMap((found) => {
        const key = keyOf(table, found.row);
        return key === null ? [] : [{ key, similarity: found.similarity }];
      });
  },
};
export type EmbeddingCalls = typeof calls;

export type Search = {
  readonly encoder: number;
  readonly of: { readonly key: EntityKey } | { readonly vector: Float32Array };
  readonly most: number;
  readonly at: number;
};

function encoderOf(encoder: number): OpenRfm {
  const opened = encoders.get(encoder);
  assert(opened, `encoder ${encoder} is open`);
  return opened;
}

function tableOf({ entity }: OpenRfm): Table {
  return tables!.get(entity)!;
}

/** Rows of keys, -1 for those that were not known by then. */
function knownRows(table: Table, keys: readonly EntityKey[], at: number): Int32Array {
  const key = table.columns.get(table.contract.key[0]!)!;
  const isNamed = key.kind === 'text' || table.numbers?.columns.has(table.contract.key[0]!) === true;
  const column: Column = isNamed
    ? { kind: 'text', codes: Int32Array.from(keys.keys()), dictionary: keys.map(String) }
    : { kind: 'number', values: Float64Array.from(keys, Number) };
  return resolveKeys(column, keys.length, table.rowOf).map((row) =>
    row >= 0 && linkedSince(table, row) <= at ? row : -1,
  );
}

function neighborhoodOf(encoder: number, rfm: OpenRfm, table: Table, at: number): Neighborhood {
  const id = `${encoder} ${at}`;
  const known = neighborhoods.get(id);
  if (known) return known;
  const rows = Int32Array.from({ length: table.rows }, (_, row) => row).filter((row) => isEntity(table, row, at));
  if (rows.length > searchedMax)
    throw new Failure(
      'limit_exceeded',
      `${table.name} has ${rows.length} entities; up to ${searchedMax} are searched`,
      {
        reason: 'too_many_entities',
      },
    );
  const opened = openNeighborhood(rfm, rows, at);
  neighborhoods.set(id, opened);
  if (neighborhoods.size > neighborhoodsKept) neighborhoods.delete(neighborhoods.keys().next().value!);
  return opened;
}

/** One row stands for each entity: the one its key leads to. */
function isEntity(table: Table, row: number, at: number): boolean {
  const key = keyOf(table, row);
  return key !== null && table.rowOf.get(key) === row && linkedSince(table, row) <= at;
}

/** As the customer spells it; null for one that was erased. */
function keyOf({ columns, contract, numbers }: Table, row: number): EntityKey | null {
  const column = columns.get(contract.key[0]!)!;
  if (column.kind === 'text') return column.dictionary[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  return numbers?.columns.has(contract.key[0]!) ? (names?.entryOf(value)?.identifier ?? null) : value;
}

serveCalls(calls);
