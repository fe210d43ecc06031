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

/** Whether a name is one word, whether reserved or not. */
const isWord = (name: string): boolean => /^[\p{L}_][\p{L}\d_]*$/u.test(name);

/** A name as it stands in a query. */
export function writeName(name: string): string {
  const isPlain = isWord(name) && !keywords.has(name.toLowerCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The longest of `names` that is no single word and stands unquoted where something is wrong; null where none. */
function unquotedAt(text: string, at: number, names: readonly string[]): string | null {
  const written = text.toLowerCase();
  const found = names.filter((name) => {
    if (isWord(name) || name === '') return false;
    const own = name.toLowerCase();
    const from = written.lastIndexOf(own, at);
    const isWhole = !/[\p{L}\d_'"]/u.test(`${text[from - 1] ?? ''}${text[from + own.length] ?? ''}`);
    return from >= 0 && at <= from + own.length && isWhole;
  });
  return found.reduce<string | null>((longest, name) => (name.length > (longest?.length ?? 0) ? name : longest), null);
}

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
 * Splits a query into tokens, the last of kind 'end'. Throws what `refuse` makes of the place of text that is no token.
 */
export function readTokens(text: string, refuse: (at: number, mistake: Mistake) => Failure): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = pieces.flatMap(([kind, form]) => {
      form.lastIndex = at;
      const match = form.exec(text);
      return match ? [{ kind, text: match[0] }] : [];
    })[0];
    if (!found) throw refuse(...unreadable(text, at));
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

/** A query, with the tables and columns that it may name, as far as they are known. */
export type QueryText = { readonly text: string; readonly file: string; readonly names: readonly string[] };

/** Makes an error that says where in a query something is wrong; where a name stands there unquoted, that it does. */
export function queryFailure({ text, file, names }: QueryText, at: number, wrong: Mistake | string): Failure {
  const name = unquotedAt(text, at, names);
  const mistake = name === null ? wrong : ({ code: 'unquoted_name', name: writeName(name) } as const);
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  const told = tellMistake(mistake);
  return new Failure('invalid', `${file} is not a query: ${place}: ${told.message}`, {
    problems: [{ at: place, ...told }],
  });
}
