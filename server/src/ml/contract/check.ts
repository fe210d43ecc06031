import { basename } from 'node:path';
import type { Column, LogicalType, Numbers } from '../../lib/files/column.ts';
import { describeFile, readChunks } from '../../lib/files/read.ts';
import { trimBlanks } from '../../lib/files/values.ts';
import { type ColumnContract, type Contract, missingTextsMax, type TableContract } from './contract.ts';
import { type Deviation, DeviationLog } from './deviation.ts';
import type { Change } from './diff.ts';
import type { Notice } from './notices.ts';
import { canBeListed, isAbsentWord } from './profile.ts';
import { proposeVersion, type StructureChange } from './propose-version.ts';
import { RenameSearch, type Values } from './renames.ts';
import { isReserved } from './reserved.ts';
import {
  type ColumnCheck,
  type ColumnType,
  changedType,
  checkChunk,
  formOf,
  formsOf,
  joinTypes,
  type KeysOf,
  newValues,
  plainText,
  prepareColumn,
  typeOfColumn,
} from './rules.ts';
import { writtenForm } from './written.ts';

export type CheckOptions = {
  readonly keysOf?: KeysOf;
  /** Gives rows that the table has already, of these columns, to recognise columns under other names. */
  readonly earlierOf?: (columns: readonly string[]) => Promise<Values | null>;
  /** Microseconds. Dates after it are deviations; without it no date is. */
  readonly now?: number;
  /** The name of the file in the report and messages, when it is stored under another name. */
  readonly name?: string;
};

export type CheckReport = {
  readonly table: string;
  readonly file: string;
  readonly rows: number;
  /** Structural deviations first. */
  readonly deviations: readonly Deviation[];
  /** What was noticed about the file as a whole and does not stop it. */
  readonly notes: readonly Notice[];
  /**
   * The contract whose structure this file would satisfy, with its changes; null when the file satisfies it already, or
   * when no such contract can be made.
   */
  readonly proposal: { readonly contract: Contract; readonly changes: readonly Change[] } | null;
};

/**
 * Checks one file against the contract of its table. Memory grows only with its keys. Where the file has columns under
 * other names, their values are checked as well. Throws: Failure 'invalid' or 'not_found' when the file cannot be read
 * at all.
 */
export async function checkFile(
  path: string,
  table: TableContract,
  contract: Contract,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const report = await checkOnce(path, table, contract, options);
  const { deviations, proposal } = report;
  if (proposal === null || deviations.every(({ rule }) => rule !== 'renamed_column')) return report;
  const proposed = proposal.contract.tables.find(({ name }) => name === table.name)!;
  const again = await checkOnce(path, proposed, proposal.contract, options);
  const isTold = (one: Deviation) => deviations.some(({ rule, column }) => rule === one.rule && column === one.column);
  const more = again.deviations.filter((one) => one.kind === 'data' && !isTold(one));
  return { ...report, deviations: [...deviations, ...more] };
}

async function checkOnce(
  path: string,
  table: TableContract,
  contract: Contract,
  options: CheckOptions,
): Promise<CheckReport> {
  const file = options.name ?? basename(path);
  const naming = { nameOf: () => file };
  const { columns, format, warnings } = await describeFile(path, naming);
  const declared = new Map(columns.map(({ name, type }) => [name, format === 'parquet' ? type : ('string' as const)]));
  const matches = matchNames(table, [...declared.keys()]);
  const log = new DeviationLog();
  const checks = new Map<string, ColumnCheck>();
  for (const [name, column] of matches) {
    if (column !== null) checks.set(name, prepareColumn(column, options.now ?? null));
  }
  const unknown = new Map<string, UnknownColumn>();
  for (const [name, column] of matches) if (column === null) unknown.set(name, { type: null, absent: new Set() });

  const present = new Set(matches.values());
  const absent = table.columns.filter((column) => !present.has(column));
  const search = new RenameSearch(table, absent, [...unknown.keys()]);
  const typeOf = (name: string): LogicalType => declared.get(name)!;
  const repeats = new Repeats(table, log);
  const references = await References.open(table, options.keysOf, log);
  const requests = [...declared].map(([name, type]) => {
    const missing = matches.get(name)?.missingValues;
    return { name, type, ...(missing && { missing }) };
  });
  let rows = 0;
  for await (const chunk of readChunks(path, requests, { ...naming, keepsRejects: true })) {
    rows += chunk.rows.rows;
    for (const reject of chunk.rejects) {
      const rule = reject.column === null ? 'unreadable_row' : 'wrong_type';
      log.add(rule, reject.column, reject.row, reject.value, reject.reason);
    }
    const values = new Map<string, (string | null)[]>();
    for (const [name, column] of chunk.rows.columns) {
      const check = checks.get(name);
      if (check === undefined) {
        meet(unknown.get(name)!, name, column, declared.get(name)!);
        continue;
      }
      const checked = checkChunk(check, column, declared.get(name)!, chunk.rowNumbers, log);
      values.set(check.contract.name, checked);
      if (check.contract.required) {
        const missing = missingOf(column);
        for (const row of missing) {
          log.add(
            'missing_value',
            check.contract.name,
            chunk.rowNumbers[row],
            null,
            'the value is missing and required',
          );
        }
      }
    }
    search.add(chunk.rows.columns, typeOf, values, chunk.rowNumbers);
    repeats.add(values, chunk.rowNumbers);
    references.add(values, chunk.rowNumbers);
  }
  references.close();

  const changes: StructureChange[] = [];
  const isDoubtful = absent.length > 0 && unknown.size > 0;
  const wanted = [...table.key, ...absent.map(({ name }) => name)];
  const earlier = isDoubtful ? ((await options.earlierOf?.(wanted)) ?? null) : null;
  const renames = isDoubtful ? await search.find(earlier, options.keysOf) : [];
  const renamed = new Set(renames.flatMap(({ column, name }) => [column, name]));
  for (const rename of renames) changes.push({ rule: 'renamed_column', ...rename });
  for (const column of absent) if (!renamed.has(column)) changes.push({ rule: 'missing_column', column });
  for (const [name, { type, absent }] of unknown) {
    if (renamed.has(name)) continue;
    const missing = type === null || type.type === 'string' ? [] : [...absent].slice(0, missingTextsMax);
    changes.push({ rule: 'unknown_column', name, type: type ?? { type: 'string' }, missing });
  }
  for (const check of checks.values()) {
    const to = changedType(check);
    if (to === null) continue;
    const { samples } = log.drop('wrong_type', check.contract.name);
    changes.push({ rule: 'changed_type', column: check.contract, to, count: check.misfits, samples });
  }
  for (const check of checks.values()) {
    const { contract: column } = check;
    const values = newValues(check);
    if (values !== null) changes.push({ rule: 'new_values', column, values, ...log.drop('not_allowed', column.name) });
  }
  return {
    table: table.name,
    file,
    rows,
    deviations: [...changes.map((change) => structural(change, rows)), ...log.list()],
    notes: [...warnings, ...otherNames(matches, file)],
    proposal: changes.length === 0 ? null : proposeVersion(contract, table, changes),
  };
}

/** A column that is not in the contract, and the words for a missing value found in it. */
type UnknownColumn = { type: ColumnType | null; readonly absent: Set<string> };

function meet(unknown: UnknownColumn, name: string, column: Column, declared: LogicalType): void {
  const type = typeOfColumn(name, column, declared);
  if (type !== null) unknown.type = joinTypes(unknown.type, type);
  if (column.kind !== 'text') return;
  for (const text of column.dictionary.map(trimBlanks))
    if (isAbsentWord(text) && canBeListed(text)) unknown.absent.add(text);
}

/** The key values of a file, in the form in which references are compared. */
export async function readKeys(paths: readonly string[], table: TableContract): Promise<Set<string>> {
  const keys = new Set<string>();
  const [name, ...others] = table.key;
  const own = table.columns.find((column) => column.name === name);
  if (name === undefined || own === undefined || others.length > 0) return keys;
  for (const path of paths) {
    for await (const chunk of readChunks(path, [{ name, type: 'string' }])) {
      const column = chunk.rows.columns.get(name);
      if (column?.kind === 'text') for (const text of column.dictionary) keys.add(plainText(own, text));
    }
  }
  return keys;
}

/** Notes on columns that the contract has under another name, or in another case. */
function otherNames(matches: ReadonlyMap<string, ColumnContract | null>, file: string): Notice[] {
  return [...matches].flatMap(([name, column]): Notice[] =>
    column === null || column.name === name ? [] : [{ code: 'column_read_as', file, column: name, name: column.name }],
  );
}

/** Matches the columns of a file to the contract as `readTable` does; null for unknown columns. */
function matchNames(table: TableContract, names: readonly string[]): Map<string, ColumnContract | null> {
  const exact = new Set(names);
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const other = new Map<string, ColumnContract>();
  for (const column of table.columns) {
    if (exact.has(column.name)) continue;
    const alias = column.aliases?.find((name) => exact.has(name));
    const folded = names.find((name) => name.toLowerCase() === column.name.toLowerCase());
    const found = alias ?? folded;
    if (found !== undefined && !other.has(found)) other.set(found, column);
  }
  return new Map(names.map((name) => [name, byName.get(name) ?? other.get(name) ?? null]));
}

function missingOf(column: { kind: string; codes?: Int32Array; values?: Numbers }): number[] {
  const missing: number[] = [];
  column.codes?.forEach((code, row) => {
    if (code < 0) missing.push(row);
  });
  column.values?.forEach((value, row) => {
    if (Number.isNaN(value)) missing.push(row);
  });
  return missing;
}

/** Finds repeated keys and unique values. Rows of one key are versions when the contract dates them by `knownAt`. */
class Repeats {
  private readonly groups: { columns: readonly string[]; column: string | null; isKey: boolean; seen: Set<string> }[];
  private readonly log: DeviationLog;

  constructor(table: TableContract, log: DeviationLog) {
    this.log = log;
    const versioned = table.knownAt === undefined ? [] : [table.knownAt];
    const isKey = (name: string): boolean => table.key.length === 1 && table.key[0] === name;
    this.groups = table.columns
      .filter((column) => column.unique && !isKey(column.name))
      .map((column) => ({ columns: [column.name, ...versioned], column: column.name, isKey: false, seen: new Set() }));
    if (table.key.length > 0) {
      const column = table.key.length === 1 ? table.key[0] : null;
      this.groups.push({ columns: [...table.key, ...versioned], column, isKey: true, seen: new Set() });
    }
  }

  add(values: ReadonlyMap<string, readonly (string | null)[]>, rowNumbers: Float64Array): void {
    for (const { columns, column, isKey, seen } of this.groups) {
      const parts = columns.map((name) => values.get(name));
      if (parts.some((part) => part === undefined)) continue;
      for (const [i, row] of rowNumbers.entries()) {
        const texts = parts.map((part) => part![i]!);
        if (texts.includes(null as never)) continue;
        const combined = texts.length === 1 ? texts[0] : JSON.stringify(texts);
        if (seen.has(combined)) {
          this.log.add(
            isKey ? 'duplicate_key' : 'duplicate_value',
            column,
            row,
            texts.join(' + '),
            'stands in an earlier row',
            { isInFile: true },
          );
        } else {
          seen.add(combined);
        }
      }
    }
  }
}

type OpenReference = { readonly column: string; readonly target: string; readonly keys: ReadonlySet<string> };
type WaitingKeys = { readonly column: string; readonly key: string; readonly values: Map<string, number[]> };

/**
 * Finds values that are no key of the table they refer to. References to the table itself are checked after its last
 * row.
 */
class References {
  private readonly open: readonly OpenReference[];
  private readonly own: readonly WaitingKeys[];
  private readonly ownKeys: Set<string>;
  private readonly name: string;
  private readonly log: DeviationLog;

  private constructor(
    open: OpenReference[],
    own: WaitingKeys[],
    ownKeys: Set<string>,
    name: string,
    log: DeviationLog,
  ) {
    this.open = open;
    this.own = own;
    this.ownKeys = ownKeys;
    this.name = name;
    this.log = log;
  }

  static async open(table: TableContract, keysOf: KeysOf | undefined, log: DeviationLog): Promise<References> {
    const open: OpenReference[] = [];
    const own: WaitingKeys[] = [];
    const ownKeys = new Set<string>();
    for (const reference of table.references) {
      const keys = (await keysOf?.(reference.table)) ?? null;
      if (reference.table === table.name) {
        for (const key of keys ?? []) ownKeys.add(key);
        own.push({ column: reference.column, key: reference.key, values: new Map() });
      } else if (keys !== null) {
        open.push({ column: reference.column, target: reference.table, keys });
      }
    }
    return new References(open, own, ownKeys, table.name, log);
  }

  add(values: ReadonlyMap<string, readonly (string | null)[]>, rowNumbers: Float64Array): void {
    for (const { column, target, keys } of this.open) {
      for (const [i, text] of (values.get(column) ?? []).entries()) {
        if (text !== null && !keys.has(text)) this.dangle(column, rowNumbers[i], text, target);
      }
    }
    for (const { column, key, values: waiting } of this.own) {
      for (const text of values.get(key) ?? []) if (text !== null) this.ownKeys.add(text);
      for (const [i, text] of (values.get(column) ?? []).entries()) {
        if (text === null || this.ownKeys.has(text)) continue;
        const rows = waiting.get(text);
        if (rows === undefined) waiting.set(text, [rowNumbers[i]]);
        else rows.push(rowNumbers[i]);
      }
    }
  }

  close(): void {
    for (const { column, values } of this.own) {
      for (const [text, rows] of values) {
        if (!this.ownKeys.has(text)) for (const row of rows) this.dangle(column, row, text, this.name);
      }
    }
  }

  private dangle(column: string, row: number, text: string, target: string): void {
    this.log.add('dangling_reference', column, row, text, `is no key of ${target}`, { table: target });
  }
}

function structural(change: StructureChange, rows: number): Deviation {
  const base = { kind: 'structure' as const, rule: change.rule };
  switch (change.rule) {
    case 'missing_column':
      return {
        ...base,
        column: change.column.name,
        count: rows,
        samples: [],
        message: `${change.column.name}: the file has no such column`,
        values: {},
      };
    case 'renamed_column':
      return {
        ...base,
        column: change.column.name,
        count: rows,
        samples: [],
        message: `${change.column.name}: the file has it as ${change.name}, it seems: ${change.reason}`,
        values: { name: change.name, ...change.because },
      };
    case 'unknown_column':
      return {
        ...base,
        column: change.name,
        count: rows,
        samples: [],
        message: isReserved(change.name)
          ? `${change.name}: the name is reserved; rename the column`
          : `${change.name}: the contract knows no such column (it reads as ${tellType(change.type)})`,
        values: { isReserved: isReserved(change.name), type: tellType(change.type) },
      };
    case 'new_values':
      return {
        ...base,
        column: change.column.name,
        count: change.count,
        samples: change.samples,
        // The values themselves are only for those who may see the samples.
        message: `${change.column.name}: ${change.count} ${change.count === 1 ? 'row has' : 'rows have'} ${change.values.length === 1 ? 'a value' : `${change.values.length} values`} that the contract does not list`,
        values: { count: change.values.length },
      };
    case 'changed_type':
      return {
        ...base,
        column: change.column.name,
        count: change.count,
        samples: change.samples,
        message: `${change.column.name}: is ${tellType(change.column)} in the contract and reads as ${tellType(change.to)} in the file${expectedForm(change.column)}`,
        values: { from: tellType(change.column), to: tellType(change.to), forms: formsOf(change.column) },
      };
  }
}

function tellType(column: ColumnType): string {
  const form = writtenForm(column);
  return form === undefined ? column.type : `${column.type} (${form})`;
}

/** How values of the type are expected to be written, where people write them in many ways. */
function expectedForm(column: ColumnType): string {
  const form = formOf(column);
  return form === '' ? '' : `; values${form} are expected`;
}
