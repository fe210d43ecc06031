import type { Comparison } from '../tasks/condition.ts';
import {
  type AskedDelinquency,
  type AskedRows,
  isAny,
  isLong,
  isNone,
  type QuestionPhrases,
} from './question-phrases.ts';

export const englishQuestion: QuestionPhrases = {
  each: (one, having, on) =>
    `For each ${one}${having}${{ any_day: '', own_day: ', on its own day', opening: ', on the day it opens' }[on]}`,
  within: (spans) => ` in the next ${listOf(spans)}`,
  oneForEach: '; one number for each span',
  chanceOfRows: (is, value, rows, within) =>
    isLong(rows)
      ? `the chance,${within}, of ${countOf(is, value, rows)}`
      : `the chance of ${countOf(is, value, rows)}${within}`,
  chanceThat: (amount, is, value) => `the chance that ${amount} is ${comparisons[is]} ${value}`,
  count: (rows, within) => `how many ${many(rows)} there are${within}`,
  total: (column, rows, within) =>
    isLong(rows) && within !== ''
      ? `the total ${column},${within}, of ${many(rows)}`
      : `the total ${column} of ${many(rows)}${within}`,
  first: (rows, days) => `the days until the first ${one(rows)}, or ${days} where none comes by then`,
  next: (column, rows, within) => `the likeliest ${column} of the next ${one(rows)}, if it comes${within}`,
  growth: (amount, days) => `whether ${amount} grows, holds or shrinks in the next ${days} against the ${days} before`,
  label: (kind, name, within) =>
    kind === 'binary'
      ? `the chance of a yes in “${name}” of the label files${within}`
      : `the ${kind === 'multiclass' ? 'likeliest' : 'expected'} “${name}” of the label files${within}`,
  delinquency: (how, loan, within) =>
    loan === null && within === ''
      ? `the chance of ${sayHow(how)}`
      : `the chance that${loan === null ? ' it' : ` any ${one(loan)}`} turns delinquent${within}: ${sayHow(how)}`,
  scoreMade: (days) =>
    `The score, 0 to 1,000, is made of the chance in the next ${days}: the smaller the chance, the higher the score`,
  score: (days) => `made of the chance in the next ${days}: a chance of 1.9% is 800 points, 10% is 600, and 39% is 400`,

  overdue: (days) =>
    days === 0 ? ' not paid when it was due' : ` still unpaid ${englishQuestion.days(days)} after it was due`,
  having: (condition) => ` with ${condition}`,
  compare: (column, is, { text, isMoment }) =>
    `${column} ${(isMoment ? momentComparisons : columnComparisons)[is]} ${text}`,
  oneOf: (column, values, isNot) => {
    if (values.length === 1) return `${column} ${columnComparisons[isNot ? '!=' : '=']} ${values[0]}`;
    return `${column} ${isNot ? 'neither' : 'either'} ${join(values, isNot ? 'nor' : 'or')}`;
  },
  missing: (column, isNot) => `${column} ${isNot ? 'filled in' : 'left blank'}`,
  past: (rows, is, value, days) =>
    `${countOf(is, value, rows)} ${days === undefined ? 'so far' : `in the last ${englishQuestion.days(days)}`}`,
  not: (condition) => `not (${condition})`,
  and: (conditions) => join(conditions, 'and'),
  or: (conditions) => join(conditions, 'or'),
  days: (days) => {
    const hours = Math.round(days * 24);
    const [count, unit] = Number.isInteger(days) || hours / 24 !== days ? [days, 'day'] : [hours, 'hour'];
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
  },
};

const comparisons: Readonly<Record<Comparison, string>> = {
  '=': 'equal to',
  '!=': 'other than',
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

const columnComparisons: Readonly<Record<Comparison, string>> = {
  ...comparisons,
  '>': 'above',
  '>=': 'of at least',
  '<': 'below',
  '<=': 'of at most',
};

const momentComparisons: Readonly<Record<Comparison, string>> = {
  '=': 'on',
  '!=': 'other than on',
  '>': 'after',
  '>=': 'from',
  '<': 'before',
  '<=': 'until',
};

function role({ role }: AskedRows): string {
  return role ? ` (${role.kind === 'as' ? 'as' : 'through'} ${role.name})` : '';
}

function one(rows: AskedRows): string {
  return `${rows.one}${role(rows)}${rows.having}`;
}

function many(rows: AskedRows): string {
  return `${rows.many}${role(rows)}${rows.having}`;
}

function countOf(is: Comparison, value: number, rows: AskedRows): string {
  if (isAny(is, value)) return `at least one ${one(rows)}`;
  if (isNone(is, value)) return `no ${one(rows)}`;
  const how = { ...comparisons, '=': 'exactly', '!=': 'any number but', '<': 'fewer than' }[is];
  return `${how} ${value} ${value === 1 && is !== '!=' ? one(rows) : many(rows)}`;
}

function sayHow(how: AskedDelinquency): string {
  const { days: lasting } = englishQuestion;
  switch (how.kind) {
    case 'first_payment_default':
      return `its first ${how.due.one} still unpaid ${lasting(how.days)} after it was due`;
    case 'days_past_due':
      return `some ${how.due.one} at least ${lasting(how.days)} overdue ${months(how.month)} after the opening`;
    case 'charge_off': {
      const what =
        'column' in how.by
          ? `a write-off (${how.by.column})`
          : `some ${how.by.due.one} ${lasting(how.by.days)} overdue`;
      return `${what}${how.month === undefined ? '' : ` within ${months(how.month)} of the opening`}`;
    }
  }
}

function months(count: number): string {
  return `${count} ${count === 1 ? 'month' : 'months'}`;
}

/** Spans of one unit name it once: `30, 60 and 90 days`. */
function listOf(spans: readonly number[]): string {
  const written = spans.map((span) => englishQuestion.days(span).split(' '));
  const units = new Set(written.map(([, unit]) => unit.replace(/s$/, '')));
  if (units.size > 1)
    return join(
      written.map((span) => span.join(' ')),
      'and',
    );
  const [, unit] = written.at(-1)!;
  return spans.length === 1 && written[0][0] === '1'
    ? unit
    : `${join(
        written.map(([count]) => count),
        'and',
      )} ${unit}`;
}

function join(parts: readonly string[], word: string): string {
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
