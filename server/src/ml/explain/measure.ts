import { startOf } from '../../lib/files/values.ts';
import type { ColumnContract } from '../contract/contract.ts';
import type { Feature } from '../features/feature.ts';
import { columnsNamed, focusTable, type LineageSource, signalTable } from './lineage.ts';
import { humanWords } from './names.ts';
import type { Phrases } from './phrases.ts';

/** What a feature's number means to a reader. */
export type Measure =
  | { readonly kind: 'amount'; readonly column: ColumnContract | undefined; readonly isSigned: boolean }
  /** In [0, 1], shown as percent. */
  | { readonly kind: 'share' }
  | { readonly kind: 'days'; readonly isAhead: boolean }
  | { readonly kind: 'multiple' }
  | { readonly kind: 'deviations' }
  | { readonly kind: 'plain' }
  /** 0 or 1: yes or no, or a statement that is true or false. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'statement'; readonly value: string }
  | { readonly kind: 'month' | 'weekday' | 'date' };

/** Decides what a feature's values mean, from its read and the contract of its column. */
export function measureOf(source: LineageSource, { focus, read }: Feature): Measure {
  const isCompany = focus.kind === 'recent';
  switch (read.kind) {
    case 'attribute': {
      const [found] = columnsNamed(source, focusTable(source, focus), read.column);
      if (found?.column.type === 'boolean') return { kind: isCompany ? 'share' : 'flag' };
      return { kind: 'amount', column: found?.column, isSigned: false };
    }
    case 'measure':
      return { kind: 'amount', column: undefined, isSigned: false };
    case 'attribute_is':
    case 'last_is':
      return isCompany ? { kind: 'share' } : { kind: 'statement', value: quoteValue(read.value) };
    case 'interval': {
      const [found] = columnsNamed(source, focusTable(source, focus), read.column);
      return { kind: 'days', isAhead: found?.column.planned ?? false };
    }
    case 'age':
    case 'since':
    case 'gap':
    case 'data_age':
      return { kind: 'days', isAhead: false };
    case 'length':
    case 'count':
    case 'words':
    case 'embedding':
      return { kind: 'plain' };
    case 'word':
      return { kind: isCompany ? 'share' : 'flag' };
    case 'rate':
      return { kind: 'multiple' };
    case 'share':
      return { kind: 'share' };
    case 'against': {
      if (read.as === 'deviation') return { kind: 'deviations' };
      const [found] = columnsNamed(source, read.events.table, read.column);
      return { kind: 'amount', column: found?.column, isSigned: true };
    }
    case 'same':
      return { kind: 'share' };
    case 'variety':
      return { kind: read.as === 'changes' ? 'share' : 'plain' };
    case 'calendar':
      return { kind: read.part === 'time' ? 'date' : read.part };
    case 'number': {
      const { signal, aggregate } = read;
      const isSigned = aggregate === 'trend' || aggregate === 'slope';
      if (signal.kind === 'interval')
        return isSigned ? { kind: 'amount', column: undefined, isSigned } : { kind: 'days', isAhead: false };
      if (signal.kind === 'rank') {
        if (signal.as === 'deviation') return { kind: 'deviations' };
        return isSigned || aggregate === 'sd' || aggregate === 'sum'
          ? { kind: 'amount', column: undefined, isSigned }
          : { kind: 'share' };
      }
      const [found] = columnsNamed(source, signalTable(source, read.events.table, signal), signal.column);
      const isFlag = found?.column.type === 'boolean' || (signal.kind === 'column' && signal.word !== undefined);
      if (!isFlag) return { kind: 'amount', column: found?.column, isSigned };
      if (aggregate === 'mean') return { kind: 'share' };
      if (aggregate === 'last' || aggregate === 'min' || aggregate === 'max')
        return { kind: isCompany ? 'share' : 'flag' };
      return { kind: 'amount', column: undefined, isSigned };
    }
  }
}

const valueCharactersMax = 40;

/** A category value as in the data, shortened if long. */
export function quoteValue(value: string): string {
  const cut = value.length > valueCharactersMax ? `${startOf(value, valueCharactersMax - 1)}…` : value;
  return /^[\p{L}\p{N}][\p{L}\p{N}_./-]*$/u.test(cut) ? cut : `“${cut}”`;
}

/** Formats a value in a language. Statements and missing values are worded in sentences and must not be passed here. */
export function formatValue(value: number, measure: Measure, phrases: Phrases): string {
  const write = (number: number, decimals: number) => formatNumber(number, decimals, phrases);
  switch (measure.kind) {
    case 'share':
      return `${write(value * 100, Math.abs(value) < 0.1 ? 1 : 0)}%`;
    case 'days': {
      const days = measure.isAhead ? -value : value;
      return write(days, Math.abs(days) < 10 ? 1 : 0);
    }
    case 'multiple':
      return `${write(value, decimalsOf(value))}×`;
    case 'deviations':
      return phrases.deviation(`${value > 0 ? '+' : ''}${write(value, 1)}`);
    case 'plain':
      return write(value, decimalsOf(value));
    case 'flag':
    case 'statement':
      return value >= 0.5 ? phrases.yes : phrases.no;
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

function formatAmount(value: number, { column, isSigned }: Measure & { kind: 'amount' }, phrases: Phrases): string {
  const unit = column?.unit;
  const isCurrency = unit !== undefined && /^[A-Z]{3}$/.test(unit);
  const isMoney = isCurrency || column?.format === 'money';
  const decimals = isMoney ? (Math.abs(value) < 100_000 ? 2 : 0) : decimalsOf(value);
  let text = isYear(column)
    ? formatNumber(value, decimals, { ...phrases, thousands: '' })
    : formatNumber(value, decimals, phrases, isMoney);
  if (isSigned && value > 0) text = `+${text}`;
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
  if (size >= 10_000 || size === 0) return 0;
  if (size >= 10) return 1;
  return size >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size)));
}

/** A number with the language's separators. Without `isFixed`, trailing zeros of the decimals are dropped. */
function formatNumber(
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
