import { singular, subjectOf } from '../contract/names.ts';

/** Words in warehouse table names that tell the kind of table, not its content. */
const tableMarks = new Set(['dim', 'fact', 'fct', 'tbl', 'tb', 'stg', 'raw']);
/** Words that only mark a name as a date. */
const dateMarks = new Set(['at', 'on', 'date', 'data', 'dt', 'datetime', 'timestamp', 'ts']);
const joiningWords = new Set(['de', 'da', 'do', 'of']);

/** The words of a name, readable: `daysLate` and `DAYS_LATE` → days late. Short codes keep their capitals: `A11`. */
export function humanWords(name: string): string[] {
  const parts = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const isAllCapitals = parts.length > 1 && !/\p{Ll}/u.test(name);
  return parts.map((word) => (!isAllCapitals && /^\p{Lu}[\p{Lu}\d]{1,3}$/u.test(word) ? word : word.toLowerCase()));
}

/** Words of one letter, in English or Portuguese. */
const joiningLetters = new Set(['a', 'e', 'o']);

/** A readable name of a column. In quotes where the name alone would be read as a part of the sentence. */
export function columnName(name: string): string {
  const words = humanWords(name);
  // What falls into single letters is a code, not words: X2B, G_ss, teamIDlahman45.
  const isCode = words.some((word) => /^\p{L}$/u.test(word) && !joiningLetters.has(word));
  const readable = isCode ? name : words.join(' ') || name;
  return /^(?:number|count|share|average)$/.test(readable) ? `“${readable}”` : readable;
}

/** A readable name of a table, and of one of its rows: `dim_customers` → customers, customer. */
export function tableNames(name: string): { many: string; one: string } {
  const words = humanWords(name);
  const telling = words.filter((word) => !tableMarks.has(word));
  const kept = telling.length > 0 ? telling : words;
  const last = kept.at(-1) ?? name;
  const before = kept.slice(0, -1);
  return { many: [...before, pluralOf(last)].join(' '), one: [...before, singular(last)].join(' ') };
}

/** Endings of words, in English or Portuguese, whose plural is another letter or two. */
const countable = /(?:[aeiou][kmnpt]|[^aeiou]e|[^a]o|[^aeiou]a|er|[cnrs]t|ck|nk|p|d|g|w|[^aeiou]y|us|ss|sh|ch|x)$/;

/** Words that look singular and are not. */
const uncountable = new Set(['people', 'data', 'info', 'media', 'staff', 'series', 'status', 'news']);

/** The plural of a table's last word, if the word is in the singular and has a plural of letters alone. */
function pluralOf(word: string): string {
  if (
    singular(word) !== word ||
    word.length < 4 ||
    !/^\p{Ll}+$/u.test(word) ||
    word.endsWith('ing') ||
    uncountable.has(word)
  )
    return word;
  return countable.test(word) ? plural(word) : word;
}

/**
 * The name of what a reference leads to, in its role: `buyer_id` → buyer, buyers; a bare `id`, and a name that the
 * table's own ends (`systemloanid` of loans), get the name of the table.
 */
export function referenceNames(column: string, table: string | undefined): { one: string; many: string } {
  const subject = subjectOf(column);
  const target = table === undefined ? undefined : tableNames(table);
  const one = subject.join(' ');
  const own = target?.one.toLowerCase() ?? '';
  if (target && (one === '' || one === own || (own.length > 2 && !one.includes(' ') && one.endsWith(own))))
    return target;
  return one === '' ? { one: columnName(column), many: columnName(column) } : { one, many: plural(one) };
}

/** The name of a date without the words that mark it as one: `due_date`, `due_at` → due; `maturity` → maturity. */
export function dateName(column: string): string {
  const words = humanWords(column);
  let kept = dateMarks.has(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  if (dateMarks.has(kept[0] ?? '')) kept = joiningWords.has(kept[1] ?? '') ? kept.slice(2) : kept.slice(1);
  return kept.join(' ');
}

/** Lower snake case without accents, for codes. */
export function snake(...names: readonly string[]): string {
  return names
    .flatMap((name) => humanWords(name.normalize('NFD').replace(/\p{M}/gu, '')))
    .map((word) => word.toLowerCase())
    .join('_');
}

/** The plural of a word, by its ending. */
export function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
