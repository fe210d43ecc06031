import { startOf } from '../../lib/files/values.ts';
import type { ColumnContract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import { type Feature, labelsTable, type Read, varietyEventsMax } from '../features/feature.ts';
import { daysPerMonth } from '../tasks/target.ts';
import {
  columnsNamed,
  focusTable,
  isFlag,
  isRate,
  type LineageSource,
  referredTable,
  signalTable,
  tableOf,
} from './lineage.ts';
import { humanWords } from './names.ts';
import type { Phrases } from './phrases.ts';

/** What a feature's number means to a reader. */
export type Measure =
  | { readonly kind: 'amount'; readonly column: ColumnContract | undefined }
  /** In [0, 1], shown as percent. */
  | { readonly kind: 'share' }
  /** In [0, 1]: the share of others that are lower. */
  | { readonly kind: 'percentile' }
  /** `shift`: days to add to a value to say how many days lie between two days. */
  | { readonly kind: 'days'; readonly isAhead: boolean; readonly shift?: number }
  /** Days after a planned date; negative before it. */
  | { readonly kind: 'lateness' }
  /** `of`: of the pace of that year; otherwise of that in the long run. */
  | { readonly kind: 'multiple'; readonly of?: 'year' }
  | { readonly kind: 'deviations' }
  /** Entropy in nats, shown as the number of equally common values that would have it. */
  | { readonly kind: 'entropy' }
  | { readonly kind: 'plain' }
  /** How far values lie from their mean. */
  | { readonly kind: 'spread'; readonly of: Measure }
  /** A difference from something else, shown as an amount above or below. */
  | { readonly kind: 'apart'; readonly of: Measure }
  /** A change per day, shown per month. */
  | { readonly kind: 'change'; readonly of: Measure }
  /** 0 or 1: yes or no, or a statement that is true or false. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'statement'; readonly value: string }
  /** The place of a text among others. */
  | { readonly kind: 'text'; readonly values: readonly string[] }
  | { readonly kind: 'month' | 'weekday' | 'date' };

/** Decides what a feature's values mean, from its read and the contract of its column. */
export function measureOf(source: LineageSource, { focus, read }: Feature): Measure {
  if (focus.kind === 'apart') {
    const of = measureOf(source, { focus: { ...focus, kind: 'parent' }, read });
    return { kind: 'apart', of: of.kind === 'flag' || of.kind === 'statement' ? { kind: 'share' } : of };
  }
  const isCompany = focus.kind === 'recent';
  switch (read.kind) {
    case 'attribute': {
      const [found] = columnsNamed(source, focusTable(source, focus), read.column);
      if (found?.column.type === 'boolean') return { kind: isCompany ? 'share' : 'flag' };
      return { kind: 'amount', column: found?.column };
    }
    case 'measure':
      return { kind: 'amount', column: undefined };
    case 'attribute_is':
    case 'last_is':
      return isCompany ? { kind: 'share' } : { kind: 'statement', value: read.value };
    case 'category':
      return { kind: 'text', values: read.values };
    case 'interval': {
      const [found] = columnsNamed(source, focusTable(source, focus), read.column);
      return { kind: 'days', isAhead: found?.column.planned ?? false };
    }
    case 'age':
    case 'since':
    case 'data_age':
      return { kind: 'days', isAhead: false };
    case 'gap':
      return read.as === 'sd'
        ? { kind: 'spread', of: { kind: 'days', isAhead: false } }
        : { kind: 'days', isAhead: false };
    case 'length':
    case 'rating':
    case 'count':
    case 'embedding':
      return { kind: 'plain' };
    case 'words': {
      const isYesNo = isFlag(source, labelsTable, { kind: 'column', path: [], column: 'label' });
      if (!isYesNo) return { kind: 'plain' };
      return read.as === 'sum' ? { kind: 'apart', of: { kind: 'share' } } : { kind: 'share' };
    }
    case 'word':
      return { kind: isCompany ? 'share' : 'flag' };
    case 'rate':
      return 'season' in read.span ? { kind: 'multiple', of: 'year' } : { kind: 'multiple' };
    case 'share':
      return { kind: 'share' };
    case 'against': {
      if (read.as === 'deviation') return { kind: 'apart', of: { kind: 'deviations' } };
      const [found] = columnsNamed(source, read.events.table, read.column);
      return { kind: 'apart', of: { kind: 'amount', column: found?.column } };
    }
    case 'same':
      return { kind: 'share' };
    case 'variety':
      return { kind: read.as === 'changes' ? 'share' : read.as === 'entropy' ? 'entropy' : 'plain' };
    case 'calendar':
      return { kind: read.part === 'time' ? 'date' : read.part };
    case 'number': {
      const { signal, aggregate } = read;
      if (aggregate === 'trend' || aggregate === 'swing') return { kind: 'apart', of: spreadOf(source, read) };
      if (aggregate === 'slope') return { kind: 'change', of: spreadOf(source, read) };
      if (aggregate === 'sd') return { kind: 'spread', of: spreadOf(source, read) };
      if (signal.kind === 'rank' && signal.as === 'percentile' && aggregate !== 'sum') return { kind: 'percentile' };
      if (signal.kind === 'rank') return { kind: 'apart', of: { kind: 'deviations' } };
      if (signal.kind === 'interval' && aggregate !== 'sum') return intervalOf(source, read.events.table, signal);
      // Added up, rates are no longer in their unit.
      if (aggregate === 'sum' && source.reasons !== undefined && isRate(source, read.events.table, signal))
        return { kind: 'plain' };
      if (!isFlag(source, read.events.table, signal)) return spreadOf(source, read);
      if (aggregate === 'sum') return { kind: 'plain' };
      return { kind: aggregate === 'mean' || aggregate === 'smoothed' || isCompany ? 'share' : 'flag' };
    }
  }
}

function isPlanned(source: LineageSource, table: string | undefined, column: string): boolean {
  return columnsNamed(source, table, column)[0]?.column.planned === true;
}

/** From a planned date of an event to one that is not, days tell how late or early it was. */
function intervalOf(source: LineageSource, table: string, signal: Signal & { kind: 'interval' }): Measure {
  const { from, column } = signal;
  if (from !== undefined && isPlanned(source, table, from) && !isPlanned(source, table, column))
    return { kind: 'lateness' };
  return { kind: 'days', isAhead: false, shift: dayShift(source, table, signal) };
}

/** A row that has a day and no time stands at the last microsecond of it, and a date at the first. */
const dayLessItsEnd = 1 - 1 / 86_400_000_000;

/** What an interval lacks of the days between two days, where both the rows and the column have no time of day. */
function dayShift(source: LineageSource, table: string, signal: Signal & { kind: 'interval' }): number {
  if (signal.from !== undefined) return 0;
  const [found] = columnsNamed(source, signalTable(source, table, signal), signal.column);
  return found?.column.type === 'date' && standsAtDayEnd(source, table) ? dayLessItsEnd : 0;
}

function standsAtDayEnd(source: LineageSource, name: string): boolean {
  const table = tableOf(source, name);
  if (!table?.time) return false;
  const { time } = table;
  if (!('column' in time)) {
    const parent = referredTable(source, name, time.reference);
    return parent !== undefined && standsAtDayEnd(source, parent);
  }
  return time.clock === undefined && columnsNamed(source, name, time.column)[0]?.column.type === 'date';
}

/** What a difference between two values of a read's signal means. */
function spreadOf(source: LineageSource, { events, signal }: Extract<Read, { readonly kind: 'number' }>): Measure {
  if (signal.kind === 'interval') return { kind: 'days', isAhead: false };
  if (signal.kind === 'rank') return { kind: signal.as === 'percentile' ? 'share' : 'deviations' };
  if (isFlag(source, events.table, signal)) return { kind: 'share' };
  const [found] = columnsNamed(source, signalTable(source, events.table, signal), signal.column);
  return { kind: 'amount', column: found?.column };
}

const valueCharactersMax = 40;

/** A text as in the data, shortened if long. */
export function quoteText(text: string, { blank }: Pick<Phrases, 'blank'>): string {
  if (text.trim() === '') return blank;
  const cut = text.length > valueCharactersMax ? `${startOf(text, valueCharactersMax - 1)}…` : text;
  return /^[\p{L}\p{N}][\p{L}\p{N}_./-]*$/u.test(cut) ? cut : `“${cut}”`;
}

/**
 * Formats a value in a language. Statements and missing values are worded in sentences and must not be passed here.
 * `isBrief`: beside another value of the measure, whose words it need not repeat.
 */
export function formatValue(value: number, measure: Measure, phrases: Phrases, isBrief = false): string {
  const write = (number: number, decimals: number) => formatNumber(number, decimals, phrases);
  const writeSmall = (number: number, decimals: number) => write(number, decimalsShowing(number, decimals));
  switch (measure.kind) {
    case 'share':
      return `${writeSmall(value * 100, Math.abs(value) < 0.1 ? 1 : 0)}%`;
    case 'percentile':
      if (!isBrief && (value >= 0.995 || value < 0.005)) return phrases.extreme(value < 0.5 ? 'lowest' : 'highest');
      return isBrief ? `${write(value * 100, 0)}%` : phrases.higherThan(`${write(value * 100, 0)}%`);
    case 'days':
      // A date that is mostly ahead may have passed.
      if (measure.isAhead && value >= daysTold) return phrases.passed(formatDays(value, phrases));
      return formatDays(measure.isAhead ? -value : value + (measure.shift ?? 0), phrases);
    case 'lateness':
      return phrases.late(formatDays(Math.abs(value), phrases), Math.abs(value) < daysTold ? 0 : Math.sign(value));
    case 'multiple': {
      const times = `${write(value, Math.abs(value) < 0.1 ? 2 : 1)}×`;
      if (isBrief) return times;
      return measure.of === 'year' ? phrases.ofThatYear(times) : phrases.ofLongRun(times);
    }
    case 'deviations':
      return isBrief ? write(value, 1) : phrases.deviations(write(value, 1));
    case 'entropy':
      return kindsOf(value, phrases, isBrief);
    case 'plain':
      return write(value, decimalsOf(value));
    case 'spread':
      return phrases.spread(formatValue(value, measure.of, phrases, isBrief));
    case 'apart': {
      const write = (amount: number) => formatValue(Math.abs(amount), measure.of, phrases, isBrief);
      return phrases.apart(write(value), write(value) === write(0) ? 0 : Math.sign(value));
    }
    case 'change': {
      const write = (change: number) => formatValue(Math.abs(change) * daysPerMonth, measure.of, phrases, isBrief);
      const sign = write(value) === write(0) ? '' : value > 0 ? '+' : '-';
      return isBrief ? `${sign}${write(value)}` : phrases.perMonth(`${sign}${write(value)}`);
    }
    case 'flag':
    case 'statement':
      return value >= 0.5 ? phrases.yes : phrases.no;
    case 'text':
      return quoteOf(measure.values, value, phrases);
    case 'month':
      return phrases.months[Math.round(value) - 1] ?? write(value, 0);
    case 'weekday':
      return phrases.weekdays[Math.round(value)] ?? write(value, 0);
    case 'date': {
      const date = new Date(Math.floor(value) * 86_400_000);
      return phrases.date(date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear());
    }
    case 'amount':
      return formatAmount(value, measure, phrases);
  }
}

function quoteOf(values: readonly string[], place: number, phrases: Phrases): string {
  const text = values[Math.round(place)];
  return text === undefined ? phrases.anotherValue : quoteText(text, phrases);
}

/** The number of equally common values that have this entropy. No more events than `varietyEventsMax` are read. */
function kindsOf(entropy: number, phrases: Phrases, isBrief: boolean): string {
  const kinds = formatNumber(Math.min(varietyEventsMax, Math.exp(entropy)), 1, phrases);
  return isBrief ? kinds : phrases.kinds(kinds);
}

/** From this many days on, a time is told in years. */
const yearsFromDays = 730;
const daysPerYear = 365.25;

/** A shorter time than this is none: it is less than a second. */
const daysTold = 1e-5;

/** A time in the unit that a reader would choose. */
function formatDays(days: number, phrases: Phrases): string {
  const size = Math.abs(days);
  if (size >= yearsFromDays) return phrases.time(formatNumber(days / daysPerYear, 1, phrases), 'years');
  if (size >= 1 || size < daysTold) return phrases.time(formatNumber(days, size < 10 ? 1 : 0, phrases), 'days');
  const hours = days * 24;
  return phrases.time(formatNumber(hours, decimalsShowing(hours, Math.abs(hours) < 10 ? 1 : 0), phrases), 'hours');
}

function formatAmount(value: number, { column }: Measure & { kind: 'amount' }, phrases: Phrases): string {
  const unit = column?.unit;
  const isCurrency = unit !== undefined && /^[A-Z]{3}$/.test(unit);
  const isMoney = isCurrency || column?.format === 'money';
  const decimals = isMoney ? decimalsShowing(value, Math.abs(value) < 100_000 ? 2 : 0) : decimalsOf(value);
  const text = isYear(column)
    ? formatNumber(value, decimals, { ...phrases, thousands: '' })
    : formatNumber(value, decimals, phrases, isMoney);
  if (unit === undefined) return text;
  if (isCurrency) return phrases.money(text, unit);
  const [, percent, rest] = /^(%|percent\b)(.*)$/.exec(unit) ?? [];
  if (percent === undefined) return phrases.unit(text, unit);
  return rest.trim() === '' ? `${text}%` : phrases.unit(`${text}%`, rest.trim());
}

function isYear(column: ColumnContract | undefined): boolean {
  return column?.type === 'integer' && ['year', 'ano'].includes(humanWords(column.name).at(-1) ?? '');
}

/** Decimals that leave about three significant digits. */
function decimalsOf(value: number): number {
  const size = Math.abs(value);
  if (size >= 1_000 || size === 0) return 0;
  if (size >= 10) return 1;
  return size >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size)));
}

/** Less than this is told as nothing. */
const leastTold = 1e-6;

/** These decimals, or so many more that a value which would round to nothing shows two digits; at most 6. */
function decimalsShowing(value: number, decimals: number): number {
  const size = Math.abs(value);
  const isHidden = size >= leastTold && size < 0.5 / 10 ** decimals;
  return isHidden ? Math.min(6, 1 - Math.floor(Math.log10(size))) : decimals;
}

/** A number with the language's separators. Without `isFixed`, trailing zeros of the decimals are dropped. */
export function formatNumber(
  value: number,
  decimals: number,
  { decimal, thousands }: Pick<Phrases, 'decimal' | 'thousands'>,
  isFixed = false,
): string {
  const digits = Math.abs(value).toFixed(decimals);
  const point = digits.indexOf('.');
  const whole = point < 0 ? digits : digits.slice(0, point);
  let end = point < 0 ? whole.length : digits.length;
  if (!isFixed) while (end > point + 1 && point >= 0 && digits[end - 1] === '0') end--;
  const fraction = point < 0 || end === point + 1 ? '' : decimal + digits.slice(point + 1, end);
  const text = (whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole) + fraction;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}
