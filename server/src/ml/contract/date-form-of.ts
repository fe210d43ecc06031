import type { DateForm } from '../../lib/files/date-forms.ts';
import { readChunks } from '../../lib/files/read.ts';

import type { TableContract } from './contract.ts';
import { datesOfNumbers } from './dates.ts';
import { readText } from './profile.ts';

/** The rows of a file by which the form of its dates is found. */
const rowsSeen = 10_000;
/** At least this share of the filled values are numbers where numbers are dates. */
const numbersShareMin = 0.5;
const ordered = ['dd/MM/yyyy', 'MM/dd/yyyy'] as const;

/**
 * How a column of a file writes its dates. `isGuessed`: no row tells its day from its month. `mixed`: of the rows seen,
 * how many are written so and how many as ISO 8601, where there are such.
 */
export type FoundForm = {
  readonly form: DateForm;
  readonly isGuessed: boolean;
  readonly mixed?: { readonly rows: number; readonly iso: number };
};

/**
 * The form in which a column that is one of dates writes them in a file: that in which most of its first rows are
 * dates, so that rows with anything else are refused alone. Undefined where as many are dates by ISO 8601, or none is.
 * Where as many are dates by either order of day and month it is that of `tables`, or else the day comes first. The
 * same file gives the same form.
 */
export async function dateFormOf(
  path: string,
  column: string,
  tables: readonly TableContract[],
  nameOf: (path: string) => string,
): Promise<FoundForm | undefined> {
  const options = { nameOf, rowsPerChunk: rowsSeen };
  for await (const { rows } of readChunks(path, [{ name: column, type: 'string' }], options)) {
    const texts = rows.columns.get(column);
    if (texts?.kind !== 'text') return undefined;
    const counts = new Int32Array(texts.dictionary.length);
    for (const code of texts.codes) if (code >= 0) counts[code]++;
    return formOf(texts.dictionary, counts, tables);
  }
  return undefined;
}

function formOf(texts: readonly string[], counts: Int32Array, tables: readonly TableContract[]): FoundForm | undefined {
  const rowsOf = (isIt: (text: string) => boolean): number =>
    texts.reduce((sum, text, code) => sum + (isIt(text) ? counts[code] : 0), 0);
  const datesBy = (form?: DateForm) => rowsOf((text) => !Number.isNaN(readText('timestamp', text, form)));
  let best: FoundForm | undefined;
  // Every form reads ISO 8601 besides.
  const iso = datesBy();
  let most = iso;
  const [dayFirst, monthFirst] = ordered.map(datesBy);
  if (Math.max(dayFirst, monthFirst) > most) {
    most = Math.max(dayFirst, monthFirst);
    const isGuessed = dayFirst === monthFirst;
    const form = isGuessed ? (orderIn(tables) ?? ordered[0]) : ordered[dayFirst > monthFirst ? 0 : 1];
    best = { form, isGuessed };
  }
  for (const form of ['yyyy/MM/dd', 'yyyyMMdd'] as const) {
    const dates = datesBy(form);
    if (dates <= most) continue;
    most = dates;
    best = { form, isGuessed: false };
  }
  if (most > 0) return best && { ...best, ...(iso > 0 && { mixed: { rows: most - iso, iso } }) };
  const isNumber = (text: string) => /^\s*-?\d+(\.\d+)?\s*$/.test(text);
  if (rowsOf(isNumber) < numbersShareMin * rowsOf(() => true)) return undefined;
  const found = datesOfNumbers('date', texts.filter(isNumber).map(Number));
  return found ? { form: found.form, isGuessed: false } : undefined;
}

/** Says how the days of rows are read, and that it is a guess where it is one. */
export function sayDayForm({ form, isGuessed, mixed }: FoundForm): string {
  const count = (rows: number) => rows.toLocaleString('en');
  const read = mixed
    ? `of the first rows ${count(mixed.rows)} ${mixed.rows === 1 ? 'has its day' : 'have their days'} as ${form}, and ${count(mixed.iso)} as ISO 8601: both are read`
    : `the days of rows are read as ${form}`;
  return isGuessed ? `${read}, though none tells its day from its month: write them as 2026-12-31 to be sure` : read;
}

/** The order of day and month in which tables write dates, where they write them alike. */
function orderIn(tables: readonly TableContract[]): DateForm | null {
  const forms = tables.flatMap(({ columns }) => columns.map(({ dateForm }) => dateForm));
  const orders = new Set(forms.filter((form) => form === 'dd/MM/yyyy' || form === 'MM/dd/yyyy'));
  return orders.size === 1 ? [...orders][0] : null;
}
