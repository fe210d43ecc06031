import type { EventTime } from './contract.ts';
import { because, type Confidence, type Guess } from './guess.ts';
import { wordsOf } from './names.ts';
import { type Profile, type TableProfile, valuesOf } from './profile.ts';
import type { Reason } from './reasons.ts';

/** `isWeak`: it may not date the rows at all, so that no other table takes its time from them. */
export type OwnTime = {
  readonly time: EventTime;
  readonly values: Float64Array;
  readonly isWeak: boolean;
  readonly guess: Guess;
};

const yearUs = 365.25 * 86_400_000_000;
/** A birth date lies at least this long before the acts of the person. */
const birthGapYears = 10;
const birthSpreadYears = 25;
export const filledMin = 0.995;
export const filledLow = 0.9;

// Common words for dates that are not the event of the row, in English and Portuguese.
const birthWords = new Set(['birth', 'birthday', 'birthdate', 'dob', 'born', 'nascimento', 'nasc']);
const plannedWords = new Set([
  ...['due', 'maturity', 'expiry', 'expiration', 'expires', 'expire', 'deadline', 'until', 'limit'],
  ...['estimated', 'expected', 'planned', 'scheduled', 'promised', 'vencimento', 'validade', 'prazo'],
]);
/** The same, joined without a mark between the words: `firstduedate`. */
const joinedPlan = /^(?:first|next|last|final|original|loan)?(?:due|maturity|expiry|expiration)(?:date|day|on|at)$/;
const laterWords = new Set([
  ...['end', 'updated', 'modified', 'update', 'edit', 'edited', 'last', 'closed', 'completion', 'completed', 'fim'],
]);

/** A date more than this many years after the present may stand for no date. */
const farYears = 20;
/** From this moment on a date stands for no date: 9999-12-31, 2999-12-31 and the like. */
const endOfTime = Date.UTC(2900, 0, 1) * 1000;
const dayUs = 86_400_000_000;

/**
 * The day that stands for no date among moments (microseconds), as its first microsecond; null when there is none. It
 * is the most frequent day after 2900. Without one, it is the day shared by all moments more than 20 years after `now`,
 * if there are several.
 */
export function findStandIn(moments: Iterable<number>, now: number): number | null {
  const days = new Map<number, number>();
  for (const moment of moments) {
    if (!(moment >= endOfTime || moment > now + farYears * yearUs)) continue;
    const day = Math.floor(moment / dayUs) * dayUs;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const [most] = [...days].sort((a, b) => Number(b[0] >= endOfTime) - Number(a[0] >= endOfTime) || b[1] - a[1]);
  if (most === undefined) return null;
  return most[0] >= endOfTime || (days.size === 1 && most[1] > 1) ? most[0] : null;
}

/** Whether a text looks like a date in a form that a column of texts does not read: 31/12/2024, 2024.12.31. */
export function isUnreadDate(text: string): boolean {
  return /^\s*(?:\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}[/.]\d{1,2}[/.]\d{1,2})(?:\s.*)?$/.test(text);
}

export function isNamedBirth(column: Profile): boolean {
  return wordsOf(column.name).some((word) => birthWords.has(word));
}

export function isNamedPlanned(column: Profile): boolean {
  return wordsOf(column.name).some((word) => plannedWords.has(word) || joinedPlan.test(word));
}

function isNamedLater(column: Profile): boolean {
  return isNamedPlanned(column) || wordsOf(column.name).some((word) => laterWords.has(word));
}

/** A quantile is taken of at most this many rows, evenly spaced: dates are compared only roughly. */
const quantileRowsMax = 100_000;

/** The quantiles of the finite values at the given shares; NaN when there are no values. */
export function quantiles(values: Float64Array, shares: readonly number[]): number[] {
  const step = Math.ceil(values.length / quantileRowsMax);
  const sorted = values.filter((value, row) => row % step === 0 && !Number.isNaN(value)).sort();
  return shares.map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
}

export function isDatedProfile(column: Profile): boolean {
  return (column.type === 'date' || column.type === 'timestamp') && column.filled > 0;
}

/** Dates of other rows that refer to a row. */
export type Referring = {
  readonly table: TableProfile;
  readonly column: Profile;
  readonly to: TableProfile;
  readonly key: Profile;
};

/**
 * Columns with dates of birth (or of founding), which are no events. They are named so, or are spread over decades and
 * lie a generation before the dates of other tables, and before those of the rows that refer to them. Dates of the
 * column's own table are not compared, because they may be of the same people. Where no dated row refers to them, those
 * of a calendar are no births.
 */
export function findBirths(tables: readonly TableProfile[], references: readonly Referring[] = []): Set<Profile> {
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
    if ((earliest - low) / yearUs < birthGapYears || (earliestMiddle - middle) / yearUs < birthGapYears) continue;
    const dates = new Set(others.map((other) => other.column));
    const gaps = references.filter(({ to }) => to === table).map((reference) => yearsAfter(column, reference, dates));
    const gap = gaps.reduce((least, years) => Math.min(least, years), Number.POSITIVE_INFINITY);
    if (gap === Number.POSITIVE_INFINITY ? !isCalendar(column) : gap >= birthGapYears) births.add(column);
  }
  return births;
}

/** Least share of the steps of a calendar that are as long as most of them, and by how much they may differ. */
const calendarStepsMin = 0.9;
const calendarStepError = 0.1;
/** Who is there once a day may be a customer. */
const calendarStepMin = 6 * dayUs;

/** Whether a column counts time off, one period to a row and evenly: seasons, quarters, weeks. */
export function isCalendar(column: Profile): boolean {
  if (column.distinct !== column.filled || column.distinct < 3) return false;
  const days = valuesOf(column)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const steps = days.subarray(1).map((day, k) => day - days[k]);
  const usual = steps.toSorted()[steps.length >> 1];
  const even = steps.filter((step) => Math.abs(step - usual) <= usual * calendarStepError);
  return usual >= calendarStepMin && even.length >= steps.length * calendarStepsMin;
}

/** How many years the first of the dates lies after those of the rows referred to, in the middle; Infinity: no date. */
function yearsAfter(birth: Profile, { table, column, key }: Referring, dates: ReadonlySet<Profile>): number {
  const own = table.columns.filter((date) => dates.has(date));
  const born = valuesOf(birth);
  const rowOf = new Map<string, number>();
  for (let row = 0; row < key.codes.length; row++) if (key.codes[row] >= 0) rowOf.set(key.texts[key.codes[row]], row);
  const middles = own.map((date) => {
    const moments = valuesOf(date);
    const gaps = moments.map((moment, row) => {
      const code = column.codes[row];
      const referred = code < 0 ? undefined : rowOf.get(column.texts[code]);
      return referred === undefined ? Number.NaN : (moment - born[referred]) / yearUs;
    });
    return quantiles(gaps, [0.5])[0];
  });
  return middles.reduce((least, middle) => (middle < least ? middle : least), Number.POSITIVE_INFINITY);
}

/** Says of the dates of a table without a time why none of them is it. */
export function remarkUnusedDates(table: TableProfile, births: ReadonlySet<Profile>): Guess[] {
  return table.columns.filter(isDatedProfile).map((column) => ({
    ...{ table: table.name, column: column.name, kind: 'time', value: column.name, confidence: 'low' },
    ...because(whyUnused(column, table, births), { code: 'dates_nothing' }),
  }));
}

function whyUnused(column: Profile, table: TableProfile, births: ReadonlySet<Profile>): Reason {
  if (births.has(column))
    return isNamedBirth(column) ? { code: 'named_founding' } : { code: 'decades_before', years: birthGapYears };
  if (column.distinct === 1) return { code: 'one_date' };
  return { code: 'empty_in', percent: Math.ceil((1 - column.filled / table.rows) * 100) };
}

/** The table's own event time: the earliest of the dates that are never empty, with the clock that completes it. */
export function findOwnTime(table: TableProfile, births: ReadonlySet<Profile>): OwnTime | null {
  // When all rows have the same date, it is the date the file was made.
  const dated = table.columns.filter(
    (column) => isDatedProfile(column) && !births.has(column) && (column.distinct > 1 || table.rows === 1),
  );
  const filled = dated.filter((column) => column.filled >= table.rows * filledMin);
  const usable = filled.length > 0 ? filled : dated.filter((column) => column.filled >= table.rows * filledLow);
  if (usable.length === 0) return null;
  const values = new Map(usable.map((column) => [column, valuesOf(column)]));
  let best = usable[0];
  for (const column of usable.slice(1)) if (precedes(column, best, values)) best = column;
  const clock = findClock(table, best);
  const reasons: Reason[] = [{ code: filled.length > 0 ? 'never_empty' : 'rarely_empty' }];
  if (usable.length > 1) reasons.push({ code: 'earliest_date' });
  else if (dated.length === 1) reasons.push({ code: 'only_date' });
  if (clock !== null) reasons.push({ code: 'completed_by', column: clock.name });
  // The days of a calendar are what they say, whatever they are called.
  const isLater = isNamedLater(best) && !isCalendar(best);
  const isWeak = isLater || filled.length === 0;
  const rivals = findRivals(best, dated, table.rows);
  const confidence: Confidence =
    isWeak || rivals.length > 0 ? 'low' : dated.length === 1 || usable.length === 1 ? 'high' : 'medium';
  if (isLater) reasons.push({ code: 'named_later' });
  if (rivals.length > 0) reasons.push({ code: 'rival_dates', columns: rivals.map(({ name }) => name) });
  return {
    time: { column: best.name, ...(clock !== null && { clock: clock.name }) },
    values: values.get(best)!,
    isWeak,
    guess: {
      table: table.name,
      column: null,
      kind: 'time',
      value: clock === null ? best.name : `${best.name} + ${clock.name}`,
      confidence,
      ...because(...reasons),
    },
  };
}

/** Whether `a` is more likely than `b` to date the events of the rows. */
function precedes(a: Profile, b: Profile, values: ReadonlyMap<Profile, Float64Array>): boolean {
  const [left, right] = [values.get(a)!, values.get(b)!];
  let earlier = 0;
  let later = 0;
  for (let row = 0; row < left.length; row++) {
    if (left[row] < right[row]) earlier++;
    else if (left[row] > right[row]) later++;
  }
  // A day and a moment within it are the same event; the moment is more precise.
  const sameDay = a.type !== b.type && isSameDay(left, right);
  if (sameDay) return a.type === 'timestamp';
  if (isNamedLater(a) !== isNamedLater(b) && Math.min(earlier, later) > (earlier + later) * 0.02)
    return isNamedLater(b);
  return earlier > later;
}

const rivalShareMin = 0.9;

/** Other dates that may as well be the event: rarely empty, not named later, and within a day of it as a rule. */
function findRivals(best: Profile, dated: readonly Profile[], rows: number): Profile[] {
  const own = valuesOf(best);
  return dated.filter((column) => {
    if (column === best || column.filled < rows * filledLow || isNamedLater(column)) return false;
    const values = valuesOf(column);
    if (column.type !== best.type && isSameDay(own, values)) return false;
    let near = 0;
    for (let row = 0; row < rows; row++) if (Math.abs(values[row] - own[row]) <= dayUs) near++;
    return near >= column.filled * rivalShareMin;
  });
}

function isSameDay(a: Float64Array, b: Float64Array): boolean {
  let same = 0;
  for (let row = 0; row < a.length; row++) if (Math.floor(a[row] / dayUs) === Math.floor(b[row] / dayUs)) same++;
  return same >= a.length * 0.98;
}

/** The time of day that completes a date: named like the date apart from the word date, or in the next column. */
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
