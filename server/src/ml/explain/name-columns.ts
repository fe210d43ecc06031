import type { Contract } from '../contract/contract.ts';
import { labelsTable } from '../features/feature.ts';
import { type Pair, pairOf } from '../graph/pairs.ts';
import { columnsNamed, isToldSince, type LineageSource, referredTable, signalTable, tableOf } from './lineage.ts';
import { columnName, dateName, humanWords, referenceNames, type TableNames, tableNames } from './names.ts';
import type { ColumnWords, DateWords, Phrases } from './phrases.ts';

/** A column of a table's rows, or of the rows that `path` leads to. The table's own name is not repeated in it. */
export function nameColumn(
  source: LineageSource,
  table: string,
  { path, column }: { readonly path: readonly string[]; readonly column: string },
  phrases: Phrases,
): ColumnWords {
  const owner = signalTable(source, table, { kind: 'column', path, column });
  return {
    kind: 'column',
    name: nameWithin(source, owner, column, phrases),
    of: ownerOf(source, table, path, phrases),
  };
}

/** What the row is called that a path of references leads to; undefined where it is the row itself. */
export function ownerOf(
  source: LineageSource,
  table: string,
  path: readonly string[],
  phrases: Phrases,
): string | undefined {
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const before = signalTable(source, table, { kind: 'column', path: path.slice(0, -1), column: last });
  return nameReference(source, before, last, phrases).one;
}

/** What people call a column: the contract's name for them, or the readable one. */
export function nameOf(source: LineageSource, table: string | undefined, column: string, phrases: Phrases): string {
  const pair = pairOf(column);
  if (pair) return phrases.both(...namesOf(source, table, pair, phrases));
  const called = businessNameOf(source, table, column);
  if (called !== undefined) return phrases.translate(called, 'thing') ?? called;
  const name = columnName(column);
  // The mark of an identifier tells two columns apart where both are there: award and award_id.
  const full = humanWords(column).join(' ');
  if (name.length < full.length && isShared(source, table, column, name)) return full;
  return phrases.translate(name, 'thing') ?? name;
}

/** Of the references and categories of a pair. */
function namesOf(
  source: LineageSource,
  table: string | undefined,
  [first, second]: Pair,
  phrases: Phrases,
): [first: string, second: string] {
  const nameLink = (link: string) =>
    referredTable(source, table, link) === undefined
      ? nameOf(source, table, link, phrases)
      : nameReference(source, table, link, phrases).one;
  return [nameLink(first), nameLink(second)];
}

/** The name of a column where its table is named beside it: of the orders' `order_status`, status. */
export function nameWithin(source: LineageSource, table: string | undefined, column: string, phrases: Phrases): string {
  const prefix = table === undefined ? '' : `${plainNames(source, table).one} `;
  const name = columnName(column);
  const short = columnName(name.slice(prefix.length));
  const isRepeated = table !== undefined && name.startsWith(prefix) && !isShared(source, table, column, short);
  if (!isRepeated || businessNameOf(source, table, column) !== undefined) return nameOf(source, table, column, phrases);
  return phrases.translate(short, 'thing') ?? short;
}

/** Whether another column of the table has this readable name. */
function isShared(source: LineageSource, table: string | undefined, column: string, name: string): boolean {
  const others = tableOf(source, table)?.columns ?? [];
  return others.some((other) => other.name !== column && columnName(other.name) === name);
}

function businessNameOf(source: LineageSource, table: string | undefined, column: string): string | undefined {
  return columnsNamed(source, table, column)[0]?.column.businessName;
}

/** What people call the rows of a table, many of them and one. */
export function nameTable(source: LineageSource, table: string, phrases: Phrases): { many: string; one: string } {
  const many = tableOf(source, table)?.businessName;
  const names = many === undefined ? plainNames(source, table) : { many, one: phrases.singular(many) };
  return translated(names, phrases);
}

function translated(names: { many: string; one: string }, phrases: Phrases): { many: string; one: string } {
  const one = phrases.translate(names.one, 'thing');
  return one === undefined ? names : { one, many: phrases.plural(one) };
}

/** Every feature of a contract names its tables, mostly several times. */
const known = new WeakMap<Contract, Map<string, TableNames>>();

/** The names of a table by its name in the contract, whatever people call it. */
function plainNames({ contract }: LineageSource, table: string): TableNames {
  const tables = known.get(contract) ?? new Map<string, TableNames>();
  known.set(contract, tables);
  const names = tables.get(table) ?? tableNames(table, prefixOf(contract));
  tables.set(table, names);
  return names;
}

/** The word that the names of all tables begin with, of three tables and more. */
function prefixOf({ tables }: Contract): string | undefined {
  const [first] = humanWords(tables[0]?.name ?? '');
  const isShared =
    tables.length >= 3 && tables.every(({ name }) => humanWords(name)[0] === first && humanWords(name)[1]);
  return isShared ? first : undefined;
}

/** What people call the rows that a reference of a table leads to, in its role. */
export function nameReference(
  source: LineageSource,
  table: string | undefined,
  column: string,
  phrases: Phrases,
): { one: string; many: string } {
  if (table === labelsTable) {
    // References of earlier cases are named by the rows they come from: `payments.customer`.
    if (column === 'entity' && source.entity !== undefined) return nameTable(source, source.entity, phrases);
    const dot = column.lastIndexOf('.');
    if (dot > 0) return nameReference(source, column.slice(0, dot), column.slice(dot + 1), phrases);
  }
  const one = businessNameOf(source, table, column);
  if (one !== undefined) return translated({ one, many: phrases.plural(one) }, phrases);
  const target = referredTable(source, table, column);
  const own = target === undefined ? undefined : plainNames(source, target);
  const named = referenceNames(column, own);
  // A role that the table's own name gives goes by what the table is called.
  if (target !== undefined && named.one === own?.one) return nameTable(source, target, phrases);
  return translated(named, phrases);
}

/** What people call a date that rows have. */
export function nameDate(
  source: LineageSource,
  table: string | undefined,
  column: string,
  phrases: Phrases,
): DateWords {
  const called = businessNameOf(source, table, column);
  if (called !== undefined) return { name: called, isPlain: true };
  const rest = dateName(column);
  if (rest === '' || /(?:date|dated|day)$/.test(rest))
    return { name: columnName(column).replace(/(?<=^\p{L}{3,})date$/u, ' date'), isPlain: true };
  const said = rest === 'born' && isToldSince(source, 4) ? 'birth' : rest;
  return { name: phrases.translate(said, 'date') ?? said, isPlain: false };
}
