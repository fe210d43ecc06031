import type { Comparison } from '../tasks/condition.ts';

/** Rows that a question counts, with readable names. */
export type AskedRows = {
  readonly one: string;
  readonly many: string;
  /** In which of several roles they lead to whom the question is about. */
  readonly role: { readonly kind: 'as' | 'through'; readonly name: string } | undefined;
  /** What all of them have, as text after their name; empty or with a blank before it. */
  readonly having: string;
};

/** A value of a condition, written for people; `isMoment`: it is a day, or a moment of one. */
export type AskedValue = { readonly text: string; readonly isMoment: boolean };

/** What makes a loan delinquent. `due`: what is due of it. */
export type AskedDelinquency =
  | { readonly kind: 'first_payment_default'; readonly due: AskedRows; readonly days: number }
  | { readonly kind: 'days_past_due'; readonly due: AskedRows; readonly days: number; readonly month: number }
  | {
      readonly kind: 'charge_off';
      readonly by: { readonly column: string } | { readonly due: AskedRows; readonly days: number };
      readonly month: number | undefined;
    };

/** A language: the parts of the sentence that says a question. Noun phrases begin with their article. */
export type QuestionPhrases = {
  /** Whom it is asked about. `on`: each on its own day, or on that of its opening. */
  each(one: string, having: string, on: 'any_day' | 'own_day' | 'opening'): string;
  within(days: readonly number[]): string;
  /** Added where several spans are told. */
  readonly oneForEach: string;
  chanceOfRows(is: Comparison, value: number, rows: AskedRows, within: string): string;
  chanceThat(amount: string, is: Comparison, value: string): string;
  count(rows: AskedRows, within: string): string;
  total(column: string, rows: AskedRows, within: string): string;
  first(rows: AskedRows, days: string): string;
  next(column: string, rows: AskedRows, within: string): string;
  /** Whether an amount of so many days ahead grows against as many days before. */
  growth(amount: string, days: string): string;
  /** What a label of files says. */
  label(kind: 'binary' | 'regression' | 'multiclass', name: string, within: string): string;
  /** Of each loan that is asked about once, or of any loan of whom it is asked about. */
  delinquency(how: AskedDelinquency, loan: AskedRows | null, within: string): string;
  /** What the score of a chance is made of, as a sentence, and as what the number means. */
  scoreMade(days: string): string;
  score(days: string): string;

  /** What is not paid so many days after it was due. */
  overdue(days: number): string;
  /** All that conditions say, after the name of what they are about. */
  having(condition: string): string;
  compare(column: string, is: Comparison, value: AskedValue): string;
  oneOf(column: string, values: readonly string[], isNot: boolean): string;
  missing(column: string, isNot: boolean): string;
  /** How many rows there were; `days`: of the last so many days. */
  past(rows: AskedRows, is: Comparison, value: number, days: number | undefined): string;
  not(condition: string): string;
  and(conditions: readonly string[]): string;
  or(conditions: readonly string[]): string;
  days(days: number): string;
};

/** Rows of which there is at least one, where a comparison of their number says no more. */
export function isAny(is: Comparison, value: number): boolean {
  return (is === '>=' && value === 1) || ((is === '>' || is === '!=') && value === 0);
}

/** Rows of which there is none, where a comparison of their number says no more. */
export function isNone(is: Comparison, value: number): boolean {
  return ((is === '=' || is === '<=') && value === 0) || (is === '<' && value === 1);
}

/** Rows whose name is a sentence of its own: the span stands before it, where it cannot be taken for a part of it. */
export function isLong({ having }: AskedRows): boolean {
  return having !== '';
}
