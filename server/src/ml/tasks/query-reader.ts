import type { Failure } from '../../lib/failure.ts';
import { nearestWord } from '../../lib/nearest-word.ts';
import type { Comparison } from './condition.ts';
import type { Mistake } from './mistakes.ts';
import { daysMax, isUnit, meantDays, parseDay, parseDuration } from './target.ts';
import { keywords, queryFailure, readTokens, type Token } from './tokens.ts';

/** Reads the tokens of a query in order, and makes errors that say what is wrong where. */
export type Reader = {
  /** The token `ahead` places after the next one. */
  peek(ahead?: number): Token;
  next(): Token;
  /** Whether the next token is this word or mark. `tryTake` also moves past it when it is. */
  is(word: string, ahead?: number): boolean;
  tryTake(word: string): boolean;
  take(word: string): void;
  takeEnd(): void;
  /** An error about `token`, or about the next token. */
  refuse(mistake: Mistake | string, token?: Token): Failure;
  /** That something else was expected than the next token; it may mean one of `words`, by default those in capitals. */
  refuseNext(expected: string, words?: readonly string[]): Failure;
};

/**
 * Throws Failure 'invalid' with the line and column of text that is no token. `names`: those of tables and columns that
 * the query may name, where they are known.
 */
export function openReader(text: string, file: string, names: readonly string[] = []): Reader {
  const query = { text, file, names };
  const tokens = readTokens(text, (at, mistake) => queryFailure(query, at, mistake));
  let at = 0;
  const reader: Reader = {
    peek: (ahead = 0) => tokens[Math.min(at + ahead, tokens.length - 1)],
    next: () => tokens[Math.min(at++, tokens.length - 1)],
    is(word, ahead = 0) {
      const { kind, value, text: own } = reader.peek(ahead);
      return kind === 'word' ? own.toLowerCase() === word.toLowerCase() : kind === 'mark' && value === word;
    },
    tryTake(word) {
      const found = reader.is(word);
      if (found) at++;
      return found;
    },
    take(word) {
      if (!reader.tryTake(word)) throw reader.refuseNext(word);
    },
    takeEnd() {
      if (reader.peek().kind !== 'end') throw reader.refuseNext('the end');
    },
    refuse: (mistake, token = reader.peek()) => queryFailure(query, token.at, mistake),
    refuseNext(expected, words = expected.match(/\b[A-Z]{2,}\b/g) ?? []) {
      const { kind, text: found } = reader.peek();
      const others = words.filter((word) => word !== found.toUpperCase());
      const meant = kind === 'word' ? nearestWord(found, others) : null;
      return reader.refuse({ code: 'expected', expected, found: kind === 'end' ? null : shorten(found), meant });
    },
  };
  return reader;
}

const shownMax = 60;

/** The text, cut to at most `shownMax` characters. */
export function shorten(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

export function readName(reader: Reader, what: string): string {
  const token = reader.peek();
  if (token.kind === 'word' && keywords.has(token.text.toLowerCase()))
    throw reader.refuse({ code: 'reserved_word', expected: what, found: shorten(token.text) });
  if (token.kind !== 'word' && token.kind !== 'name') throw reader.refuseNext(what);
  return String(reader.next().value);
}

export function readPath(reader: Reader): string[] {
  const path = [readName(reader, 'a reference column')];
  while (reader.tryTake('.')) path.push(readName(reader, 'a reference column'));
  return path;
}

export function readNumber(reader: Reader, what: string): number {
  if (reader.peek().kind !== 'number') throw reader.refuseNext(what);
  return Number(reader.next().value);
}

/** Reads a duration: `30d`, `12h`, `8w`, `30 days`, `2 weeks`. */
export function readDays(reader: Reader, what: string): number {
  const { days, text } = peekDuration(reader, what);
  if (days === 0)
    throw reader.refuse({ code: 'expected', expected: `${what} above zero`, found: shorten(text), meant: null });
  return takeDuration(reader, days);
}

/** Reads whole days, at least `least`: `30d`, `30 days`, `30`. */
export function readWhole(reader: Reader, what: string, least: number): number {
  const { days, text } = peekDuration(reader, what);
  if (!Number.isInteger(days) || days < least)
    throw reader.refuse({
      ...{ code: 'expected', expected: `${what}, whole and from ${least}`, found: shorten(text), meant: null },
    });
  return takeDuration(reader, days);
}

/** The duration that comes next, as written; its unit may be a word of its own. */
function peekDuration(reader: Reader, what: string): { days: number; text: string } {
  if (!isNumber(reader)) throw reader.refuseNext(what);
  const text = hasUnitApart(reader) ? `${reader.peek().text} ${reader.peek(1).text}` : reader.peek().text;
  const days = parseDuration(text);
  if (days === null)
    throw reader.refuse({ code: 'no_days', expected: what, found: shorten(text), meant: meantDays(text) });
  return { days, text };
}

/** Moves past the duration that comes next. */
function takeDuration(reader: Reader, days: number): number {
  if (days > daysMax) {
    const found = shorten(reader.peek().text);
    throw reader.refuse({ code: 'expected', expected: `at most ${daysMax} days`, found, meant: null });
  }
  if (hasUnitApart(reader)) reader.next();
  reader.next();
  return days;
}

function hasUnitApart(reader: Reader): boolean {
  const [{ kind }, unit] = [reader.peek(), reader.peek(1)];
  return kind === 'number' && unit.kind === 'word' && isUnit(unit.text);
}

export function readDay(reader: Reader): number {
  const token = reader.peek();
  const moment = token.kind === 'day' ? parseDay(token.text) : Number.NaN;
  if (Number.isNaN(moment)) throw reader.refuseNext('a day such as 2024-01-31');
  reader.next();
  return moment;
}

export function isNumber(reader: Reader): boolean {
  return ['number', 'days'].includes(reader.peek().kind);
}

export function readComparison(reader: Reader): Comparison | null {
  const marks: readonly Comparison[] = ['=', '!=', '>=', '<=', '>', '<'];
  return marks.find((mark) => reader.tryTake(mark)) ?? null;
}
