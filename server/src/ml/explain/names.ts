import { singular, subjectOf } from '../contract/names.ts';

/** Words by which a warehouse says what sort of table it is, not what it holds. */
const tableMarks = new Set(['dim', 'fact', 'fct', 'tbl', 'tb', 'stg', 'raw']);
/** Words by which a date's name says that it is one. */
const dateMarks = new Set(['at', 'on', 'date', 'data', 'dt', 'datetime', 'timestamp', 'ts']);
const joiningWords = new Set(['de', 'da', 'do', 'of']);

/** The words of a name, for people: `daysLate` and `DAYS_LATE` → days late. Short codes keep their capitals: `A11`. */
export function humanWords(name: string): string[] {
  const parts = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const isAllCapitals = parts.length > 1 && !/\p{Ll}/u.test(name);
  return parts.map((word) => (!isAllCapitals && /^\p{Lu}[\p{Lu}\d]{1,3}$/u.test(word) ? word : word.toLowerCase()));
}

/** A column's name for people. */
export function columnName(name: string): string {
  return humanWords(name).join(' ') || name;
}

/** A table's name for people, and that of one of its rows: `dim_customers` → customers, customer. */
export function tableNames(name: string): { many: string; one: string } {
  const words = humanWords(name);
  const telling = words.filter((word) => !tableMarks.has(word));
  const kept = telling.length > 0 ? telling : words;
  return { many: kept.join(' ') || name, one: [...kept.slice(0, -1), singular(kept.at(-1) ?? name)].join(' ') };
}

/** What a reference leads to, in the role it has: `buyer_id` → buyer, buyers; a bare `id` is called after its table. */
export function referenceNames(column: string, table: string | undefined): { one: string; many: string } {
  const subject = subjectOf(column);
  const target = table === undefined ? undefined : tableNames(table);
  const one = subject.join(' ');
  if (target && (one === '' || one === target.one.toLowerCase())) return target;
  return one === '' ? { one: columnName(column), many: columnName(column) } : { one, many: plural(one) };
}

/** A date without the words that say it is one: `due_date`, `due_at` → due; `maturity` → maturity. */
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

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
