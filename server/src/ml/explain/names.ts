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

/** A readable name of a column. */
export function columnName(name: string): string {
  return humanWords(name).join(' ') || name;
}

/** A readable name of a table, and of one of its rows: `dim_customers` → customers, customer. */
export function tableNames(name: string): { many: string; one: string } {
  const words = humanWords(name);
  const telling = words.filter((word) => !tableMarks.has(word));
  const kept = telling.length > 0 ? telling : words;
  return { many: kept.join(' ') || name, one: [...kept.slice(0, -1), singular(kept.at(-1) ?? name)].join(' ') };
}

/**
 * The name of what a reference leads to, in its role: `buyer_id` → buyer, buyers; a bare `id` gets the name of its
 * table.
 */
export function referenceNames(column: string, table: string | undefined): { one: string; many: string } {
  const subject = subjectOf(column);
  const target = table === undefined ? undefined : tableNames(table);
  const one = subject.join(' ');
  if (target && (one === '' || one === target.one.toLowerCase())) return target;
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

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
