import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Column, Reject, Rows } from '../../lib/files/column.ts';
import { type ColumnRequest, type ReadTable, readTable } from '../../lib/files/read.ts';
import { type Contract, microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { isTableFile, tableNameOf } from '../contract/files.ts';
import type { KeyLookup, KeyValue, ResolvedReference, Table, Tables, Versions } from './tables.ts';

/** What loading noticed and did not fail on: shown to the user and kept in the report. */
export type LoadReport = { readonly warnings: string[]; readonly rejects: Reject[]; rejectedTotal: number };

/** Below this share of matching references a reference is taken for a mistake in the contract, not for dirty data. */
const referenceMatchMin = 0.5;

/** The folder that holds the table files: `tables/` inside a data set folder, else the folder itself. */
export function tablesFolder(folder: string): string {
  const inner = join(folder, 'tables');
  return existsSync(inner) && statSync(inner).isDirectory() ? inner : folder;
}

/**
 * Files of one table: `<name>.<ending>`, or every data file of a folder `<name>/`, sorted by name.
 * Throws Failure 'not_found' when there is none, 'invalid' when there are two of one name.
 */
export function filesOfTable(folder: string, name: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Failure('not_found', `${folder} is not a folder`);
  const parts = join(folder, name);
  if (existsSync(parts) && statSync(parts).isDirectory()) {
    const found = readdirSync(parts).filter(isTableFile).sort();
    if (found.length > 0) return found.map((file) => join(parts, file));
  }
  const files = readdirSync(folder).filter((file) => isTableFile(file) && tableNameOf(file) === name);
  if (files.length === 0)
    throw new Failure('not_found', `table ${name}: no file ${name}.csv, .parquet or .jsonl in ${folder}`);
  if (files.length > 1)
    throw new Failure('invalid', `table ${name}: ${files.sort().join(' and ')} in ${folder}; leave one of them`);
  return [join(folder, files[0])];
}

/**
 * Reads every table of `contract` from `folder` (see `tablesFolder`) and resolves its references.
 * Dates after `now` (microseconds) or before 1900 are kept and named in the report.
 * Throws Failure as `filesOfTable` does, and 'invalid' when a key column is missing or fewer than half of a reference's
 * values match.
 */
export async function loadTables(
  folder: string,
  contract: Contract,
  progress: (line: string) => void = () => {},
  now = Number.POSITIVE_INFINITY,
): Promise<{ tables: Tables; report: LoadReport }> {
  const source = tablesFolder(folder);
  return await readTables(contract, (name) => filesOfTable(source, name), { progress, now });
}

export type ReadTablesOptions = {
  readonly progress: (line: string) => void;
  /** Microseconds; later dates are named in the report. */
  readonly now: number;
  /** Whether a reference that hardly ever leads anywhere is a warning: the rows were accepted long ago. */
  readonly isTolerant?: boolean;
  /** How the files of a table are read, where that is not as the contract says. */
  readonly requestsOf?: (table: TableContract) => readonly ColumnRequest[];
};

/**
 * Reads every table of `contract` from the files that `filesOf` gives for its name, in their order, and resolves its references.
 * A table without files has no rows. Throws Failure as `loadTables` does.
 */
export async function readTables(
  contract: Contract,
  filesOf: (table: string) => readonly string[],
  { progress, now, isTolerant = false, requestsOf }: ReadTablesOptions,
): Promise<{ tables: Tables; report: LoadReport }> {
  const report: LoadReport = { warnings: [], rejects: [], rejectedTotal: 0 };
  const rowsOf = new Map<string, Rows>();
  for (const table of contract.tables) {
    const read = await readTable(filesOf(table.name), requestsOf?.(table) ?? columnRequests(contract, table), {});
    report.warnings.push(...read.warnings);
    if (read.unknownColumns.length > 0) {
      report.warnings.push(
        `table ${table.name}: columns not in the contract were ignored: ${read.unknownColumns.join(', ')}`,
      );
    }
    for (const reject of read.rejects) if (report.rejects.length < 1000) report.rejects.push(reject);
    report.rejectedTotal += read.rejectedTotal;
    report.warnings.push(...warnOfRejects(table.name, read), ...warnOfRows(table, read.rows, now));
    rowsOf.set(table.name, read.rows);
    progress(`read ${table.name}: ${read.rows.rows} rows`);
  }
  const tables = linkTables(contract, rowsOf, report.warnings, isTolerant ? 0 : referenceMatchMin);
  report.warnings.push(...warnOfTimes(tables));
  return { tables, report };
}

const rejectReasonsShown = 3;

/** Says how much could not be read, column by column, each with an example. */
function warnOfRejects(name: string, { rejects, rejectedTotal }: ReadTable): string[] {
  if (rejectedTotal === 0) return [];
  const groups = Map.groupBy(rejects, ({ column }) => column);
  const examples = [...groups.values()].slice(0, rejectReasonsShown).map(([first, ...others]) => {
    const { file, row, column, reason } = first!;
    const count = others.length > 0 ? ` (and ${others.length} more like it)` : '';
    return `${file}, row ${row}${column === null ? '' : `, column ${column}`}: ${reason}${count}`;
  });
  if (groups.size > examples.length) examples.push('…');
  const total = rejectedTotal > rejects.length ? `, of which the first ${rejects.length} were looked at` : '';
  return [`table ${name}: ${rejectedTotal} values or rows rejected${total}: ${examples.join('; ')}`];
}

/** The farthest moment a Date holds; Parquet knows farther ones. */
const dateMs = 8.64e15;
const ancient = Date.UTC(1900, 0, 1) * 1000;
/** A day may have begun elsewhere that has not begun in UTC. */
const aheadMax = microsecondsPerDay;

/** Names what is legal and yet rarely meant: no rows, and dates that lie before 1900 or in the future. */
function warnOfRows(table: TableContract, rows: Rows, now: number): string[] {
  if (rows.rows === 0) return [`table ${table.name}: no rows`];
  const warnings: string[] = [];
  const hint = 'mark the column planned if they are known ahead';
  const dated = table.columns.filter(({ type }) => type === 'date' || type === 'timestamp');
  for (const { name, planned } of dated) {
    const column = rows.columns.get(name);
    // A date that refers to a table is read with the type of that table's key.
    if (column?.kind !== 'time') continue;
    const { values } = column;
    const say = (found: Float64Array, of: number, what: string) => {
      if (found.length === 0) return;
      const day = new Date(Math.min(Math.max(of / 1000, -dateMs), dateMs)).toISOString().split('T', 1)[0];
      warnings.push(`table ${table.name}: ${found.length} of ${rows.rows} values of ${name} ${what} ${day}`);
    };
    const old = values.filter((value) => value < ancient);
    say(
      old,
      old.reduce((a, b) => Math.min(a, b), 0),
      'lie before 1900, the earliest on',
    );
    if (planned) continue;
    const late = values.filter((value) => value > now + aheadMax);
    say(
      late,
      late.reduce((a, b) => Math.max(a, b), 0),
      `lie in the future and are not read until then (${hint}), the latest on`,
    );
  }
  return warnings;
}

/** Names the tables whose rows have no moment from which they are known, and the rows that lack theirs. */
function warnOfTimes(tables: Tables): string[] {
  const warnings: string[] = [];
  const timeless: string[] = [];
  for (const { name, rows, time } of tables.values()) {
    if (!time) timeless.push(name);
    const undated = time?.reduce((count, moment) => count + Number(Number.isNaN(moment)), 0) ?? 0;
    if (undated > 0)
      warnings.push(`table ${name}: ${undated} of ${rows} rows have no event time and do not count as events`);
  }
  if (timeless.length > 0)
    warnings.push(`without an event time, so taken as known at every moment: ${timeless.join(', ')}`);
  return warnings;
}

/** How the columns of a table are read from its files. */
export function columnRequests(contract: Contract, table: TableContract): ColumnRequest[] {
  return table.columns.map((column) => {
    const reference = table.references.find((r) => r.column === column.name);
    const target = reference && contract.tables.find((t) => t.name === reference.table);
    const key = target?.columns.find((c) => c.name === reference?.key);
    // A reference is read with the type of the key it points to: a zero-padded text key read as an integer matches nothing.
    const type = key?.type ?? column.type;
    const { name, missingValues: missing } = column;
    return { name, type, required: table.key.includes(name), ...(missing && { missing }) };
  });
}

/**
 * Builds linked tables from rows already in memory. Warnings are appended to `warnings`; see `loadTables` for errors.
 * `matchMin`: the least share of a reference's values that must be keys.
 */
export function linkTables(
  contract: Contract,
  rowsOf: ReadonlyMap<string, Rows>,
  warnings: string[],
  matchMin = referenceMatchMin,
): Tables {
  const tables = new Map<string, Table>();
  const keys = new Map<string, Map<KeyValue, number>>();
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name) ?? { rows: 0, columns: new Map() };
    keys.set(table.name, indexKeys(table, rows, warnings));
  }
  const times = new Map<string, Float64Array | undefined>();
  const references = new Map<string, Map<string, ResolvedReference>>();
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name);
    if (rows) references.set(table.name, resolveReferences(table, rows, keys, warnings, matchMin));
  }
  const timeOf = (name: string, seen: readonly string[]): Float64Array | undefined => {
    if (times.has(name)) return times.get(name);
    if (seen.includes(name))
      throw new Failure('invalid', `event time goes round in a circle: ${[...seen, name].join(' → ')}`);
    const table = contract.tables.find((t) => t.name === name);
    const rows = rowsOf.get(name);
    let time: Float64Array | undefined;
    if (table?.time && rows) {
      time =
        'column' in table.time
          ? ownTime(table, rows, table.time.column, table.time.clock)
          : inheritedTime(
              references.get(name)?.get(table.time.reference),
              table.time.offset,
              (target) => timeOf(target, [...seen, name]),
              rows.rows,
            );
    }
    times.set(name, time);
    return time;
  };
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name);
    if (!rows) continue;
    const time = timeOf(table.name, []);
    const rowOf = keys.get(table.name)!;
    const versions = table.knownAt ? orderVersions(table, rows, time) : undefined;
    tables.set(table.name, {
      contract: table,
      name: table.name,
      rows: rows.rows,
      columns: rows.columns,
      rowOf,
      references: references.get(table.name)!,
      ...(time ? { time } : {}),
      ...(versions ? { versions } : {}),
    });
  }
  return tables;
}

/** The value of a key or reference column at a row, as `Table.rowOf` spells it; null when missing. */
export function keyValue(column: Column, row: number): KeyValue | null {
  if (column.kind === 'text') return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
  const value = column.values[row];
  return Number.isNaN(value) ? null : value;
}

function indexKeys(table: TableContract, rows: Rows, warnings: string[]): Map<KeyValue, number> {
  const rowOf = new Map<KeyValue, number>();
  if (table.key.length !== 1) return rowOf;
  const column = rows.columns.get(table.key[0]);
  if (!column) throw new Failure('invalid', `table ${table.name}: key column ${table.key[0]} is missing`);
  let repeated = 0;
  for (let row = 0; row < rows.rows; row++) {
    const key = keyValue(column, row);
    if (key === null) continue;
    if (rowOf.has(key)) repeated++;
    else rowOf.set(key, row);
  }
  if (repeated > 0 && !table.knownAt) {
    warnings.push(
      `table ${table.name}: ${repeated} rows repeat a key of ${table.key[0]}; references lead to the first of them`,
    );
  }
  return rowOf;
}

function resolveReferences(
  table: TableContract,
  rows: Rows,
  keys: ReadonlyMap<string, ReadonlyMap<KeyValue, number>>,
  warnings: string[],
  matchMin: number,
): Map<string, ResolvedReference> {
  const resolved = new Map<string, ResolvedReference>();
  for (const reference of table.references) {
    const column = rows.columns.get(reference.column);
    const rowOf = keys.get(reference.table);
    if (!column || !rowOf) continue;
    const target = resolveKeys(column, rows.rows, rowOf);
    let filled = 0;
    let matched = 0;
    for (let row = 0; row < rows.rows; row++) {
      if (keyValue(column, row) === null) continue;
      filled++;
      if (target[row] >= 0) matched++;
    }
    if (filled > 0 && matched < filled * matchMin) {
      throw new Failure(
        'invalid',
        `table ${table.name}: only ${matched} of ${filled} values of ${reference.column} are keys of ${reference.table}.${reference.key}; check the reference and the types of both columns`,
      );
    }
    if (matched < filled) {
      warnings.push(
        `table ${table.name}: ${filled - matched} of ${filled} values of ${reference.column} are not in ${reference.table}.${reference.key}`,
      );
    }
    resolved.set(reference.column, { table: reference.table, rows: target });
  }
  return resolved;
}

/** Row numbers of the keys in `column`, -1 where there is none. */
export function resolveKeys(column: Column, rows: number, rowOf: KeyLookup): Int32Array {
  const target = new Int32Array(rows).fill(-1);
  if (column.kind === 'text') {
    const byCode = Int32Array.from(column.dictionary, (value) => rowOf.get(value) ?? -1);
    for (let row = 0; row < rows; row++) if (column.codes[row] >= 0) target[row] = byCode[column.codes[row]];
  } else {
    for (let row = 0; row < rows; row++) {
      const value = column.values[row];
      if (!Number.isNaN(value)) target[row] = rowOf.get(value) ?? -1;
    }
  }
  return target;
}

/** Readable moments of the dates in `values`: a day is known at its last microsecond. */
export function endOfDay(values: Float64Array): Float64Array {
  return values.map((value) => value + microsecondsPerDay - 1);
}

/** The moments from which the values of a date or timestamp column are known; undefined when the column has none. */
export function momentsOf(table: TableContract, rows: Rows, name: string): Float64Array | undefined {
  const column = rows.columns.get(name);
  if (column?.kind !== 'time') return undefined;
  return table.columns.find((c) => c.name === name)?.type === 'date' ? endOfDay(column.values) : column.values;
}

function ownTime(table: TableContract, rows: Rows, name: string, clock: string | undefined): Float64Array {
  const moments = momentsOf(table, rows, name);
  if (!moments)
    throw new Failure('invalid', `table ${table.name}: event time column ${name} is not a date or timestamp`);
  const clockColumn = clock === undefined ? undefined : rows.columns.get(clock);
  if (clockColumn?.kind !== 'time') return moments;
  const days = rows.columns.get(name) as { values: Float64Array };
  // Without its time of day a row counts as known at the end of the day.
  return moments.map((moment, row) =>
    Number.isNaN(clockColumn.values[row]) ? moment : days.values[row] + clockColumn.values[row],
  );
}

function inheritedTime(
  reference: ResolvedReference | undefined,
  offset: number,
  timeOf: (table: string) => Float64Array | undefined,
  rows: number,
): Float64Array | undefined {
  if (!reference) return undefined;
  const parent = timeOf(reference.table);
  const time = new Float64Array(rows).fill(Number.NaN);
  if (parent)
    for (let row = 0; row < rows; row++) if (reference.rows[row] >= 0) time[row] = parent[reference.rows[row]] + offset;
  return time;
}

function orderVersions(table: TableContract, rows: Rows, time: Float64Array | undefined): Versions {
  const known = momentsOf(table, rows, table.knownAt!);
  if (!known)
    throw new Failure('invalid', `table ${table.name}: known_at column ${table.knownAt} is not a date or timestamp`);
  const keyColumns = table.key.map((name) => rows.columns.get(name)!);
  const first = new Map<string, number>();
  const entity = new Int32Array(rows.rows);
  for (let row = 0; row < rows.rows; row++) {
    const key =
      keyColumns.length === 0 ? String(row) : JSON.stringify(keyColumns.map((column) => keyValue(column, row)));
    const seen = first.get(key);
    if (seen === undefined) first.set(key, row);
    entity[row] = seen ?? row;
  }
  // A version that gives no moment of its own was known with its event.
  const from = Float64Array.from(known, (moment, row) => {
    const event = time ? time[row] : Number.NEGATIVE_INFINITY;
    const since = Number.isNaN(moment) ? event : Math.max(moment, event);
    return Number.isNaN(since) ? Number.POSITIVE_INFINITY : since;
  });
  const order = Int32Array.from({ length: rows.rows }, (_, row) => row).sort(
    (a, b) => entity[a] - entity[b] || from[a] - from[b] || a - b,
  );
  const offsets = new Int32Array(rows.rows + 1);
  for (let row = 0; row < rows.rows; row++) offsets[entity[row] + 1]++;
  for (let row = 0; row < rows.rows; row++) offsets[row + 1] += offsets[row];
  const until = new Float64Array(rows.rows).fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k + 1 < order.length; k++) {
    if (entity[order[k]] === entity[order[k + 1]]) until[order[k]] = from[order[k + 1]];
  }
  return { from, until, offsets, rows: order };
}
