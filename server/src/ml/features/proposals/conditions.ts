import type { Signal, SignalValues } from '../../events/signals.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { changesUndated, isKnown } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { Condition, Events } from '../feature.ts';
import { type ColumnUse, differentValues } from './column-use.ts';
import type { Context } from './context.ts';
import type { FoundSignal } from './signals.ts';

/** A number of the events, and a value of theirs with which it is read. */
type Conditional = { readonly signal: Signal; readonly when: Condition };

/** A category has so many values, and tells so much of a number: its share of the variance of the number's ranks. */
const valuesMin = 2;
const valuesMax = 40;
const shareMin = 0.3;
/** Values for which a number is read, those with most rows first, and numbers with values in all. */
const valuesRead = 12;
const conditionalsMax = 48;
/**
 * A value is read of which so many rows speak, of so many and such a share of those that the events lead to. Of fewer
 * most is missing, and that it is missing its share says. (berka, AUROC of four folds: .731 without the share, .778
 * with it.)
 */
const valueRowsMin = 20;
const valueEntitiesMin = 10;
const valueEntitiesShareMin = 0.2;
/** Rows by which is evaluated what a category tells. */
const rowsEvaluated = 20_000;

/**
 * Numbers of events that mean different things by a category of theirs (results of different tests, amounts of
 * different kinds of transactions): each with the values of the category that tells most of it. Evaluated by what is
 * known at the cut.
 */
export function conditionalsOf(context: Context, events: Events, signals: readonly FoundSignal[]): Conditional[] {
  const { graph, cut } = context;
  const entities = graph.targets(events);
  const rows = rowsAsOf(graph.table(events.table), cut).filter((row) => entities[row] >= 0);
  const categories = placesOf(context, events).flatMap((place) => {
    const read = graph.values(events.table, { kind: 'column', ...place });
    if (read.kind !== 'category') return [];
    const codes = rows.map((row) => (isKnown(read.known, row, cut) ? read.codes[row] : -1));
    const { dictionary } = read;
    const values = Array.from(new Set(codes.filter((code) => code >= 0)), (code) => dictionary[code]);
    return areKinds(values) ? [{ place, codes, dictionary }] : [];
  });
  if (categories.length === 0) return [];
  const step = Math.ceil(rows.length / rowsEvaluated);
  const found = signals.flatMap(({ signal, use, raw }) => {
    if (!raw || use.kind !== 'number') return [];
    const numbers = knownNumbers(graph.values(events.table, signal), rows, cut);
    const shares = categories.map(({ codes }) => shareTold(numbers, codes, step));
    const most = shares.reduce((best, share, c) => (share > shares[best] ? c : best), 0);
    if (shares[most] < shareMin) return [];
    const { place } = categories[most];
    const values = frequentValues(numbers, categories[most], (k) => entities[rows[k]]);
    if (values.length < valuesMin) return [];
    return values.map((value, order) => ({ signal, order, when: { ...place, value } }));
  });
  // The most frequent values of every number come before the rarer ones of any.
  return found
    .toSorted((a, b) => a.order - b.order)
    .slice(0, conditionalsMax)
    .map(({ signal, when }) => ({ signal, when }));
}

/** Where a category stands, and the codes of its values in rows that are known; -1 for missing. */
type Place = Omit<Condition, 'value'>;
type Category = { readonly codes: Int32Array; readonly dictionary: readonly string[] };

/**
 * Texts that may be read of the events, and of what they refer to; what they lead to is the same on all of an entity's.
 */
function placesOf({ graph, uses, visible }: Context, events: Events): Place[] {
  const table = graph.table(events.table);
  const textsOf = (of: Table, mayBe: (use: ColumnUse) => boolean) =>
    of.contract.columns.flatMap((contract) => {
      const { name: column, pii } = contract;
      const use = uses.get(of.name)?.get(column);
      const isKept = !changesUndated(of, contract) && !pii;
      return use && isKept && of.columns.get(column)?.kind === 'text' && mayBe(use) ? [column] : [];
    });
  const isNone = (use: ColumnUse, why: string) => use.kind === 'none' && use.why === why;
  const own = textsOf(table, (use) => use.kind === 'category' || isNone(use, 'reference')).filter(
    (column) => column !== events.via[0],
  );
  const met = [...table.references].flatMap(([reference, { table: name, values }]) => {
    const target = visible.find((candidate) => candidate.name === name);
    if (!target || values || reference === events.via[0]) return [];
    const names = textsOf(target, (use) => use.kind === 'category' || isNone(use, differentValues));
    return names.map((column) => ({ path: [reference], column }));
  });
  return [...own.map((column) => ({ path: [], column })), ...met];
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/;

/**
 * Whether the values of a text name kinds of things. Texts that mostly write numbers measure something themselves: read
 * by places in a race, written as texts, its numbers were 270 features more and .006 of AUROC less (rel-f1, driver-dnf,
 * rolling).
 */
function areKinds(values: readonly string[]): boolean {
  if (values.length < valuesMin || values.length > valuesMax) return false;
  return values.filter((value) => plainNumber.test(value)).length * 2 < values.length;
}

/** Numbers of `rows` that are known at the cut; NaN for the rest. */
function knownNumbers(read: SignalValues, rows: Int32Array, cut: number): Float64Array {
  if (read.kind !== 'number') return new Float64Array(rows.length).fill(Number.NaN);
  return Float64Array.from(rows, (row) => (isKnown(read.known, row, cut) ? read.values[row] : Number.NaN));
}

/** Moves on the row that is taken of each stretch, so that kinds that come in turn are all met. */
const stridePrime = 7919;

/**
 * The share of the variance of the numbers' ranks that lies between the values of a category, less what chance would
 * put there (Kelley's epsilon squared), by one of every `step` rows; 0 where nothing varies. Ranks, so that no tail
 * decides.
 */
function shareTold(numbers: Float64Array, codes: Int32Array, step: number): number {
  const evaluated: number[] = [];
  for (let from = 0, stretch = 0; from < numbers.length; from += step, stretch++) {
    const k = from + ((stretch * stridePrime) % step);
    if (k < numbers.length && codes[k] >= 0 && !Number.isNaN(numbers[k])) evaluated.push(k);
  }
  evaluated.sort((a, b) => numbers[a] - numbers[b]);
  const n = evaluated.length;
  const middle = (n - 1) / 2;
  const groups = new Map<number, { count: number; sum: number }>();
  let total = 0;
  for (let from = 0, to = 0; from < n; from = to) {
    while (to < n && numbers[evaluated[to]] === numbers[evaluated[from]]) to++;
    const rank = (from + to - 1) / 2 - middle;
    total += (to - from) * rank * rank;
    for (let j = from; j < to; j++) {
      const code = codes[evaluated[j]];
      const group = groups.get(code) ?? { count: 0, sum: 0 };
      groups.set(code, { count: group.count + 1, sum: group.sum + rank });
    }
  }
  let between = 0;
  for (const { count, sum } of groups.values()) between += (sum * sum) / count;
  if (total === 0 || n === groups.size) return 0;
  return 1 - ((1 - between / total) * (n - 1)) / (n - groups.size);
}

/** The values with most numbers, of those with enough of them, which differ. */
function frequentValues(
  numbers: Float64Array,
  { codes, dictionary }: Category,
  entityOf: (k: number) => number,
): string[] {
  const found = new Map<number, { count: number; min: number; max: number; entities: Set<number> }>();
  for (const [k, x] of numbers.entries()) {
    if (codes[k] < 0 || Number.isNaN(x)) continue;
    let value = found.get(codes[k]);
    if (!value) found.set(codes[k], (value = { count: 0, min: x, max: x, entities: new Set() }));
    value.count++;
    value.min = Math.min(value.min, x);
    value.max = Math.max(value.max, x);
    value.entities.add(entityOf(k));
  }
  const entitiesMin = Math.max(valueEntitiesMin, new Set(numbers.keys().map(entityOf)).size * valueEntitiesShareMin);
  return [...found]
    .filter(([, { count, min, max, entities }]) => count >= valueRowsMin && entities.size >= entitiesMin && min < max)
    .map(([code, { count }]) => ({ value: dictionary[code], count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, valuesRead)
    .map(({ value }) => value);
}
