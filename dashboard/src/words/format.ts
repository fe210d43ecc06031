import { isDay } from '../kit/day.ts';
import { sayDuration } from './duration.ts';
import { type Language, useLanguage } from './language.ts';
import { useTimeZone } from './time-zone.ts';
import { trueMinus } from './true-minus.ts';

/**
 * How numbers, money and moments are written in one language, on the clocks of one time zone. Making a formatter is slow:
 * each is made once, when it is needed.
 */
export type Format = {
  readonly language: Language;
  /** Up to four significant digits below a thousand, whole numbers above. */
  number(value: number): string;
  /** With three digits after the point, so that figures between 0 and 1 stand one below the other. */
  thousandths(value: number): string;
  integer(value: number): string;
  /** With all of its digits; thousands are set off from five digits on, so that years stay as they are. */
  digits(value: number): string;
  /** `1.2 M`. */
  compact(value: number): string;
  /** A share of one: `3.4%`, with two digits below ten percent. */
  percent(share: number): string;
  /** A difference with its sign, a true minus. */
  signed(value: number): string;
  /** What two numbers differ by as they are written with so many digits after the point. */
  difference(before: number, after: number, digits: number): string;
  /** Of reais. */
  money(value: number): string;
  /** Of an amount in another currency: `USD`. */
  moneyOf(value: number, currency: string): string;
  bytes(count: number): string;
  /** Milliseconds as `350 ms`, `4.2 s`, `3 min`, `2 h 5 min`. */
  duration(milliseconds: number): string;
  /** A day of the calendar, `2026-03-02`, or that of a moment. */
  day(value: string | Date): string;
  /** Without the year, for the axes of charts: `2 Mar`. */
  shortDay(value: string | Date): string;
  /** With the time zone named where the clock of the browser shows another time. */
  dateTime(value: string | Date): string;
  /** What a clock without a zone shows, to the second: `2026-03-02T08:30:00`. */
  clock(value: string): string;
  /** With seconds and time zone, for a hover. */
  exact(value: string | Date): string;
  /** `3 minutes ago`, `in 2 days`. */
  relative(value: string | Date, now?: number): string;
  month(value: string | Date): string;
  list(values: readonly string[]): string;
  plural(count: number): Intl.LDMLPluralRule;
};

const made = new Map<string, Format>();

/** `timeZone`: that of the browser by default. */
function formatIn(language: Language, timeZone: string | undefined): Format {
  const key = `${language} ${timeZone}`;
  let format = made.get(key);
  if (!format) made.set(key, (format = makeFormat(language, timeZone)));
  return format;
}

/** In the language of the page, on the clocks of the workspace. */
export function useFormat(): Format {
  return formatIn(useLanguage(), useTimeZone());
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
];

/** Makes something when it is asked for first. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function makeFormat(language: Language, ownZone: string | undefined): Format {
  const small = once(() => new Intl.NumberFormat(language, { maximumSignificantDigits: 4 }));
  const thousandths = once(
    () => new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
  );
  const integer = once(() => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }));
  const digits = once(() => new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: 'min2' }));
  const compact = once(() => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }));
  const percents = [0, 1, 2].map((digits) =>
    once(() => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits })),
  );
  const signed = once(
    () => new Intl.NumberFormat(language, { maximumSignificantDigits: 3, signDisplay: 'exceptZero' }),
  );
  const differences = [0, 1, 2, 3].map((digits) =>
    once(
      () =>
        new Intl.NumberFormat(language, {
          ...{ minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'exceptZero' },
        }),
    ),
  );
  const one = once(() => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }));
  const currencies = new Map<string, Intl.NumberFormat>();
  /** Writes moments on the clock of a time zone, or of the browser. */
  const moments = (options: Intl.DateTimeFormatOptions) => {
    const made = new Map<string | undefined, Intl.DateTimeFormat>();
    return (value: string | Date, timeZone?: string): string => {
      let one = made.get(timeZone);
      if (!one) made.set(timeZone, (one = new Intl.DateTimeFormat(language, { ...options, timeZone })));
      return one.format(new Date(value));
    };
  };
  const sayDay = moments({ dateStyle: 'medium' });
  const sayShortDay = moments({ day: 'numeric', month: 'short' });
  const sayMonth = moments({ month: 'short', year: 'numeric' });
  const sayMoment = moments({ dateStyle: 'medium', timeStyle: 'short' });
  const sayZoned = moments({
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  });
  const sayClock = moments({ dateStyle: 'medium', timeStyle: 'medium' });
  const sayExact = moments({ dateStyle: 'full', timeStyle: 'long' });
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  const lists = once(() => new Intl.ListFormat(language));
  const plurals = once(() => new Intl.PluralRules(language));
  const moneyOf = (value: number, currency: string): string => {
    let money = currencies.get(currency);
    if (!money) currencies.set(currency, (money = new Intl.NumberFormat(language, { style: 'currency', currency })));
    return trueMinus(money.format(value));
  };
  return {
    language,
    number: (value) => trueMinus(Math.abs(value) < 1000 ? small().format(value) : integer().format(value)),
    thousandths: (value) => trueMinus(thousandths().format(value)),
    integer: (value) => trueMinus(integer().format(value)),
    digits: (value) => trueMinus(digits().format(value)),
    compact: (value) => trueMinus(compact().format(value)),
    percent: (share) => trueMinus(percents[Math.abs(share) >= 0.1 ? 1 : 2]().format(share)),
    signed: (value) => trueMinus(signed().format(value)),
    difference(before, after, digits) {
      const rounded = (value: number) => Math.round(value * 10 ** digits) / 10 ** digits;
      return trueMinus(differences[digits]().format(rounded(after) - rounded(before)));
    },
    money: (value) => moneyOf(value, 'BRL'),
    moneyOf,
    bytes(count) {
      const units = ['B', 'kB', 'MB', 'GB', 'TB'];
      const at = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3));
      return `${one().format(count / 1000 ** at)} ${units[at]}`;
    },
    duration: (milliseconds) => sayDuration(milliseconds, one().format),
    // A day of the calendar has no time zone.
    day: (value) => sayDay(value, isDay(value) ? 'UTC' : ownZone),
    shortDay: (value) => sayShortDay(value, isDay(value) ? 'UTC' : ownZone),
    dateTime: (value) => {
      const said = sayMoment(value, ownZone);
      return said === sayMoment(value) ? said : sayZoned(value, ownZone);
    },
    clock: (value) => sayClock(`${value}Z`, 'UTC'),
    exact: (value) => sayExact(value, ownZone),
    relative(value, now = Date.now()) {
      const difference = new Date(value).getTime() - now;
      const step = steps.find(([, length]) => Math.abs(difference) >= length);
      if (!step) return relative().format(0, 'minute');
      const [unit, length] = step;
      // Of long times the whole ones that have passed: two years and a half are no three.
      const whole = unit === 'year' || unit === 'month' ? Math.trunc : Math.round;
      return relative().format(whole(difference / length), unit);
    },
    month: (value) => sayMonth(value, 'UTC'),
    list: (values) => lists().format(values),
    plural: (count) => plurals().select(count),
  };
}
