import { assert } from '../../lib/failure.ts';
import type { Numbers } from '../../lib/files/column.ts';
import { isKnown } from '../graph/as-of/values.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table } from '../graph/tables.ts';

/** Rows per block of precomputed aggregates. */
export const blockRows = 64;

/**
 * The rows of an event table in (entity, time, row key) order, one list per entity of the table they lead to.
 * Positions offsets[e] … offsets[e + 1] - 1 belong to entity e. Rows without an entity or without a time are left out;
 * rows that are readable always stand at -Infinity.
 */
export type EventIndex = {
  readonly table: Table;
  readonly entities: number;
  readonly offsets: Int32Array;
  /** Table row at each position. */
  readonly rows: Int32Array;
  /** Event time at each position, microseconds: of `moments`. */
  readonly time: Float64Array;
  /** Per table row the moment since when it leads to its entity; absent when all do always. */
  readonly moments: Float64Array | undefined;
  /** Whole blocks before each entity's first: blocks are aligned to the entity's first row and never cross entities. */
  readonly blockOffsets: Int32Array;
};

/**
 * Orders the rows of `table` by the entity in `entityOf` (row → entity, -1 for none; `entities` of them), each at its
 * moment. The order depends on the rows of each entity alone, so other entities' rows cannot move anything.
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
 * Positions of `rows` (entities of an index, -1 for none) entity by entity: asked in this order, an entity's events are
 * still at hand for the next question about it. Linear in rows and entities.
 */
export function entityOrder(rows: Int32Array, entities: number): Int32Array {
  const next = new Int32Array(entities + 2);
  for (const row of rows) next[row + 2]++;
  for (let e = 1; e < next.length; e++) next[e] += next[e - 1];
  const order = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) order[next[rows[i] + 1]++] = i;
  return order;
}

/** How many questions are worth asking side by side. */
export const questionsMax = 256;

/**
 * A numeric column in index order, with the moments from which each value is known where that is later than the event.
 */
export type IndexedNumbers = {
  readonly values: Float64Array;
  readonly known?: Float64Array;
  /** Six aggregates per whole block: count, sum, mean, squared deviation about the mean, min, max. */
  readonly blocks: Float64Array;
  /** Per whole block the latest moment a value of it became known. */
  readonly blockKnown?: Float64Array;
};

const aggregates = 6;

/** Count, sum, mean, squared deviation about the mean, minimum and maximum of the values in a window. */
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
        // A value whose moment is missing is never readable, so its block must always be scanned.
        for (let p = from; p < from + blockRows; p++)
          latest = Math.max(latest, orderedKnown[p] || Number.POSITIVE_INFINITY);
        blockKnown[block] = latest;
      }
    }
  }
  return blockKnown ? { ...column, blockKnown } : column;
}

/** The values of rows in their order, NaN for row -1. A plain loop: `Float64Array.from` takes ten times as long. */
export function gather(values: Numbers, rows: Int32Array): Float64Array {
  const found = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) found[k] = rows[k] < 0 ? Number.NaN : values[rows[k]];
  return found;
}

/**
 * Summarises the events `from` … `to` - 1 of one entity, counted from its first event at `start` and passing over the
 * event at `start + skip` (Infinity for none). Values not known at `readableUntil` count as missing. Where `detail` is
 * 'mean', the squared deviations, minimum and maximum are not worked out.
 *
 * The window is cut at multiples of 64 events; each piece is summed on its own (mean first, then deviations about it)
 * and the pieces are combined in order (Chan, Golub, LeVeque 1979). Whole pieces come from the stored blocks, which
 * hold the same bits as a scan, so the answer depends only on the readable events of this entity.
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

/** Scratch of `summarise`; nothing is read from it after the call. */
const piece = emptySummary();

function clear(into: Summary): void {
  into.count = 0;
  into.sum = 0;
  into.mean = 0;
  into.m2 = 0;
  into.min = Number.POSITIVE_INFINITY;
  into.max = Number.NEGATIVE_INFINITY;
}

/** The readable values at positions `from` … `to` - 1, those from `hole` (-1: none) on counted without it. */
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

/** The same in one pass, without what is about the mean or at the ends. */
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

/** Positions to pass through for those `from` … `to` - 1 counted without the one at `hole`. */
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
