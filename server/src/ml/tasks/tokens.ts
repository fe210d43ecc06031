import { Failure } from '../../lib/failure.ts';
import { type Mistake, tellMistake } from './mistakes.ts';

/** A token of a query: `text` as written, `value` what it means, `at` its position in characters. */
export type Token = {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'days' | 'day' | 'mark' | 'end';
  readonly text: string;
  readonly value: string | number;
  readonly at: number;
};

/** Reserved words. A name that is spelt like one of them is written in double quotes. */
export const keywords: ReadonlySet<string> = new Set(
  'predict within for each where via every once from until as and or not is in null true false overdue'.split(' '),
);

const pieces: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['day', /\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?(?![\p{L}\d_])/uy],
  ['number', /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\p{L}\d_])/iuy],
  // A number with its unit, whichever it is: what units there are is said where days are read.
  ['days', /\d+(?:\.\d+)?\p{L}+(?![\p{L}\d_])/uy],
  ['word', /[\p{L}_][\p{L}\d_]*/uy],
  ['name', /"(?:[^"]|"")+"/y],
  ['text', /'(?:[^']|'')*'/y],
  ['mark', /<=|>=|!=|<>|==|[().,=<>]/y],
];

/**
 * Splits a query into tokens, the last of kind 'end'. Throws Failure 'invalid' with the line and column of text that is
 * no token.
 */
export function readTokens(text: string, file: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = pieces.flatMap(([kind, form]) => {
      form.lastIndex = at;
      const match = form.exec(text);
      return match ? [{ kind, text: match[0] }] : [];
    })[0];
    if (!found) throw queryFailure(file, text, ...unreadable(text, at));
    if (found.kind !== 'space')
      tokens.push({ kind: found.kind, text: found.text, value: meaningOf(found.kind, found.text), at });
    at += found.text.length;
  }
  return [...tokens, { kind: 'end', text: '', value: '', at: text.length }];
}

const shownMax = 40;

/** Where text that is no token begins, and what is wrong with it. A day such as 31/12/2024 begins with its number. */
function unreadable(text: string, at: number): [at: number, mistake: Mistake] {
  if (/['"]/.test(text[at])) return [at, { code: 'unclosed', mark: text[at] }];
  const start = text[at] === '/' ? at - /\d*$/.exec(text.slice(0, at))![0].length : at;
  const piece = /^\S+/.exec(text.slice(start))![0];
  return [start, { code: 'unreadable', text: piece.slice(0, shownMax), isNumber: /^-?\d/.test(piece) }];
}

function meaningOf(kind: Token['kind'], text: string): string | number {
  if (kind === 'number') return Number(text);
  if (kind === 'name') return text.slice(1, -1).replaceAll('""', '"');
  if (kind === 'text') return text.slice(1, -1).replaceAll("''", "'");
  return text === '<>' ? '!=' : text === '==' ? '=' : text;
}

/** Makes an error that says where in a query something is wrong. */
export function queryFailure(file: string, text: string, at: number, mistake: Mistake | string): Failure {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  const told = tellMistake(mistake);
  return new Failure('invalid', `${file} is not a query: ${place}: ${told.message}`, {
    problems: [{ at: place, ...told }],
  });
}
