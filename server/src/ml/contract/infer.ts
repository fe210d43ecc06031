import { basename, resolve } from 'node:path';
import type { LogicalType } from '../../lib/files/column.ts';
import { sayFileNotice } from '../../lib/files/notices.ts';
import { describeFile, readTable } from '../../lib/files/read.ts';
import { valueText } from '../../lib/files/value-text.ts';
import { inferColumns } from './columns.ts';
import type { ColumnContract, Contract, EventTime, TableContract } from './contract.ts';
import { settleDates } from './dates.ts';
import { findTableFiles } from './files.ts';
import { because, type Guess, type Seen, type StatedGuess, stated } from './guess.ts';
import { findHubs } from './hubs.ts';
import { type EventReference, inheritTimes } from './inherit.ts';
import { findCompoundKey, findKey, findRowNumbers, type KeyGuess, remarkNearKey } from './keys.ts';
import { inferEntityKind, namesOfPeople } from './kinds.ts';
import { isCalledAfter } from './names.ts';
import { type Profile, profileColumn, type TableProfile } from './profile.ts';
import { findReferences, type ReferenceGuess, type ReferenceTarget } from './references.ts';
import { findBirths, findOwnTime, isNamedBirth, remarkUnusedDates } from './times.ts';

export type Inference = { readonly contract: Contract; readonly guesses: readonly StatedGuess[] };

/**
 * Proposes a contract for the tables in `folder` (or in its `tables` folder), each a file or a folder of files: CSV,
 * Parquet or JSONL. Keys, references and times are inferred from the values, with names as further evidence. Every
 * choice comes with a reason. `progress` is called with each table as it is read. Throws: Failure 'not_found' or
 * 'invalid' when the folder holds no tables or a file cannot be read.
 */
export async function inferContract(folder: string, progress?: (line: string) => void): Promise<Inference> {
  const sources = findTableFiles(folder);
  const name = basename(resolve(folder));
  return inferFromFiles(name === '' ? 'contract' : name, sources, progress === undefined ? {} : { progress });
}

/** The name of a table, and the files with its rows, whose names do not matter. */
export type TableSource = {
  readonly table: string;
  readonly paths: readonly string[];
  /** The columns to look at; all by default. */
  readonly columns?: readonly string[];
};

/**
 * Cells of a table that are looked at: 1 GB of memory. A contract is proposed from the first rows of a larger table,
 * and the check of its files then tells what in the others breaks it.
 */
const cellsMax = 32_000_000;

export type InferOptions = {
  /** Cells of a table that are looked at; 32 million by default. */
  readonly cellsMax?: number;
  readonly progress?: (line: string) => void;
  /** The name of a file in messages; by default its base name. */
  readonly nameOf?: (path: string) => string;
};

/**
 * Like `inferContract`, for files with any name. A table has the columns of all of its files. Throws: Failure
 * 'not_found' or 'invalid' when a file cannot be read.
 */
export async function inferFromFiles(
  id: string,
  sources: readonly TableSource[],
  options: InferOptions = {},
): Promise<Inference> {
  const { progress } = options;
  const tables: TableProfile[] = [];
  for (const source of sources) {
    const { table, warnings } = await readProfile(source, options);
    for (const warning of warnings) progress?.(`warning: ${warning}`);
    progress?.(`${table.name}: ${table.rows} rows, ${table.columns.length} columns`);
    tables.push(table);
  }
  return inferFromProfiles(id, tables);
}

/** Reads the files of one table and profiles its columns. */
async function readProfile(
  { table: name, paths, columns: wanted }: TableSource,
  { nameOf, cellsMax: most = cellsMax }: InferOptions,
): Promise<{ table: TableProfile; warnings: string[] }> {
  const naming = nameOf === undefined ? {} : { nameOf };
  const found = new Map<string, { readonly name: string; readonly type: LogicalType }>();
  const warnings: string[] = [];
  for (const path of paths) {
    const { columns, format, warnings: own } = await describeFile(path, naming);
    warnings.push(...own.map(sayFileNotice));
    for (const { name, type } of columns) {
      if (wanted && !wanted.includes(name)) continue;
      // Columns of text files are read as text, so that no type is assumed.
      const given = format === 'parquet' ? type : 'string';
      const known = found.get(name.toLowerCase());
      const kept = known === undefined || known.type === given ? given : 'string';
      found.set(name.toLowerCase(), { name: known?.name ?? name, type: kept });
    }
  }
  const requests = [...found.values()];
  const { rows, rowNumbers, rejects, rejectedTotal, isWhole } = await readTable(paths, requests, {
    ...naming,
    cellsMax: most,
  });
  const [first] = rejects;
  const table = {
    name,
    rows: rows.rows,
    rowNumbers: paths.length === 1 ? rowNumbers : null,
    columns: requests.map(({ name, type }, position) =>
      profileColumn(name, position, rows.columns.get(name)!, type === 'string' ? null : type),
    ),
  };
  if (first)
    warnings.push(
      `${name}: ${rejectedTotal} rows or values cannot be read, the first in row ${first.row}: ${first.reason}`,
    );
  if (!isWhole) warnings.push(`${name}: only the first ${rows.rows} rows were looked at`);
  if (rows.rows === 0) warnings.push(`${name}: no rows`);
  return { table, warnings };
}

type Related = {
  readonly keys: ReadonlyMap<TableProfile, KeyGuess>;
  readonly references: ReadonlyMap<TableProfile, readonly ReferenceGuess[]>;
};

/**
 * Finds keys and references, which depend on one another: single keys, then references to them, then keys made of
 * references.
 */
function relate(tables: readonly TableProfile[]): Related {
  const rowNumbers = findRowNumbers(tables);
  const hubs = findHubs(tables, rowNumbers);
  const keys = new Map<TableProfile, KeyGuess>();
  for (const table of tables) {
    const key = findKey(table, tables, hubs);
    if (key !== null) keys.set(table, key);
  }
  const targets: ReferenceTarget[] = [...keys].map(([table, key]) => ({ table, key: key.columns[0] }));
  const pointedTo = new Set(targets.map((target) => target.key));
  const keyedHubs = new Map([...hubs].filter(([, hub]) => pointedTo.has(hub)));
  const references = new Map<TableProfile, ReferenceGuess[]>();
  for (const table of tables) {
    const ownKey = keys.get(table)?.columns[0] ?? null;
    references.set(table, findReferences(table, targets, ownKey, rowNumbers, keyedHubs));
  }
  dropMutual(references, keys);
  followShared(references);
  for (const table of tables) {
    if (keys.has(table)) continue;
    const names = new Set(
      references
        .get(table)!
        .filter(isSet)
        .map((reference) => reference.column.name),
    );
    const key = findCompoundKey(table, names);
    if (key !== null) keys.set(table, key);
  }
  return { keys, references };
}

/** The same keys and references among tables whose dates are found. */
function dated(given: readonly TableProfile[], { keys, references }: Related): Related & { tables: TableProfile[] } {
  const linked = new Set([
    ...[...keys.values()].flatMap(({ columns }) => columns),
    ...[...references.values()].flatMap((found) => found.filter(isSet).map(({ column }) => column)),
  ]);
  const settled = settleDates(given, (column) => linked.has(column));
  return {
    tables: given.map((table) => settled.get(table)!),
    keys: new Map([...keys].map(([table, key]) => [settled.get(table)!, key])),
    references: new Map(
      [...references].map(([table, found]) => [
        settled.get(table)!,
        found.map((reference) => ({ ...reference, target: settled.get(reference.target)! })),
      ]),
    ),
  };
}

/** Whether a reference goes into the contract. Guesses of low confidence are only remarks. */
function isSet(reference: ReferenceGuess): boolean {
  return reference.guess.confidence !== 'low';
}

/** Infers the contract from profiled tables. */
function inferFromProfiles(id: string, given: readonly TableProfile[]): Inference {
  const { tables, keys, references } = dated(given, relate(given));
  const referring = [...references].flatMap(([table, found]) =>
    found.filter(isSet).map(({ column, target, key }) => ({ table, column, to: target, key })),
  );
  const births = findBirths(tables, referring);
  const times = new Map<string, Float64Array>();
  const weak = new Set<string>();
  const timeOf = new Map<string, { time: EventTime; guess: Guess }>();
  for (const table of tables) {
    const found = findOwnTime(table, births);
    if (found === null) continue;
    times.set(table.name, found.values);
    timeOf.set(table.name, found);
    if (found.isWeak) weak.add(table.name);
  }
  const links = [...references.values()].flat().filter(isSet).map(linkOf(references));
  for (const found of inheritTimes(tables, links, times, weak)) timeOf.set(found.table, found);
  const lastEvent = [...times.values()].reduce(
    (last, values) => values.reduce((a, b) => (b > a ? b : a), last),
    Number.NEGATIVE_INFINITY,
  );

  const guesses: Guess[] = [];
  const contracts = tables.map((table): TableContract => {
    const key = keys.get(table);
    const own = references.get(table)!;
    const time = timeOf.get(table.name);
    const remark = key === undefined ? remarkNearKey(table) : key.guess;
    if (remark !== null) guesses.push(remark);
    guesses.push(...own.map((reference) => reference.guess));
    if (time !== undefined) guesses.push(time.guess);
    else guesses.push(...remarkUnusedDates(table, births));
    const clock = time !== undefined && 'column' in time.time ? time.time : null;
    const { columns, guesses: more } = inferColumns({
      table,
      key: key?.columns ?? [],
      references: new Set(own.filter(isSet).map((reference) => reference.column.name)),
      births,
      timeColumns: clock === null ? [] : [clock.column, ...(clock.clock === undefined ? [] : [clock.clock])],
      times: times.get(table.name) ?? null,
      lastEvent,
    });
    guesses.push(...more);
    const kind = inferEntityKind(table, columns, {
      isReferenced: links.some((link) => link.to === table),
      hasReferences: own.some(isSet),
      hasTime: time !== undefined,
      hasBirth: table.columns.some(isNamedBirth),
    });
    if (kind !== null) guesses.push(kind.guess);
    const linking = new Set(
      [...(key?.columns ?? []), ...own.filter(isSet).map(({ column }) => column)].map(({ name }) => name),
    );
    const named = namesOfPeople(table, kind?.kind, linking);
    guesses.push(...named);
    const isName = ({ name }: ColumnContract) => named.some(({ column }) => column === name);
    return {
      name: table.name,
      key: key?.columns.map((column) => column.name) ?? [],
      references: own
        .filter(isSet)
        .map(({ column, target, key: to }) => ({ column: column.name, table: target.name, key: to.name })),
      ...(time !== undefined && { time: time.time }),
      ...(kind !== null && { entityKind: kind.kind }),
      columns: columns.map((column) => (isName(column) ? { ...column, pii: true } : column)),
    };
  });
  const seen = seerOf(tables, contracts, births);
  return { contract: { id, version: '1', tables: contracts }, guesses: guesses.map((one) => stated(one, seen(one))) };
}

/** Values of a column that a guess shows. */
const examplesShown = 3;

/** Returns a function that tells what was seen of the column that a guess is about: of what rows are, of their key. */
function seerOf(
  tables: readonly TableProfile[],
  contracts: readonly TableContract[],
  births: ReadonlySet<Profile>,
): (guess: Guess) => Seen | null {
  return ({ table: name, column, kind }) => {
    const contract = contracts.find((table) => table.name === name)!;
    const { key, time, references, columns } = contract;
    const own = kind === 'entityKind' ? key[0] : time && 'column' in time ? time.column : time?.reference;
    const profile = tables.find((table) => table.name === name)!.columns.find((one) => one.name === (column ?? own));
    if (profile === undefined) return null;
    const { rows, filled, distinct } = profile;
    const isPrivate =
      births.has(profile) ||
      [...key, ...references.map((reference) => reference.column)].includes(profile.name) ||
      columns.some((one) => one.name === profile.name && one.pii);
    return { column: profile.name, rows, filled, distinct, examples: isPrivate ? [] : examplesOf(profile) };
  };
}

/** The moment, in microseconds, beyond which there is no Date, which texts of days are made by. */
const farthest = 8.64e18;

/** Some values of dates and numbers, evenly among those that differ, in the order in which they came. */
function examplesOf({ type, texts, numbers, written }: Profile): string[] {
  if (type === 'string' || numbers === null) return [];
  const step = Math.max(1, Math.floor(texts.length / examplesShown));
  // Typed files have no texts of days.
  const write = isDated(type) && written === null ? valueText(type, true) : null;
  return Array.from({ length: Math.min(examplesShown, texts.length) }, (_, k) => k * step)
    .filter((code) => Math.abs(numbers[code]) <= farthest)
    .map((code) => (write !== null && /^-?\d+$/.test(texts[code]) ? write(numbers[code]) : texts[code]));
}

const isDated = (type: LogicalType): type is 'date' | 'timestamp' => type === 'date' || type === 'timestamp';

/**
 * Drops one of two references when two tables with the same key point at each other. The one kept points to the table
 * named after the key, or to the one with more rows.
 */
function dropMutual(references: Map<TableProfile, ReferenceGuess[]>, keys: ReadonlyMap<TableProfile, KeyGuess>): void {
  const before = new Map(references);
  const order = [...references.keys()];
  for (const [table, found] of before) {
    const kept = found.filter(({ column, target, key }) => {
      const isBack = before.get(target)?.some((other) => other.target === table && other.column === key);
      if (keys.get(table)?.columns[0] !== column || !isBack) return true;
      const [called, targetCalled] = [isCalledAfter(table.name, column.name), isCalledAfter(target.name, key.name)];
      if (called !== targetCalled) return targetCalled;
      if (table.rows !== target.rows) return table.rows < target.rows;
      return order.indexOf(table) > order.indexOf(target);
    });
    references.set(table, kept);
  }
}

/** When a key is itself a reference of the same name, references to it are redirected to the table it refers to. */
function followShared(references: Map<TableProfile, ReferenceGuess[]>): void {
  for (const [table, found] of references) {
    const followed = found.map((reference) => {
      const onward = references.get(reference.target)?.find((other) => other.column === reference.key);
      const isPassedOn =
        onward !== undefined &&
        onward.target !== table &&
        onward.guess.confidence === 'high' &&
        reference.column.name === onward.column.name;
      if (!isPassedOn) return reference;
      const value = `${onward.target.name}.${onward.key.name}`;
      const told = because(...reference.guess.because, { code: 'keys_of', table: onward.target.name });
      return { ...reference, target: onward.target, key: onward.key, guess: { ...reference.guess, value, ...told } };
    });
    references.set(table, followed);
  }
}

function linkOf(
  references: ReadonlyMap<TableProfile, readonly ReferenceGuess[]>,
): (reference: ReferenceGuess) => EventReference {
  const tableOf = new Map<Profile, TableProfile>();
  for (const [table, found] of references) for (const reference of found) tableOf.set(reference.column, table);
  const rowsOf = new Map<Profile, Map<string, number>>();
  return ({ column, target, key }) => {
    let rows = rowsOf.get(key);
    if (rows === undefined) {
      rows = new Map();
      for (let row = 0; row < key.rows; row++) rows.set(key.texts[key.codes[row]], row);
      rowsOf.set(key, rows);
    }
    const byCode = column.texts.map((text) => rows.get(text) ?? -1);
    return {
      from: tableOf.get(column)!,
      column,
      to: target,
      rows: column.codes.map((code) => (code < 0 ? -1 : byCode[code])),
    };
  };
}
