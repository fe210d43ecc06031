import type { EventTime } from './contract.ts';
import type { Confidence, Guess } from './guess.ts';
import { wordsOf } from './names.ts';
import { type Profile, type TableProfile, valuesOf } from './profile.ts';

export type OwnTime = { readonly time: EventTime; readonly values: Float64Array; readonly guess: Guess };

const yearUs = 365.25 * 86_400_000_000;
/** A birth date lies at least this long before what its bearer does. */
const birthGapYears = 10;
const birthSpreadYears = 25;
const filledMin = 0.995;
const filledLow = 0.9;

// The field's own words for dates that are not the row's event, in the languages our customers write.
const birthWords = new Set(['birth', 'birthday', 'birthdate', 'dob', 'born', 'nascimento', 'nasc']);
const plannedWords = new Set([
  ...['due', 'maturity', 'expiry', 'expiration', 'expires', 'expire', 'deadline', 'until', 'limit'],
  ...['estimated', 'expected', 'planned', 'scheduled', 'promised', 'vencimento', 'validade', 'prazo'],
]);
const laterWords = new Set([
  ...plannedWords,
  ...['end', 'updated', 'modified', 'update', 'edit', 'edited', 'last', 'closed', 'completion', 'completed', 'fim'],
]);

export function isNamedBirth(column: Profile): boolean {
  return wordsOf(column.name).some((word) => birthWords.has(word));
}

export function isNamedPlanned(column: Profile): boolean {
  return wordsOf(column.name).some((word) => plannedWords.has(word));
}

function isNamedLater(column: Profile): boolean {
  return wordsOf(column.name).some((word) => laterWords.has(word));
}

/** Rows looked at for a quantile, evenly spaced: dates are only compared coarsely. */
const quantileRowsMax = 100_000;

/** The values below which the given shares of the finite ones lie; NaN when there is none. */
function quantiles(values: Float64Array, shares: readonly number[]): number[] {
  const step = Math.ceil(values.length / quantileRowsMax);
  const sorted = values.filter((value, row) => row % step === 0 && !Number.isNaN(value)).sort();
  return shares.map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
}

export function isDatedProfile(column: Profile): boolean {
  return (column.type === 'date' || column.type === 'timestamp') && column.filled > 0;
}

/**
 * Columns with dates of birth (or of founding), which are no events: named so, or spread over decades and a generation before the other tables' dates.
 * The comparison leaves out the column's own table, whose other dates may be of the same people.
 */
export function findBirths(tables: readonly TableProfile[]): Set<Profile> {
  const dated = tables.flatMap((table) => table.columns.filter(isDatedProfile).map((column) => ({ table, column })));
  const measured = dated.map(({ table, column }) => {
    const [low, middle, high] = quantiles(valuesOf(column), [0.05, 0.5, 0.95]) as [number, number, number];
    return { table, column, low, middle, high };
  });
  const births = new Set(measured.map(({ column }) => column).filter(isNamedBirth));
  for (const { table, column, low, middle, high } of measured) {
    if (births.has(column)) continue;
    const others = measured.filter((other) => other.table !== table && !births.has(other.column));
    if (others.length === 0 || (high - low) / yearUs < birthSpreadYears) continue;
    const earliest = Math.min(...others.map((other) => other.low));
    const earliestMiddle = Math.min(...others.map((other) => other.middle));
    if ((earliest - low) / yearUs >= birthGapYears && (earliestMiddle - middle) / yearUs >= birthGapYears) {
      births.add(column);
    }
  }
  return births;
}

/** The table's own event time: the earliest of its dates that are never empty, with the clock that completes it. */
export function findOwnTime(table: TableProfile, births: ReadonlySet<Profile>): OwnTime | null {
  const dated = table.columns.filter((column) => isDatedProfile(column) && !births.has(column));
  const filled = dated.filter((column) => column.filled >= table.rows * filledMin);
  const usable = filled.length > 0 ? filled : dated.filter((column) => column.filled >= table.rows * filledLow);
  if (usable.length === 0) return null;
  const values = new Map(usable.map((column) => [column, valuesOf(column)]));
  let best = usable[0]!;
  for (const column of usable.slice(1)) if (precedes(column, best, values)) best = column;
  const clock = findClock(table, best);
  const reasons = [
    filled.length > 0 ? 'never empty' : 'rarely empty',
    ...(usable.length > 1 ? ['the earliest of the dates'] : dated.length === 1 ? ['the only date'] : []),
    ...(clock === null ? [] : [`${clock.name} completes it`]),
  ];
  const isLater = isNamedLater(best);
  const confidence: Confidence =
    isLater || filled.length === 0 ? 'low' : dated.length === 1 || usable.length === 1 ? 'high' : 'medium';
  if (isLater) reasons.push('its name says it lies after the event');
  return {
    time: { column: best.name, ...(clock !== null && { clock: clock.name }) },
    values: values.get(best)!,
    guess: {
      table: table.name,
      column: null,
      kind: 'time',
      value: clock === null ? best.name : `${best.name} + ${clock.name}`,
      confidence,
      reason: reasons.join(', '),
    },
  };
}

/** Whether the rows' events are more likely dated by `a` than by `b`. */
function precedes(a: Profile, b: Profile, values: ReadonlyMap<Profile, Float64Array>): boolean {
  const [left, right] = [values.get(a)!, values.get(b)!];
  let earlier = 0;
  let later = 0;
  for (let row = 0; row < left.length; row++) {
    if (left[row]! < right[row]!) earlier++;
    else if (left[row]! > right[row]!) later++;
  }
  // A day and the moment in it are the same event: the moment says more.
  const sameDay = a.type !== b.type && isSameDay(left, right);
  if (sameDay) return a.type === 'timestamp';
  if (isNamedLater(a) !== isNamedLater(b) && Math.min(earlier, later) > (earlier + later) * 0.02)
    return isNamedLater(b);
  return earlier > later;
}

function isSameDay(a: Float64Array, b: Float64Array): boolean {
  const dayUs = 86_400_000_000;
  let same = 0;
  for (let row = 0; row < a.length; row++) if (Math.floor(a[row]! / dayUs) === Math.floor(b[row]! / dayUs)) same++;
  return same >= a.length * 0.98;
}

/** A time of day that completes a date: named as the date is but for the word date, or standing right behind it. */
function findClock(table: TableProfile, date: Profile): Profile | null {
  if (date.type !== 'date') return null;
  const clocks = table.columns.filter((column) => column.type === 'time' && column.filled > 0);
  const rest = (column: Profile, marks: RegExp): string =>
    wordsOf(column.name)
      .filter((word) => !marks.test(word))
      .join('_');
  const own = rest(date, /^(?:date|day|dt|data|dia)$/);
  const named = clocks.find((column) => rest(column, /^(?:time|clock|hour|tm|hora|horario)$/) === own);
  return named ?? clocks.find((column) => column.position === date.position + 1) ?? null;
}

/** What inheriting needs to know about a reference: whose rows, and the referenced row of each (-1 where none). */
export type Link = {
  readonly from: TableProfile;
  readonly column: Profile;
  readonly to: TableProfile;
  readonly rows: Int32Array;
};

export type Inherited = {
  readonly table: string;
  readonly time: EventTime;
  readonly values: Float64Array;
  readonly guess: Guess;
};

/** Share of the data's whole span within which an event's own rows follow it. */
const burstShare = 0.05;

/**
 * Gives tables without a date the time of the event they belong to. A referenced table is an event when nothing that
 * points to it lives on after it: rows with own times that follow long after make it an entity with a date of creation.
 * `times` holds the known times by table and is extended with those found; a table in `weak` has only a date that lies
 * after its event by its name (a due date), and takes a better time where there is one.
 */
export function inheritTimes(
  tables: readonly TableProfile[],
  links: readonly Link[],
  times: Map<string, Float64Array>,
  weak: ReadonlySet<string>,
): Inherited[] {
  const own = new Set([...times.keys()].filter((name) => !weak.has(name)));
  const span = spanOf([...times.values()]);
  const entities = new Set(tables.filter((table) => livesOn(table, links, times, span, own)));
  const found: Inherited[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    for (const table of tables) {
      if (own.has(table.name) || found.some((other) => other.table === table.name)) continue;
      if (entities.has(table) && !weak.has(table.name)) continue;
      const best = bestParent(table, links, times, entities);
      if (best === null) continue;
      times.set(table.name, best.values);
      found.push(best);
      changed = true;
    }
  }
  return found;
}

function spanOf(times: readonly Float64Array[]): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of times) {
    const [first, last] = quantiles(values, [0.01, 0.99]) as [number, number];
    if (first < low) low = first;
    if (last > high) high = last;
  }
  return Math.max(high - low, 1);
}

/**
 * Whether rows with their own time keep pointing to a row long after it was there; for a table without time, whether any
 * do over a long stretch.
 */
function livesOn(
  table: TableProfile,
  links: readonly Link[],
  times: ReadonlyMap<string, Float64Array>,
  span: number,
  own: ReadonlySet<string>,
): boolean {
  const start = times.get(table.name);
  return links.some((link) => {
    const childTimes =
      link.to === table && link.from !== table && own.has(link.from.name) ? times.get(link.from.name) : undefined;
    if (childTimes === undefined) return false;
    if (start === undefined) return true;
    const gaps = new Float64Array(link.rows.length).fill(Number.NaN);
    for (let row = 0; row < gaps.length; row++) {
      const parent = link.rows[row]!;
      if (parent >= 0) gaps[row] = childTimes[row]! - start[parent]!;
    }
    return quantiles(gaps, [0.5])[0]! > span * burstShare;
  });
}

/** An event happens to something or to somebody: what points nowhere is rather an entity with a date. */
function happensToSomething(table: TableProfile, links: readonly Link[]): boolean {
  return links.some((link) => link.from === table && link.to !== table);
}

/** Whether its date is the only one that the rows of several tables around it can have. */
function carriesSeveral(
  table: TableProfile,
  links: readonly Link[],
  times: ReadonlyMap<string, Float64Array>,
): boolean {
  const around = links.filter((link) => link.to === table && link.from !== table);
  const children = new Set(around.map((link) => link.from));
  return children.size >= 3 && times.size > 0;
}

function bestParent(
  table: TableProfile,
  links: readonly Link[],
  times: ReadonlyMap<string, Float64Array>,
  entities: ReadonlySet<TableProfile>,
): Inherited | null {
  const candidates = links.filter(
    (link) =>
      link.from === table &&
      link.to !== table &&
      times.has(link.to.name) &&
      !entities.has(link.to) &&
      link.column.filled >= table.rows * filledMin &&
      (happensToSomething(link.to, links) || carriesSeveral(link.to, links, times)),
  );
  let best: { link: Link; values: Float64Array } | null = null;
  for (const link of candidates) {
    const start = times.get(link.to.name)!;
    const values = Float64Array.from(link.rows, (parent) => (parent < 0 ? Number.NaN : start[parent]!));
    // A row cannot be before any of its parents.
    if (best === null || quantiles(values, [0.5])[0]! > quantiles(best.values, [0.5])[0]!) best = { link, values };
  }
  if (best === null) return null;
  const { link, values } = best;
  const siblings = links.filter((other) => other.to === link.to && other.from !== table).length;
  return {
    table: table.name,
    time: { reference: link.column.name, offset: 0 },
    values,
    guess: {
      table: table.name,
      column: null,
      kind: 'time',
      value: `${link.column.name} → ${link.to.name}`,
      confidence: 'medium',
      reason: `no date of its own; its rows come with their row of ${link.to.name}, which is an event: nothing that points to it has a later time${siblings > 0 ? `, ${siblings} more references come with it` : ''}`,
    },
  };
}
