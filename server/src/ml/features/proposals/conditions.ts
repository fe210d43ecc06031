import type { Signal, SignalValues } from '../../events/signals.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { changesUndated, isKnown } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { Condition, Events } from '../feature.ts';
import { type ColumnUse, differentValues } from './column-use.ts';
import type { Context } from './context.ts';
import type { FoundSignal } from './signals.ts';

/** A numeric signal of the events, and the condition under which it is read. */
type Conditional = { readonly signal: Signal; readonly when: Condition };

/** A category must have this many values, and explain at least this share of the variance of the number's ranks. */
const valuesMin = 2;
const valuesMax = 40;
const shareMin = 0.3;
/** Most values per number, those with most rows first, and most pairs of number and value in all. */
const valuesRead = 12;
const conditionalsMax = 48;
/**
 * A value is used if at least this many rows have it, of at least this many entities and this share of the entities
 * that the events lead to. For rarer values most entities have no number, and the value's share already tells so.
 * (berka, AUROC over four folds: .731 without the minimum share, .778 with it.)
 */
const valueRowsMin = 20;
const valueEntitiesMin = 10;
const valueEntitiesShareMin = 0.2;
/** Rows used to measure how much a category explains. */
const rowsEvaluated = 20_000;

/**
 * Finds numbers of events whose meaning depends on a category of theirs (results of different tests, amounts of
 * different kinds of transactions). Each is paired with the values of the category that explains most of it, measured
 * on what is known at the cut.
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
  // The most frequent values of all numbers come before the rarer ones of any number.
  return found
    .toSorted((a, b) => a.order - b.order)
    .slice(0, conditionalsMax)
    .map(({ signal, when }) => ({ signal, when }));
}

/** The column of a category, and the codes of its values in the known rows; -1 for missing. */
type Place = Omit<Condition, 'value'>;
type Category = { readonly codes: Int32Array; readonly dictionary: readonly string[] };

/**
 * The text columns of the events and of the rows they refer to. Columns of the entity itself are left out: they are the
 * same on all its events.
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
 * Whether the values of a text name kinds of things. Texts that are mostly numbers are measurements themselves. Using
 * such a column, places in a race stored as text, added 270 features and lost .006 of AUROC (rel-f1, driver-dnf,
 * rolling).
 */
function areKinds(values: readonly string[]): boolean {
  if (values.length < valuesMin || values.length > valuesMax) return false;
  return values.filter((value) => plainNumber.test(value)).length * 2 < values.length;
}

/** The numbers of `rows` known at the cut; NaN for the rest. */
function knownNumbers(read: SignalValues, rows: Int32Array, cut: number): Float64Array {
  const numbers = new Float64Array(rows.length).fill(Number.NaN);
  if (read.kind !== 'number') return numbers;
  for (let k = 0; k < rows.length; k++) if (isKnown(read.known, rows[k], cut)) numbers[k] = read.values[rows[k]];
  return numbers;
}

/** Shifts which row is taken from each stretch, so that kinds that alternate are all sampled. */
const stridePrime = 7919;

/**
 * The share of the variance of the numbers' ranks explained by a category, corrected for chance (Kelley's epsilon
 * squared), on one of every `step` rows; 0 where nothing varies. Ranks are used so that a heavy tail does not decide.
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

/** The values with most numbers, among those with enough rows and entities whose numbers are not all equal. */
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
