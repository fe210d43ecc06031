import type { TextColumn } from '../../lib/files/column.ts';

const currencies = String.raw`(?:r\$|us\$|a\$|c\$|\$|€|£|¥|₹|usd|eur|gbp|brl|jpy|chf|inr)`;
const digits = String.raw`\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+`;
// Blanks belong to the sign before them: between parts that may all be absent, each split of a run would be tried.
const measurePattern = new RegExp(
  String.raw`^[<>≤≥~]?=?\s*(?:(?<sign>[+-]|\()\s*)?(?:(?<before>${currencies})\s*)?(?:(?<sign2>[+-])\s*)?(?<digits>${digits})\s*(?<unit>%|${currencies}|[\p{L}µ°²³/]+(?: [\p{L}/]+)?)?\)?\.?$`,
  'iu',
);

/** Length in days of each unit of time, by its names in English and Portuguese. */
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
 * The number in a text with a currency, thousands separators, a percent sign or a unit (`R$ 1.234,56`, `45%`, `18
 * Years`); NaN when it is none. Times are converted to days, so that months and years compare. Of point and comma, the
 * later one is the decimal mark. One that stands alone is the decimal mark too, except a comma before three digits.
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

/** A column is read as numbers when this share of its rows are numbers, and this share of those have the same unit. */
const numbersShareMin = 0.8;
const unitShareMin = 0.95;
/**
 * Numbers are marked by a unit, a sign or a decimal comma. When a smaller share of the distinct ones is marked, they
 * must look like quantities.
 */
const markedShareMin = 0.5;
const distinctMin = 3;

/**
 * `isMarked`: units or signs show that they are numbers; otherwise they look like quantities. `others`: the texts that
 * are no numbers, most frequent first.
 */
export type NumbersFound = {
  readonly isMarked: boolean;
  readonly others: readonly { readonly text: string; readonly rows: number }[];
};

/**
 * Finds the texts that are no numbers in a column of numbers with one unit; null when it is no such column. `rowsOf`:
 * number of rows of each code. `mayBePlain`: whether numbers without any mark may be quantities, which the column's
 * name and rules can exclude. When all texts are digits the contract has already decided that they are codes.
 */
export function findNumbers(
  { dictionary }: Pick<TextColumn, 'dictionary'>,
  rowsOf: Iterable<readonly [code: number, rows: number]>,
  mayBePlain: boolean,
): NumbersFound | null {
  const numbers: NumberText[] = [];
  const others: { text: string; rows: number }[] = [];
  const unitRows = new Map<string, number>();
  for (const [code, rows] of rowsOf) {
    const text = dictionary[code].trim();
    const measure = text.length > lengthMax ? null : readMeasure(text);
    if (!measure || Number.isNaN(measure.value)) others.push({ text: dictionary[code], rows });
    else {
      numbers.push({ text, rows, ...measure });
      unitRows.set(measure.unit, (unitRows.get(measure.unit) ?? 0) + rows);
    }
  }
  const numberRows = sumOf(numbers);
  const otherRows = sumOf(others);
  const [unit, most] = [...unitRows].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (most < numberRows * unitShareMin || numberRows < (numberRows + otherRows) * numbersShareMin) return null;
  if (new Set(numbers.map(({ value }) => value)).size < distinctMin) return null;
  const isMarked = numbers.filter(({ text }) => !isPlain(text)).length >= numbers.length * markedShareMin;
  if (!isMarked && !(mayBePlain && unit === '' && areQuantities(numbers, others))) return null;
  others.sort((a, b) => b.rows - a.rows || (a.text < b.text ? -1 : 1));
  return { isMarked, others };
}

type NumberText = Measure & { readonly text: string; readonly rows: number };

/** Longer texts are not read as numbers. */
const lengthMax = 64;
/** Fewer distinct numbers than this may be the names of sizes, grades or shops. */
const quantitiesMin = 30;
const decimalsShareMin = 0.05;
/**
 * Whole numbers count as quantities only with this share of the rows, with different lengths, and with few rows near
 * the largest value: amounts thin out towards it, assigned numbers do not. Decimals that all have one length must thin
 * out at one end.
 */
const wholeShareMin = 0.9;
const oneLengthMax = 0.95;
const endTenthMax = 0.05;

/**
 * Whether numbers without a unit are amounts and not codes, judged by the texts among them, their notation and their
 * distribution.
 */
function areQuantities(numbers: readonly NumberText[], others: readonly { text: string; rows: number }[]): boolean {
  const odd = [...others, ...numbers.filter(({ unit }) => unit !== '')];
  const plain = numbers.filter(({ unit }) => unit === '');
  if (odd.length === 0 && plain.every(({ text }) => isPlain(text))) return false;
  if (areYears(plain) && sumOf(plain) >= (sumOf(plain) + sumOf(odd)) * wholeShareMin) return true;
  if (areCodes(odd, sumOf(numbers) + sumOf(others))) return false;
  if (plain.some(({ text }) => /^[+-]?0\d/.test(text))) return false;
  if (new Set(plain.map(({ value }) => value)).size < quantitiesMin) return false;
  const total = sumOf(plain);
  const pointed = plain.filter(({ text }) => text.includes('.'));
  // The points may separate thousands.
  if (pointed.length > 0 && pointed.every(({ text }) => /^\D*[1-9]\d{0,2}\.\d{3}$/.test(text))) return false;
  const { top, bottom, oneLength } = spreadOf(plain);
  if (sumOf(pointed) >= total * decimalsShareMin)
    return oneLength <= total * oneLengthMax || Math.min(top, bottom) <= total * endTenthMax;
  return (
    total >= (total + sumOf(odd)) * wholeShareMin && oneLength <= total * oneLengthMax && top <= total * endTenthMax
  );
}

/**
 * Whether numbers are years, such as of birth or construction. They have one length and any distribution, but codes
 * would hardly all lie in their range.
 */
function areYears(numbers: readonly NumberText[]): boolean {
  return numbers.every(({ text }) => /^(?:1[89]|20)\d\d$/.test(text)) && numbers.length >= quantitiesMin;
}

/**
 * Number of rows in the highest and the lowest tenth of the range, and of rows with the most frequent number of digits.
 */
function spreadOf(numbers: readonly NumberText[]): { top: number; bottom: number; oneLength: number } {
  const lengths = new Map<number, number>();
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const { text, rows, value } of numbers) {
    const length = text.replace(/\D/g, '').length;
    lengths.set(length, (lengths.get(length) ?? 0) + rows);
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const tenth = (greatest - least) / 10;
  return {
    top: sumOf(numbers.filter(({ value }) => value > greatest - tenth)),
    bottom: sumOf(numbers.filter(({ value }) => value < least + tenth)),
    oneLength: Math.max(...lengths.values()),
  };
}

function isPlain(text: string): boolean {
  return !/[^\d.+-]/.test(text);
}

/**
 * Texts among the numbers are codes when they are at least this share of the rows, more than typing errors would be,
 * and most of the texts with a digit.
 */
const codesShareMin = 0.005;

/**
 * Whether most texts have letters and digits in one word: `V27`, `12A`, but not `70kg` or `H 12`. Words without digits
 * do not count.
 */
function areCodes(odd: readonly { text: string; rows: number }[], total: number): boolean {
  const codes = sumOf(odd.filter(({ text }) => /\p{L}[-.]?\d|\d[-.]?\p{L}(?!\p{L})/u.test(text)));
  return codes >= total * codesShareMin && codes * 2 > sumOf(odd.filter(({ text }) => /\d/.test(text)));
}

function sumOf(texts: readonly { readonly rows: number }[]): number {
  return texts.reduce((sum, { rows }) => sum + rows, 0);
}

/** The number in each text of a dictionary, each parsed on first use. */
export function openMeasures({ dictionary }: TextColumn): (code: number) => number {
  const known: (number | undefined)[] = [];
  return (code) => (known[code] ??= parseMeasure(dictionary[code]));
}
