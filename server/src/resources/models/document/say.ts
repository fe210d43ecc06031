import type { Words } from './words/en.ts';
import { documentWords, type Language } from './words.ts';

/** How a document says numbers and times, in its language. */
export type Say = {
  readonly language: Language;
  readonly words: Words;
  /** To four digits after the point; what rows could not tell was not measured. */
  number(value: number | null | undefined): string;
  /** A share of one, in percent with two digits after the point. */
  percent(share: number | null | undefined): string;
  yesNo(is: boolean): string;
  /** An instant in UTC, to the minute. */
  instant(at: Date): string;
  days(of: { readonly from: string; readonly to: string } | null | undefined): string;
};

export function sayIn(language: Language): Say {
  const words = documentWords[language];
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 4 });
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const measured = (value: number | null | undefined): value is number =>
    value !== null && value !== undefined && Number.isFinite(value);
  return {
    ...{ language, words },
    number: (value) => (measured(value) ? number.format(value) : words.notMeasured),
    percent: (share) => (measured(share) ? `${percent.format(100 * share)} %` : words.notMeasured),
    yesNo: (is) => (is ? words.yes : words.no),
    instant: (at) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    days: (of) => (of ? `${of.from} ${words.to} ${of.to}` : words.notKept),
  };
}
