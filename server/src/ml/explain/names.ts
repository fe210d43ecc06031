import { singular, subjectOf } from '../contract/names.ts';

/** Words in warehouse table names that tell the kind of table, not its content. */
const tableMarks = new Set(['dim', 'fact', 'fct', 'tbl', 'tb', 'stg', 'raw', 'dataset', 'vw']);
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

/** Words that names are often joined from without a mark between them: `totalprice`, `startdate`. */
const joined =
  /^(?:(?:total|first|last|next|term|loan|bank|birth|creation|created|approved|approval|due|start|end|order|user|account|client|customer|payment|unit|gross|net|min|max|date|days|amount|number|name|type|status|code|rate|price|value|count|months|years|income|balance|score|limit){2,})$/;
const joinedWord = new RegExp(joined.source.slice('^(?:'.length, -'{2,})$'.length), 'g');

/** Shortened words that stand for one word wherever data are kept. */
const shortened = new Map(
  Object.entries({
    ...{ acct: 'account', addr: 'address', amt: 'amount', cust: 'customer', pct: 'percentage', qty: 'quantity' },
    ...{ txn: 'transaction', txns: 'transactions', trx: 'transactions' },
  }),
);

/** The words of a name, as people would write them: `totalprice` is total price. */
function readableWords(name: string): string[] {
  return humanWords(name)
    .map((word) => shortened.get(word) ?? word)
    .flatMap((word) => (joined.test(word) ? word.match(joinedWord)! : [word]));
}

/** Marks of identifiers and codes at the end of a name that says what is identified. */
const identifierMarks = new Set(['id', 'code', 'codigo', 'cod']);

/** A readable name of a column. In quotes where the name alone would be read as a part of the sentence. */
export function columnName(name: string): string {
  const words = readableWords(name);
  const isSingle = (word: string) => /^\p{L}$/u.test(word) && !joiningLetters.has(word);
  // A letter before plain words is a kind of them: x_reason → X reason.
  const isKind = isSingle(words[0] ?? '') && /^\p{Ll}(?:_\p{Ll}{3,})+$/u.test(name);
  if (isKind) return [words[0].toUpperCase(), ...words.slice(1)].join(' ');
  // What falls into single letters is a code, not words: X2B, G_ss, teamIDlahman45.
  const isCode = words.some(isSingle);
  const isMarked = words.length > 1 && identifierMarks.has(words.at(-1)!.toLowerCase());
  const readable = isCode ? name : (isMarked ? words.slice(0, -1) : words).join(' ') || name;
  return /^(?:number|count|share|average)$/.test(readable) ? `“${readable}”` : readable;
}

/** What the rows of a table are called, and one of them. */
export type TableNames = { readonly many: string; readonly one: string };

/**
 * A readable name of a table, and of one of its rows: `dim_customers` → customers, customer. `prefix`: a first word
 * that says nothing, since all tables begin with it.
 */
export function tableNames(name: string, prefix?: string): TableNames {
  const words = readableWords(name);
  if (words.join() === 'trans') return { many: 'transactions', one: 'transaction' };
  const telling = words.filter((word, place) => !tableMarks.has(word) && (place > 0 || word !== prefix));
  const kept = telling.length > 0 ? telling : words;
  const last = kept.at(-1) ?? name;
  const before = kept.slice(0, -1);
  const one = irregular.get(last) ?? (uncountable.has(last) ? last : singular(last));
  return { many: [...before, pluralOf(last)].join(' '), one: [...before, one].join(' ') };
}

/** Endings of words, in English or Portuguese, whose plural is another letter or two. */
const countable = /(?:[aeiou][kmnpt]|[^aeiou]e|[^a]o|[^aeiou]a|er|[cnrs]t|ck|nk|p|d|g|w|[^aeiou]y|us|ss|sh|ch|x)$/;

/** Plurals without an ending. */
const irregular = new Map([['people', 'person']]);

/** Words that look singular and are not. */
const uncountable = new Set(['people', 'data', 'info', 'media', 'staff', 'series', 'status', 'news']);

/** The plural of a table's last word, if the word is in the singular and has a plural of letters alone. */
function pluralOf(word: string): string {
  if (
    uncountable.has(word) ||
    singular(word) !== word ||
    word.length < 4 ||
    !/^\p{Ll}+$/u.test(word) ||
    word.endsWith('ing')
  )
    return word;
  return countable.test(word) ? plural(word) : word;
}

/** Documents that tell who somebody is, in names of references: `cpf_cliente` is a client. */
const documentMarks = new Set(['cpf', 'cnpj', 'cpfcnpj', 'documento', 'document', 'doc', 'rg', 'ssn', 'ein']);

/**
 * The name of what a reference leads to, in its role: `buyer_id` → buyer, buyers; a bare `id`, and a name that the
 * table's own ends (`systemloanid` of loans), get the name of the table.
 */
export function referenceNames(column: string, target: TableNames | undefined): TableNames {
  const subject = subjectOf(column);
  const full = subject.join(' ');
  const own = target?.one.toLowerCase() ?? '';
  const one = target && full !== own ? withoutDocument(subject) : full;
  if (target && (one === '' || one === own || (own.length > 2 && !one.includes(' ') && one.endsWith(own))))
    return target;
  return one === '' ? { one: columnName(column), many: columnName(column) } : { one, many: plural(one) };
}

/** `cpf do cliente` → cliente; empty where the document is all that is said. */
function withoutDocument(words: readonly string[]): string {
  const telling = words.filter((word) => !documentMarks.has(word));
  return telling.slice(telling.length < words.length && joiningWords.has(telling[0]) ? 1 : 0).join(' ');
}

/** The name of a date without the words that mark it as one: `due_date`, `due_at` → due; `maturity` → maturity. */
export function dateName(column: string): string {
  const words = readableWords(column);
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
