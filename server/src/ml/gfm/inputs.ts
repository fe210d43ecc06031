import { microsecondsPerDay } from '../contract/contract.ts';
import { type HalfLives, isOver, newness, remaining } from './decay.ts';
import { type AttributeColumn, entityKinds } from './facts/store.ts';
import { classOf, type FactGraph, forDirections, nodeRowAt } from './graph.ts';

/**
 * The inputs read of an entity at a moment, one number per column, before scaling. Plain data, fixed in the version.
 */
export type InputColumn =
  | { readonly kind: 'kind'; readonly is: string }
  | { readonly kind: 'text'; readonly attribute: string; readonly is: string }
  /** Values too many for a column each: ±1 in a hashed column. */
  | { readonly kind: 'hashed'; readonly attribute: string; readonly bucket: number }
  | { readonly kind: 'number'; readonly attribute: string }
  | { readonly kind: 'age'; readonly attribute: string }
  | { readonly kind: 'missing'; readonly attribute: string }
  /** `log(1 + sum)` over the facts of a relation in a direction; see `measures` for the sum. */
  | { readonly kind: 'degree'; readonly relation: string; readonly inverse: boolean; readonly measure: Measure };

/**
 * What is summed. Of lasting facts: 'alive', the number of those that last; 'new', their newness by the short
 * half-life; 'ended', what remains of the ended ones by the short half-life. Of momentary facts: 'all', their number;
 * 'recent' and 'lately', what remains of them by the short and the long half-life.
 */
const measures = { lasting: ['alive', 'new', 'ended'], momentary: ['all', 'recent', 'lately'] } as const;
type Measure = (typeof measures)[keyof typeof measures][number];

export type Inputs = {
  readonly columns: readonly InputColumn[];
  /** Mean and deviation of each column on the entities and moments it was fitted on. */
  readonly mean: readonly number[];
  readonly scale: readonly number[];
  /** The factor of a scaled column. */
  readonly weight: readonly number[];
};

const valuesPerText = 32;
const bucketsPerText = 16;
/** A text with more distinct values than this share of its rows is a name, and has no column. */
const distinctShareMax = 0.2;
/** Most facts of a direction whose decay is computed, newest first; counts include all. */
export const edgesWeighed = 512;
const scaledMax = 4;
const attributeWeight = 0.6;
const lastingWeight = 1.2;
const momentaryWeight = 3;
const scaleMin = 0.05;

/** The columns a graph offers: one set per relation, and the attributes of entities known by `cut`. */
export function proposeInputs(graph: FactGraph, relations: readonly string[], cut: number): InputColumn[] {
  const { store } = graph;
  const columns: InputColumn[] = entityKinds.map((is) => ({ kind: 'kind', is }));
  for (const attribute of store.nodes.attributes) columns.push(...attributeColumns(graph, attribute, cut));
  for (const relation of relations) {
    const { class: relationClass } = store.relations.find(({ name }) => name === relation)!;
    for (const inverse of [false, true])
      for (const measure of measures[relationClass]) columns.push({ kind: 'degree', relation, inverse, measure });
  }
  return columns;
}

function attributeColumns({ store, bornAt }: FactGraph, attribute: AttributeColumn, cut: number): InputColumn[] {
  const { name } = attribute;
  const isKnown = (row: number) => store.nodes.known[row] <= cut && bornAt[store.nodes.entity[row]] <= cut;
  if (attribute.kind !== 'text') {
    if (!attribute.values.some((value, row) => !Number.isNaN(value) && isKnown(row))) return [];
    return [
      { kind: attribute.kind === 'time' ? 'age' : 'number', attribute: name },
      { kind: 'missing', attribute: name },
    ];
  }
  const counts = new Map<string, number>();
  let rows = 0;
  for (const [row, code] of attribute.codes.entries()) {
    if (code < 0 || !isKnown(row)) continue;
    const text = attribute.dictionary[code];
    counts.set(text, (counts.get(text) ?? 0) + 1);
    rows++;
  }
  if (counts.size > valuesPerText && counts.size > distinctShareMax * rows) return [];
  const usual = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, valuesPerText);
  const columns: InputColumn[] = usual.map(([is]) => ({ kind: 'text', attribute: name, is }));
  if (counts.size > usual.length)
    for (let bucket = 0; bucket < bucketsPerText; bucket++) columns.push({ kind: 'hashed', attribute: name, bucket });
  return columns;
}

/** Fills `out` with the columns of an entity at t, unscaled. */
export type InputReader = (entity: number, t: number, out: Float64Array) => void;

export function openInputs(graph: FactGraph, columns: readonly InputColumn[], halfLives: HalfLives): InputReader {
  const { store } = graph;
  const placeOf = new Map(columns.map((column, at) => [JSON.stringify(column), at]));
  const placed = (column: InputColumn) => placeOf.get(JSON.stringify(column)) ?? -1;
  const kindAt = entityKinds.map((is) => placed({ kind: 'kind', is }));
  // Names have no column; they may be as many as the entities, so they are not read.
  const named = new Set(columns.map((column) => ('attribute' in column ? column.attribute : null)));
  const attributes = store.nodes.attributes
    .filter(({ name }) => named.has(name))
    .map((attribute) => attributeReader(attribute, placed));
  const degreeAt = Array.from({ length: graph.directions }, (_, direction) => {
    const { name, class: relationClass } = store.relations[direction >> 1];
    return measures[relationClass].map((measure) =>
      placed({ kind: 'degree', relation: name, inverse: (direction & 1) === 1, measure }),
    );
  });
  return (entity, t, out) => {
    out.fill(0);
    const kind = kindAt[store.kinds[entity]];
    if (kind >= 0) out[kind] = 1;
    const row = nodeRowAt(graph, entity, t);
    for (const read of attributes) read(row, t, out);
    forDirections(graph, entity, t, (direction, start, end) => {
      const places = degreeAt[direction];
      const sums = degreesOf(graph, direction, start, end, t, halfLives);
      for (const [k, place] of places.entries()) if (place >= 0) out[place] = Math.log1p(sums[k]);
    });
  };
}

function attributeReader(attribute: AttributeColumn, placed: (column: InputColumn) => number) {
  const { name } = attribute;
  if (attribute.kind === 'text') {
    const hasBuckets = placed({ kind: 'hashed', attribute: name, bucket: 0 }) >= 0;
    const told = attribute.dictionary.map((is) => {
      const at = placed({ kind: 'text', attribute: name, is });
      if (at >= 0 || !hasBuckets) return { at, value: 1 };
      const { bucket, sign } = bucketOf(is);
      return { at: placed({ kind: 'hashed', attribute: name, bucket }), value: sign };
    });
    return (row: number, _t: number, out: Float64Array) => {
      const code = row < 0 ? -1 : attribute.codes[row];
      if (code < 0) return;
      const { at, value } = told[code];
      if (at >= 0) out[at] = value;
    };
  }
  const isTime = attribute.kind === 'time';
  const at = placed({ kind: isTime ? 'age' : 'number', attribute: name });
  const missingAt = placed({ kind: 'missing', attribute: name });
  return (row: number, t: number, out: Float64Array) => {
    if (at < 0) return;
    const value = row < 0 ? Number.NaN : attribute.values[row];
    // A date later than t is not known at t.
    if (Number.isNaN(value) || (isTime && value > t)) out[missingAt] = 1;
    else
      out[at] = isTime
        ? Math.log1p((t - value) / microsecondsPerDay / 365)
        : Math.sign(value) * Math.log1p(Math.abs(value));
  };
}

function bucketOf(text: string): { bucket: number; sign: number } {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return { bucket: (hash >>> 4) % bucketsPerText, sign: (hash & 1) === 0 ? 1 : -1 };
}

/** The three measures of a direction's facts [start, end), which must all be known. */
function degreesOf(
  graph: FactGraph,
  direction: number,
  start: number,
  end: number,
  t: number,
  halfLives: HalfLives,
): [number, number, number] {
  const isLasting = classOf(graph, direction) === 'lasting';
  const [short, long] = halfLives[isLasting ? 'lasting' : 'momentary'];
  const first = Math.max(start, end - edgesWeighed);
  // Facts too old to be weighed count as ended.
  const sums: [number, number, number] = [isLasting ? 0 : first - start, 0, 0];
  for (let edge = first; edge < end; edge++) {
    const fact = graph.fact[edge];
    const left = remaining(graph, fact, t, short);
    if (left === 0) continue;
    if (isLasting) {
      const over = isOver(graph, fact, t);
      if (over) sums[2] += left;
      else sums[0] += 1;
      sums[1] += newness(graph, fact, t, short);
    } else {
      sums[0] += 1;
      sums[1] += left;
      sums[2] += remaining(graph, fact, t, long);
    }
  }
  return sums;
}

/**
 * Scales columns in place: subtracts the mean, divides by the deviation, clamps to ±4, and multiplies by the weight.
 */
export function scaleInputs({ mean, scale, weight }: Inputs, values: Float64Array): void {
  for (let k = 0; k < mean.length; k++) {
    const scaled = (values[k] - mean[k]) / scale[k];
    values[k] = weight[k] * Math.max(-scaledMax, Math.min(scaledMax, scaled));
  }
}

/** Means and deviations of unscaled columns. A deviation is at least 0.05, so that rare values do not become large. */
export function fitScaling(columns: readonly InputColumn[], rows: readonly Float64Array[]): Inputs {
  const mean = columns.map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);
  const scale = columns.map((_, k) => {
    const variance = rows.reduce((sum, row) => sum + (row[k] - mean[k]) ** 2, 0) / rows.length;
    return Math.max(scaleMin, Math.sqrt(variance));
  });
  // A column that is constant in the sample gets weight 0.
  const varies = columns.map((_, k) => rows.some((row) => row[k] !== rows[0][k]));
  return { columns, mean, scale, weight: columns.map((column, k) => (varies[k] ? weightOf(column) : 0)) };
}

/**
 * Momentary facts predict more than lasting ones, and those more than attributes. The weights were chosen on the
 * validation part of a synthetic economy.
 */
function weightOf(column: InputColumn): number {
  if (column.kind !== 'degree') return attributeWeight;
  return measures.momentary.some((measure) => measure === column.measure) ? momentaryWeight : lastingWeight;
}
