// Names as weak evidence: their form and their similarity to each other, never the words of a particular data set.

const identifierWords = new Set(['id', 'ids', 'key', 'uuid', 'guid', 'pk', 'sk', 'fk']);
const codeWords = new Set(['code', 'cod', 'codigo', 'no', 'nr', 'num', 'number', 'ref', 'identifier', 'hash']);
/** Words that a table's name may contain besides what the table holds. */
const tableWords = new Set(['dim', 'fact', 'tbl', 'table', 'data', 'dataset', 'info', 'list', 'raw', 'stg', 'master']);

const superiorWords = new Set(['parent', 'manager', 'supervisor', 'superior', 'root', 'pai']);

/** The words of a name in lower case: `OwnerUserId` → owner, user, id; `A1` → a, 1. */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|\p{Lo}+/gu) ?? []).map((word) => word.toLowerCase());
}

/** A word without its plural ending, English or Portuguese, as far as its letters tell. */
export function singular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is)$/.test(word)) return word;
  if (/[õã]es$|[cs]oes$/.test(word)) return `${word.slice(0, -3)}${/oes$/.test(word) ? 'ao' : 'ão'}`;
  // `elevadores`, `fatores`; not `stores`.
  if (/[aei]dores$|[aeiou]tores$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ses|xes|zes|ches|shes|ns|res|oes)$/.test(word)) {
    return /(?:sses|xes|zes|ches|shes|uses|oes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  }
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** How much a name looks like an identifier: 2 `user_id`, 1 `zip_code`, 0 otherwise. */
export function identifierShape(name: string): 0 | 1 | 2 {
  const words = wordsOf(name);
  const [first, last] = [words[0] ?? '', words.at(-1) ?? ''];
  if (identifierWords.has(last) || (words.length > 1 && identifierWords.has(first))) return 2;
  // `userid`: one word that ends in id and is long enough not to be `paid` or `grid`.
  if (/^[a-z]{4,}id$/.test(last) && last.length >= 6) return 1;
  return codeWords.has(last) || (words.length > 1 && codeWords.has(first)) ? 1 : 0;
}

/** What an identifier identifies, by its name: `account_id` → account; `id` → nothing. */
export function subjectOf(name: string): string[] {
  let words = wordsOf(name);
  if (words.length === 1 && /^[a-z]{4,}id$/.test(words[0]) && words[0].length >= 6) words = [words[0].slice(0, -2)];
  const isMark = (word: string): boolean => identifierWords.has(word) || codeWords.has(word);
  if (isMark(words.at(-1) ?? '')) words = words.slice(0, -1);
  else if (words.length > 1 && isMark(words[0])) words = words.slice(1);
  return words.map(singular);
}

/** What a table holds, by its name: `dim_customers` → customer. */
export function tableSubject(name: string): string[] {
  const words = wordsOf(name).map(singular);
  const telling = words.filter((word) => !tableWords.has(word));
  return telling.length > 0 ? telling : words;
}

/** Whether a column's name says that it identifies the rows of the table: `order_id` in `orders`. */
export function isNamedAfter(column: string, table: string): boolean {
  return subjectOf(column).join('') === tableSubject(table).join('');
}

/**
 * Whether a table is named after what a column identifies: for `order_id`, `shop_orders` is and `order_reviews` is not.
 */
export function isCalledAfter(table: string, column: string): boolean {
  return ` ${tableSubject(table).join(' ')}`.endsWith(` ${subjectOf(column).join(' ')}`);
}

/**
 * How well the name of `column` fits a reference to `key` of `table`, from 0 to 1. 1: it equals the key's own specific
 * name or names the table. About 0.85: the same with a role before it (`owner_user_id`). About 0.6: part of the table's
 * name or a shortened form. 0.4 and 0.3: an identifier of something.
 */
export function referenceLikeness(column: string, table: string, key: string): number {
  const subject = withoutNumber(subjectOf(column));
  const shape = identifierShape(column);
  if (subject.length === 0) return 0;
  const keySubject = subjectOf(key);
  const tableWordsOf = tableSubject(table);
  const isKeyTelling = keySubject.length > 0 && identifierShape(key) > 0;
  const subjects = isKeyTelling ? [tableWordsOf, keySubject] : [tableWordsOf];
  // A bare word (`order`, `account`) may mean anything. With `id` or the like it is meant as an identifier.
  const weight = shape > 0 ? 1 : 0.8;
  if (wordsOf(column).join() === wordsOf(key).join() && keySubject.join().length > 2) return 1;
  if (subjects.some((words) => words.join('') === subject.join(''))) return shape > 0 ? 1 : 0.9;
  if (subjects.some((words) => endsWith(subject, words))) return 0.87 * weight;
  if (subjects.some((words) => endsWith(words, subject) || startsWith(words, subject))) return 0.7 * weight;
  const last = subject.at(-1)!;
  if (shape > 0 && subjects.some((words) => isShortened(last, words))) return 0.6;
  // `post_type_id` is a type, not a post; `customer_buying_id` may be a customer.
  if (shape > 0 && subjects.some((words) => startsWith(subject, words))) return 0.4;
  return shape === 2 ? 0.3 : 0;
}

/** The words without a number or letter that tells several of one kind apart: `player_1` → player, `team_b` → team. */
function withoutNumber(words: readonly string[]): readonly string[] {
  return words.length > 1 && /^(?:\d|[abxy])$/.test(words.at(-1)!) ? words.slice(0, -1) : words;
}

/** Whether a column names a parent within its own table (`manager_id`): a role that names no table. */
export function namesSuperior(column: string): boolean {
  return wordsOf(column).some((word) => superiorWords.has(word));
}

function endsWith(words: readonly string[], ending: readonly string[]): boolean {
  return (
    ending.length > 0 &&
    ending.length < words.length &&
    ending.every((word, i) => word === words[words.length - ending.length + i])
  );
}

function startsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.length < words.length && beginning.every((word, i) => word === words[i]);
}

/** `cust` for `customer`, `org` for `organization`. */
function isShortened(word: string, words: readonly string[]): boolean {
  return words.some((full) => word.length >= 3 && full.length > word.length && full.startsWith(word));
}
