// Finds the dates among columns whose form their values alone do not tell.
import { type DateForm, momentOfNumber } from '../../lib/files/date-forms.ts';
import { identifierShape, wordsOf } from './names.ts';
import { asDates, type Profile, readText, type TableProfile, type WrittenDates } from './profile.ts';

const dayUs = 86_400_000_000;
const firstUs = Date.UTC(1900, 0, 1) * 1000;
const endUs = Date.UTC(2101, 0, 1) * 1000;
/** From this year on a day stands for no day. */
const noDayUs = Date.UTC(2900, 0, 1) * 1000;
/** Counts of time before this moment are more likely counts of something else. */
const countedFromUs = Date.UTC(1990, 0, 1) * 1000;
/** Of fewer different numbers all may be days by chance, if their column is not named as one of dates. */
const daysMin = 3;

// In English and Portuguese.
const timeWords = new Set(['time', 'timestamp', 'date', 'at', 'ts', 'epoch', 'unix']);
/** Those of units say it of numbers that are far too large for spans. */
const countedWords = new Set([...timeWords, 's', 'sec', 'second', 'ms', 'milli', 'millis', 'millisecond']);
const dayWords = new Set([...timeWords, 'day', 'dt', 'on', 'since', 'until', 'from', 'data', 'dia', 'desde']);
const amountWords = new Set([
  ...['amount', 'price', 'value', 'total', 'sum', 'balance', 'cost', 'fee', 'salary', 'income', 'revenue', 'count'],
  ...['quantity', 'qty', 'score', 'valor', 'preco', 'saldo', 'custo', 'taxa', 'salario', 'renda', 'receita'],
  ...['quantidade', 'qtd'],
]);

function isNamed(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

/** Whether a column is named as one of days. */
export function isNamedDay(name: string): boolean {
  return isNamed(name, dayWords);
}

/** A type of dates in a form. */
export type DateReading = { readonly type: 'date' | 'timestamp'; readonly form: DateForm };

/**
 * How all of these different numbers are days or moments; null when they are something else. Of numbers
 * that count time since 1970 also the name says so, and no amount or identifier is taken for days.
 */
export function datesOfNumbers(name: string, numbers: readonly number[]): DateReading | null {
  const form = numbers.length === 0 ? null : formOfNumbers(name, numbers);
  if (form === null) return null;
  const isDays = numbers.every((value) => momentOfNumber(form, 'timestamp', value) % dayUs === 0);
  return { type: isDays ? 'date' : 'timestamp', form };
}

function formOfNumbers(name: string, numbers: readonly number[]): DateForm | null {
  const are = (form: DateForm, isIt: (moment: number) => boolean): boolean =>
    numbers.every((number) => isIt(momentOfNumber(form, 'timestamp', number)));
  if (are('yyyyMMdd', (moment) => (moment >= firstUs && moment < endUs) || moment >= noDayUs)) {
    if (isNamedDay(name)) return numbers.length > 1 ? 'yyyyMMdd' : null;
    const isOther = identifierShape(name) > 0 || isNamed(name, amountWords);
    return !isOther && numbers.length >= daysMin ? 'yyyyMMdd' : null;
  }
  if (!isNamed(name, countedWords) || identifierShape(name) === 2) return null;
  const counted = (moment: number): boolean => moment >= countedFromUs && moment < endUs;
  return (['epoch_seconds', 'epoch_milliseconds'] as const).find((form) => are(form, counted)) ?? null;
}

/**
 * The tables with their numbers that are days or moments as dates, and with the order of day and month in dates that
 * may be read either way: that of other dates of the table, or else of all tables, where these agree. `isLinked`:
 * whether a column is a key or a reference, whose numbers are no dates.
 */
export function settleDates(
  tables: readonly TableProfile[],
  isLinked: (column: Profile) => boolean,
): ReadonlyMap<TableProfile, TableProfile> {
  const ofAll = orderIn(tables);
  return new Map(
    tables.map((table) => {
      const order = orderIn([table]) ?? ofAll;
      const columns = table.columns.map((column) => settle(column, order, isLinked(column)));
      return [table, columns.every((column, i) => column === table.columns[i]) ? table : { ...table, columns }];
    }),
  );
}

function settle(column: Profile, order: WrittenDates['form'] | null, isLinked: boolean): Profile {
  const { written, type } = column;
  if (isUndecided(column) && order !== null) {
    const isDated = type === 'date' || type === 'timestamp';
    return isDated ? asDates(column, type, { form: order, decided: 0, isAsOthers: true }) : column;
  }
  if (written !== null || isLinked || (type !== 'integer' && type !== 'number')) return column;
  const numbers = Array.from(column.numbers!).filter((value) => !Number.isNaN(value));
  const found = datesOfNumbers(column.name, numbers);
  return found === null ? column : asDates(column, found.type, { form: found.form, decided: column.filled });
}

function isOrdered({ written }: Profile): boolean {
  return written?.form === 'dd/MM/yyyy' || written?.form === 'MM/dd/yyyy';
}

/** Whether no value tells the day from the month. */
function isUndecided(column: Profile): boolean {
  return isOrdered(column) && column.written!.decided === 0;
}

/** The order of day and month in the columns of tables that show one, if they show the same. */
function orderIn(tables: readonly TableProfile[]): DateForm | null {
  const shown = tables
    .flatMap(({ columns }) => columns)
    .filter((column) => isOrdered(column) && !isUndecided(column))
    .map(({ written }) => written!.form);
  return new Set(shown).size === 1 ? shown[0] : null;
}

/** Forms that tell themselves from others by a value: numbers that count time are none. */
const toldForms = ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd', 'yyyyMMdd'] as const;

/** The narrower type first, and the day before the month. */
export const dateReadings: readonly DateReading[] = (['date', 'timestamp'] as const).flatMap((type) =>
  toldForms.map((form) => ({ type, form })),
);

/** The readings of a text as a date from 1900 to 2100 in another form than ISO 8601. */
export function readingsOf(text: string): readonly DateReading[] {
  return dateReadings.filter(({ type, form }) => {
    const moment = readText(type, text, form);
    return moment >= firstUs && moment < endUs;
  });
}
