import type { TextColumn } from '../../lib/files/column.ts';

const currencies = String.raw`(?:r\$|us\$|a\$|c\$|\$|€|£|¥|₹|usd|eur|gbp|brl|jpy|chf|inr)`;
const digits = String.raw`\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+`;
const measurePattern = new RegExp(
  String.raw`^[<>≤≥~]?=?\s*(?<sign>[+-]|\()?\s*(?<before>${currencies})?\s*(?<sign2>[+-])?\s*(?<digits>${digits})\s*(?<unit>%|${currencies}|[\p{L}µ°²³/]+(?: [\p{L}/]+)?)?\)?\.?$`,
  'iu',
);

/** Days of a unit of time, by its first letters in English and Portuguese. */
const daysOf: readonly (readonly [RegExp, number])[] = [
  [/^(?:years?|yrs?|yo|anos?)$/, 365.25],
  [/^(?:months?|mths?|mos?|m[eê]s|meses)$/, 365.25 / 12],
  [/^(?:weeks?|wks?|semanas?)$/, 7],
  [/^(?:days?|dias?)$/, 1],
  [/^(?:hours?|hrs?|horas?)$/, 1 / 24],
  [/^(?:minutes?|mins?|minutos?)$/, 1 / 1440],
];

type Measure = { readonly value: number; readonly unit: string };

/**
 * The number that a text writes with a currency, separators of thousands, a percent sign or a unit (`R$ 1.234,56`, `45%`, `18 Years`);
 * NaN where it is none. Times are in days, so that months and years compare. Of point and comma the later one is the decimal
 * mark, and one that stands alone is, except a comma before three digits.
 */
export function parseMeasure(text: string): number {
  return readMeasure(text)?.value ?? Number.NaN;
}

function readMeasure(text: string): Measure | null {
  const groups = measurePattern.exec(text.trim())?.groups;
  if (!groups) return null;
  const isNegative = groups.sign === '-' || groups.sign === '(' || groups.sign2 === '-';
  const value = parseDigits(groups.digits!) * (isNegative ? -1 : 1);
  const unit = (groups.unit ?? groups.before ?? '').toLowerCase();
  const days = daysOf.find(([pattern]) => pattern.test(unit))?.[1];
  return days === undefined ? { value, unit } : { value: value * days, unit: 'days' };
}

function parseDigits(text: string): number {
  const marks = text.match(/[.,]/g) ?? [];
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const isThousands =
    new Set(marks).size === 1 && (marks.length > 1 || (marks[0] === ',' && /^\d{1,3},\d{3}$/.test(text)));
  if (last < 0 || isThousands) return Number(text.replace(/[ ,.']/g, ''));
  return Number(`${text.slice(0, last).replace(/[ ,.']/g, '')}.${text.slice(last + 1)}`);
}

/** A column is taken for numbers when so many of its values are, of one unit. */
const readShareMin = 0.95;
/** Of digits alone the contract has decided: they are codes. */
const markedShareMin = 0.5;
const distinctMin = 3;

/** Whether the values of `codes`, different ones of a dictionary, write numbers of one unit. */
export function isMeasured({ dictionary }: TextColumn, codes: Iterable<number>): boolean {
  const units = new Map<string, number>();
  const values = new Set<number>();
  let total = 0;
  let marked = 0;
  for (const code of codes) {
    total++;
    const text = dictionary[code]!;
    const measure = readMeasure(text);
    if (!measure || Number.isNaN(measure.value)) continue;
    if (/[^\d.+-]/.test(text.trim())) marked++;
    values.add(measure.value);
    units.set(measure.unit, (units.get(measure.unit) ?? 0) + 1);
  }
  const most = Math.max(0, ...units.values());
  return values.size >= distinctMin && most >= total * readShareMin && marked >= total * markedShareMin;
}

/** The numbers of a dictionary's texts, each read when first asked for. */
export function openMeasures({ dictionary }: TextColumn): (code: number) => number {
  const known: (number | undefined)[] = [];
  return (code) => (known[code] ??= parseMeasure(dictionary[code]!));
}
