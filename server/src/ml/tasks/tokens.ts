import { Failure } from '../../lib/failure.ts';

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
  ['days', /\d+(?:\.\d+)?(?:d|h|w)(?![\p{L}\d_])/iuy],
  ['number', /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\p{L}\d_])/iuy],
  ['word', /[\p{L}_][\p{L}\d_]*/uy],
  ['name', /"(?:[^"]|"")+"/y],
  ['text', /'(?:[^']|'')*'/y],
  ['mark', /<=|>=|!=|<>|[().,=<>]/y],
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
    if (!found) {
      const quote = /['"]/.test(text[at]);
      throw queryFailure(
        file,
        text,
        at,
        quote ? `a closing ${text[at]} is missing` : unreadable(/^\S+/.exec(text.slice(at))![0]),
      );
    }
    if (found.kind !== 'space')
      tokens.push({ kind: found.kind, text: found.text, value: meaningOf(found.kind, found.text), at });
    at += found.text.length;
  }
  return [...tokens, { kind: 'end', text: '', value: '', at: text.length }];
}

const shownMax = 40;

function unreadable(text: string): string {
  const shown = `${text.slice(0, shownMax)} cannot be read`;
  return /^-?\d/.test(text) ? `${shown}: expected a number, a day, or a number of days such as 90d` : shown;
}

function meaningOf(kind: Token['kind'], text: string): string | number {
  if (kind === 'number') return Number(text);
  if (kind === 'name') return text.slice(1, -1).replaceAll('""', '"');
  if (kind === 'text') return text.slice(1, -1).replaceAll("''", "'");
  return text === '<>' ? '!=' : text;
}

/** Makes an error that says where in a query something is wrong. */
export function queryFailure(file: string, text: string, at: number, message: string): Failure {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return new Failure('invalid', `${file} is not a query: ${place}: ${message}`, { problems: [{ at: place, message }] });
}
