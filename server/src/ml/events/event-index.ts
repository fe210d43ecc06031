import { assert } from '../../lib/failure.ts';
import type { Numbers } from '../../lib/files/column.ts';
import { isKnown } from '../graph/as-of/values.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table } from '../graph/tables.ts';

/** Rows per block of precomputed aggregates. */
export const blockRows = 64;

/**
 * The rows of an event table in (entity, time, row key) order, as one list per entity they lead to. Positions
 * offsets[e] … offsets[e + 1] - 1 belong to entity e. Rows without an entity or without a time are left out. A row that
 * is always readable has time -Infinity.
 */
export type EventIndex = {
  readonly table: Table;
  readonly entities: number;
  readonly offsets: Int32Array;
  /** Table row at each position. */
  readonly rows: Int32Array;
  /** Event time at each position, microseconds, taken from `moments`. */
  readonly time: Float64Array;
  /** For each table row the moment from which it leads to its entity; undefined when all rows always do. */
  readonly moments: Float64Array | undefined;
  /**
   * Number of whole blocks before each entity's first. Blocks start at the entity's first row and never cross entities.
   */
  readonly blockOffsets: Int32Array;
};

/**
 * Orders the rows of `table` by entity and moment. `entityOf` maps row → entity (-1 for none), out of `entities`. The
 * order within an entity depends on its own rows only, so other entities' rows cannot change it.
 */
export function buildEventIndex(
  table: Table,
  entityOf: Int32Array,
  entities: number,
  time: Float64Array | undefined = table.time,
): EventIndex {
  assert(entityOf.length === table.rows, 'one entity per row');
  const offsets = new Int32Array(entities + 1);
  for (let row = 0; row < table.rows; row++) {
    if (entityOf[row] >= 0 && !(time && Number.isNaN(time[row]))) offsets[entityOf[row] + 1]++;
  }
  for (let e = 0; e < entities; e++) offsets[e + 1] += offsets[e];
  const rows = new Int32Array(offsets[entities]);
  const next = offsets.slice(0, entities);
  for (let row = 0; row < table.rows; row++) {
    if (entityOf[row] >= 0 && !(time && Number.isNaN(time[row]))) rows[next[entityOf[row]]++] = row;
  }
  const compare = rowOrder(table, time);
  const positions = new Float64Array(rows.length);
  const blockOffsets = new Int32Array(entities + 1);
  for (let e = 0; e < entities; e++) {
    const from = offsets[e];
    const to = offsets[e + 1];
    blockOffsets[e + 1] = blockOffsets[e] + Math.floor((to - from) / blockRows);
    for (let k = from + 1; k < to; k++) {
      if (compare(rows[k - 1], rows[k]) > 0) {
        rows.subarray(from, to).sort(compare);
        break;
      }
    }
  }
  for (let k = 0; k < rows.length; k++) positions[k] = time ? time[rows[k]] : Number.NEGATIVE_INFINITY;
  return { table, entities, offsets, rows, time: positions, moments: time, blockOffsets };
}

function rowOrder(table: Table, time: Float64Array | undefined): (a: number, b: number) => number {
  const keys = table.contract.key.map((name) => table.columns.get(name)!);
  return (a, b) => {
    const earlier = time ? time[a] - time[b] : 0;
    if (earlier !== 0) return earlier;
    for (const column of keys) {
      const left = keyValue(column, a);
      const right = keyValue(column, b);
      if (left !== right) return left === null ? 1 : right === null || left < right ? -1 : 1;
    }
    return a - b;
  };
}

/**
 * Positions of `rows` (entities of an index, -1 for none), sorted by entity. Asked in this order, consecutive questions
 * about one entity find its events in the cache. Linear in rows and entities.
 */
export function entityOrder(rows: Int32Array, entities: number): Int32Array {
  const next = new Int32Array(entities + 2);
  for (const row of rows) next[row + 2]++;
  for (let e = 1; e < next.length; e++) next[e] += next[e - 1];
  const order = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) order[next[rows[i] + 1]++] = i;
  return order;
}

/** How many questions to answer in one batch (see `eachFirstAfter`). */
export const questionsMax = 256;

/**
 * A numeric column in index order, with the moment from which each value is known when that is later than the event.
 */
export type IndexedNumbers = {
  readonly values: Float64Array;
  readonly known?: Float64Array;
  /** Six aggregates per whole block: count, sum, mean, sum of squared deviations from the mean, min, max. */
  readonly blocks: Float64Array;
  /** Per whole block the latest moment at which one of its values became known. */
  readonly blockKnown?: Float64Array;
};

const aggregates = 6;

/** Count, sum, mean, sum of squared deviations from the mean, minimum and maximum of the values in a window. */
export type Summary = { count: number; sum: number; mean: number; m2: number; min: number; max: number };

export function emptySummary(): Summary {
  return { count: 0, sum: 0, mean: 0, m2: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
}

/** Puts a column (values per table row) into index order and aggregates its whole blocks. */
export function indexNumbers(index: EventIndex, values: Float64Array, known?: Float64Array): IndexedNumbers {
  const ordered = gather(values, index.rows);
  const orderedKnown = known && gather(known, index.rows);
  const count = index.blockOffsets[index.entities];
  const blocks = new Float64Array(count * aggregates);
  const blockKnown = orderedKnown && new Float64Array(count);
  const chunk = emptySummary();
  const column: IndexedNumbers = { values: ordered, ...(orderedKnown ? { known: orderedKnown } : {}), blocks };
  for (let e = 0; e < index.entities; e++) {
    const start = index.offsets[e];
    for (let block = index.blockOffsets[e]; block < index.blockOffsets[e + 1]; block++) {
      const from = start + (block - index.blockOffsets[e]) * blockRows;
      scan(column, from, from + blockRows, -1, Number.POSITIVE_INFINITY, chunk);
      blocks.set([chunk.count, chunk.sum, chunk.mean, chunk.m2, chunk.min, chunk.max], block * aggregates);
      if (blockKnown) {
        let latest = Number.NEGATIVE_INFINITY;
        // A value without a moment is never readable, so its block must always be scanned.
        for (let p = from; p < from + blockRows; p++)
          latest = Math.max(latest, orderedKnown[p] || Number.POSITIVE_INFINITY);
        blockKnown[block] = latest;
      }
    }
  }
  return blockKnown ? { ...column, blockKnown } : column;
}

/** The value of each row in `rows`, NaN for row -1. A plain loop: `Float64Array.from` takes ten times as long. */
export function gather(values: Numbers, rows: Int32Array): Float64Array {
  const found = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) found[k] = rows[k] < 0 ? Number.NaN : values[rows[k]];
  return found;
}

/**
 * Summarises the events `from` … `to` - 1 of one entity, counted from its first event at `start` and leaving out the
 * event at `start + skip` (Infinity for none). Values not known at `readableUntil` count as missing. When `detail` is
 * 'mean', the squared deviations, minimum and maximum are not computed.
 *
 * The window is cut at multiples of 64 events. Each piece is summed on its own (mean first, then deviations from it),
 * and the pieces are combined in order (Chan, Golub, LeVeque 1979). Whole pieces come from the stored blocks, which
 * hold the same bits as a scan, so the result depends only on the readable events of this entity.
 */
export function summarise(
  column: IndexedNumbers,
  start: number,
  firstBlock: number,
  from: number,
  to: number,
  skip: number,
  readableUntil: number,
  into: Summary,
  detail: 'mean' | 'all' = 'all',
): void {
  const scanPiece = detail === 'mean' ? scanMean : scan;
  const hole = skip < to ? start + skip : -1;
  if (to - (from - (from % blockRows)) < blockRows) {
    scanPiece(column, start + from, start + to, hole, readableUntil, into);
    return;
  }
  clear(into);
  const { blocks, blockKnown } = column;
  for (let v = from; v < to; ) {
    const floor = v - (v % blockRows);
    const end = Math.min(to, floor + blockRows);
    const block = firstBlock + floor / blockRows;
    if (firstBlock >= 0 && end - v === blockRows && end <= skip && isKnown(blockKnown, block, readableUntil)) {
      const at = block * aggregates;
      combine(into, blocks[at], blocks[at + 1], blocks[at + 2], blocks[at + 3], blocks[at + 4], blocks[at + 5]);
    } else {
      scanPiece(column, start + v, start + end, hole, readableUntil, piece);
      combine(into, piece.count, piece.sum, piece.mean, piece.m2, piece.min, piece.max);
    }
    v = end;
  }
}

/** Scratch space of `summarise`; never read after the call. */
const piece = emptySummary();

function clear(into: Summary): void {
  into.count = 0;
  into.sum = 0;
  into.mean = 0;
  into.m2 = 0;
  into.min = Number.POSITIVE_INFINITY;
  into.max = Number.NEGATIVE_INFINITY;
}

/** Summarises the readable values at positions `from` … `to` - 1, numbered without the position `hole` (-1: none). */
function scan(
  column: IndexedNumbers,
  from: number,
  to: number,
  hole: number,
  readableUntil: number,
  into: Summary,
): void {
  const { values, known } = column;
  const [first, end] = around(hole, from, to);
  let count = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let p = first; p < end; p++) {
    const x = values[p];
    if (Number.isNaN(x) || p === hole || !isKnown(known, p, readableUntil)) continue;
    count++;
    sum += x;
    if (x < min) min = x;
    if (x > max) max = x;
  }
  const mean = count > 0 ? sum / count : 0;
  let m2 = 0;
  for (let p = first; p < end; p++) {
    const x = values[p];
    if (Number.isNaN(x) || p === hole || !isKnown(known, p, readableUntil)) continue;
    m2 += (x - mean) * (x - mean);
  }
  into.count = count;
  into.sum = sum;
  into.mean = mean;
  into.m2 = m2;
  into.min = min;
  into.max = max;
}

/** Like `scan`, but computes only count, sum and mean, in one pass. */
function scanMean(
  column: IndexedNumbers,
  from: number,
  to: number,
  hole: number,
  readableUntil: number,
  into: Summary,
): void {
  const { values, known } = column;
  const [first, end] = around(hole, from, to);
  let count = 0;
  let sum = 0;
  for (let p = first; p < end; p++) {
    const x = values[p];
    if (Number.isNaN(x) || p === hole || !isKnown(known, p, readableUntil)) continue;
    count++;
    sum += x;
  }
  clear(into);
  into.count = count;
  into.sum = sum;
  if (count > 0) into.mean = sum / count;
}

/** The positions to scan for `from` … `to` - 1, when those are numbered without the position `hole`. */
function around(hole: number, from: number, to: number): [first: number, end: number] {
  if (hole < 0) return [from, to];
  return [from >= hole ? from + 1 : from, to > hole ? to + 1 : to];
}

function combine(into: Summary, count: number, sum: number, mean: number, m2: number, min: number, max: number): void {
  if (count === 0) return;
  if (into.count === 0) {
    into.count = count;
    into.sum = sum;
    into.mean = mean;
    into.m2 = m2;
    into.min = min;
    into.max = max;
    return;
  }
  const total = into.count + count;
  const delta = mean - into.mean;
  into.m2 += m2 + (delta * delta * into.count * count) / total;
  into.mean += (delta * count) / total;
  into.count = total;
  into.sum += sum;
  if (min < into.min) into.min = min;
  if (max > into.max) into.max = max;
}
