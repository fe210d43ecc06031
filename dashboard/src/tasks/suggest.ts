import type { ContractTable } from '../data/contract.ts';
import { nameInQuery, nameOf } from './name-in-query.ts';

/** What can be written at a place of a query: the text, and what it stands for. */
export type Suggestion = {
  readonly text: string;
  readonly what: 'function' | 'table' | 'column' | 'clause' | 'window';
};

/** A place of a text that a suggestion replaces. */
export type Place = { readonly from: number; readonly to: number };

const functions = ['exists(', 'count(', 'sum(', 'first(', 'next(', 'delinquency(', 'NOT exists('];
const windows = ['30d', '60d', '90d', '180d', '365d'];
const clauses = [
  'WITHIN',
  'FOR',
  'WHERE',
  'VIA',
  'EVERY',
  'FROM',
  'UNTIL',
  'ONCE',
  'AS credit',
  'OVERDUE',
  'AND',
  'OR',
];
const shownMax = 8;

/** What may come where the caret is, the likeliest first; nothing where a text, a number or nothing known stands. */
export function suggest(
  text: string,
  caret: number,
  tables: readonly ContractTable[],
): { readonly place: Place; readonly suggestions: readonly Suggestion[] } {
  const before = text.slice(0, caret);
  const word = /[\p{L}\d_."]*$/u.exec(before)![0];
  const place = { from: caret - word.length, to: caret };
  const offered = offer(before.slice(0, place.from), word, tables);
  // Who begins a name does not know yet whether it takes quotes.
  const bare = (one: string) => one.toLowerCase().replaceAll('"', '');
  const begun = bare(word);
  const fitting = offered.filter(
    ({ text: one }) => bare(one).startsWith(begun) && one.toLowerCase() !== word.toLowerCase(),
  );
  return { place, suggestions: fitting.slice(0, shownMax) };
}

function offer(before: string, word: string, tables: readonly ContractTable[]): readonly Suggestion[] {
  const named = (list: readonly string[], what: Suggestion['what']) => list.map((text) => ({ text, what }));
  const names = tables.map(({ name }) => nameInQuery(name));
  const columnsOf = (table: string | undefined): readonly string[] =>
    tables.find(({ name }) => name === table)?.columns.map(({ name }) => nameInQuery(name)) ?? [];
  const dot = word.lastIndexOf('.');
  if (dot > 0) {
    const table = word.slice(0, dot);
    return named(
      columnsOf(nameOf(table)).map((column) => `${table}.${column}`),
      'column',
    );
  }
  if (/^\s*$/.test(before)) return named(['PREDICT '], 'clause');
  // The last word that says what comes after it.
  const last = /(\w+)\s*\(?\s*$/.exec(before)?.[1]?.toLowerCase() ?? '';
  const isAfterBracket = /\(\s*$/.test(before);
  if (last === 'predict') return named(functions, 'function');
  if (last === 'for' || (isAfterBracket && ['exists', 'count', 'first', 'delinquency'].includes(last)))
    return named(names, 'table');
  if (isAfterBracket && ['sum', 'next'].includes(last))
    return named(
      names.map((name) => `${name}.`),
      'table',
    );
  if (last === 'within' || last === 'every' || last === 'last' || /(within|,)\s*$/i.test(before))
    return named(windows, 'window');
  if (last === 'via')
    return named(
      [...new Set(tables.flatMap(({ columns }) => columns.filter(isReference).map(({ name }) => nameInQuery(name))))],
      'column',
    );
  if (last === 'where' || last === 'and' || last === 'or' || last === 'not')
    return [...named(columnsOf(tableAt(before, tables)), 'column'), ...named(['exists(', 'count('], 'function')];
  if (last === 'as') return named(['credit'], 'clause');
  const open = before.lastIndexOf('(');
  if (open > before.lastIndexOf(')') && /[\w"]\s+$/.test(before)) {
    // What is behind FOR says who is asked about; rows of the last days count there, and no payment is overdue.
    const own = /\bfor\b/i.test(before.slice(0, open)) ? 'IN LAST' : 'OVERDUE';
    return named([')', 'VIA', 'WHERE', own, 'AND', 'OR'], 'clause');
  }
  if (/[)\w"]\s+$/.test(before)) return named(clausesLeft(before), 'clause');
  return [];
}

const isReference = ({ references }: ContractTable['columns'][number]): boolean => references.length > 0;

/** The table that a condition is about: that of the open bracket, else the one that is predicted for. */
function tableAt(before: string, tables: readonly ContractTable[]): string | undefined {
  const open = before.lastIndexOf('(') > before.lastIndexOf(')') ? before.slice(before.lastIndexOf('(') + 1) : null;
  const about = open ?? /.*\bfor\s+([\s\S]*)$/i.exec(before)?.[1] ?? '';
  const word = /"(?:[^"]|"")+"|[\p{L}_][\p{L}\d_]*/u.exec(about)?.[0];
  return tables.find(({ name }) => word !== undefined && name === nameOf(word))?.name;
}

function clausesLeft(before: string): readonly string[] {
  const once = ['WITHIN', 'FOR', 'EVERY', 'ONCE', 'AS credit'];
  return clauses.filter(
    (clause) => !once.includes(clause) || !new RegExp(`\\b${clause.split(' ')[0]}\\b`, 'i').test(before),
  );
}

/** What the service would rather read, from a refusal such as "found exist; did you mean exists?". */
export function correctionOf(detail: string): { readonly wrong: string; readonly right: string } | null {
  const right = /did you mean ([\p{L}\d_.]+)\?/u.exec(detail)?.[1];
  const wrong = [
    /found ([\p{L}\d_.]+);/u,
    /table ([\p{L}\d_.]+) is not/u,
    /entity ([\p{L}\d_.]+) is not/u,
    /([\p{L}\d_.]+) is not a column/u,
    /([\p{L}\d_.]+): unknown/u,
    /([\p{L}\d_.]+) is not/u,
  ].flatMap((form) => form.exec(detail)?.[1] ?? [])[0];
  return right !== undefined && wrong !== undefined && right !== wrong ? { wrong, right } : null;
}

/** The place in characters that a refusal names as "line 1, column 9"; null where it names none. */
export function placeOf(detail: string, text: string): number | null {
  const found = /line (\d+)(?:, column (\d+))?/.exec(detail);
  if (!found) return null;
  const lines = text.split('\n').slice(0, Number(found[1]) - 1);
  return Math.min(text.length, lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(found[2] ?? 1) - 1);
}
