import type { LogicalType } from '../../lib/files/column.ts';
import { startOf } from '../../lib/files/values.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import {
  aliasesMax,
  businessNameMax,
  type ColumnContract,
  type Contract,
  missingLengthMax,
  missingTextsMax,
  type TableContract,
} from './contract.ts';
import { patternProblem } from './pattern.ts';
import { isReserved } from './reserved.ts';
import type { Path } from './yaml.ts';

export type ContractProblem = { readonly path: Path; readonly message: string };

type Report = (path: Path, message: string) => void;

/**
 * The mistakes in a contract beyond its form: unknown names and contradicting rules. Empty when it is valid.
 * `allowsAnyPattern`: patterns that cannot be used are no mistakes.
 */
export function validateContract(contract: Contract, allowsAnyPattern = false): ContractProblem[] {
  const problems: ContractProblem[] = [];
  const report: Report = (path, message) => problems.push({ path, message });
  if (contract.tables.length === 0) report(['schema'], 'names no table');
  const tables = new Map<string, TableContract>();
  for (const [i, table] of contract.tables.entries()) {
    if (table.name !== '' && tables.has(table.name)) report(['schema', i, 'name'], `${table.name} is named twice`);
    else tables.set(table.name, table);
  }
  for (const [i, table] of contract.tables.entries()) {
    const path = ['schema', i];
    validateColumns(table, path, allowsAnyPattern, report);
    validateReferences(table, path, tables, report);
    validateTimes(table, path, tables, report);
  }
  return problems;
}

const isLink = ({ key, references }: TableContract, name: string): boolean =>
  key.includes(name) || references.some(({ column }) => column === name);

function validateColumns(table: TableContract, path: Path, allowsAnyPattern: boolean, report: Report): void {
  if (table.columns.length === 0) report([...path, 'properties'], `${table.name} has no columns`);
  const byName = columnsByName(table);
  validateBusinessName(table.businessName, path, report);
  validateAliases(table, path, report);
  for (const [i, column] of table.columns.entries()) {
    const at = [...path, 'properties', i];
    if (column.name !== '' && byName.get(column.name) !== column)
      report([...at, 'name'], `${column.name} is named twice`);
    validateBusinessName(column.businessName, at, report);
    validateRules(column, at, allowsAnyPattern, report);
    if (column.decimalSeparator !== undefined && isLink(table, column.name))
      report(
        [...at, 'customProperties', 'decimalSeparator'],
        'does not apply to a key or a reference, which are compared as they are written',
      );
    if (column.missingValues !== undefined) validateMissing(table, column, column.missingValues, at, report);
    if (column.knownFrom !== undefined) {
      const from = byName.get(column.knownFrom);
      const fromAt = [...at, 'customProperties', 'knownFrom'];
      const message = `knownFrom ${column.knownFrom}`;
      if (from === undefined) report(fromAt, `${message}: there is no such column`);
      else if (!isDated(from.type)) report(fromAt, `${message}: is not a date or timestamp`);
      else if (from === column) report(fromAt, `${message}: is the column itself`);
    }
  }
}

const known = new WeakMap<TableContract, ReadonlyMap<string, ColumnContract>>();

/** The columns of a table by name, the first of each name. A table never changes. */
function columnsByName(table: TableContract): ReadonlyMap<string, ColumnContract> {
  const found = known.get(table) ?? new Map(table.columns.toReversed().map((column) => [column.name, column]));
  known.set(table, found);
  return found;
}

function validateRules(column: ColumnContract, path: Path, allowsAnyPattern: boolean, report: Report): void {
  const options = [...path, 'logicalTypeOptions'];
  const isNumeric = column.type === 'integer' || column.type === 'number';
  for (const bound of ['minimum', 'maximum'] as const) {
    if (column[bound] !== undefined && !isNumeric) report([...options, bound], `does not apply to a ${column.type}`);
  }
  if (column.minimum !== undefined && column.maximum !== undefined && column.minimum > column.maximum) {
    report([...options, 'minimum'], `${column.minimum} is above the maximum ${column.maximum}`);
  }
  if (column.pattern !== undefined) {
    if (column.type !== 'string') report([...options, 'pattern'], `does not apply to a ${column.type}`);
    const message = allowsAnyPattern ? null : patternProblem(column.pattern);
    if (message !== null) report([...options, 'pattern'], message);
  }
  const allowed: readonly LogicalType[] =
    column.format === 'money'
      ? ['number', 'integer']
      : column.format === 'identifier' || column.format === 'phone'
        ? ['string', 'integer']
        : ['string'];
  if (column.format !== undefined && !allowed.includes(column.type)) {
    report([...options, 'format'], `${column.format} does not apply to a ${column.type}`);
  }
  if (column.planned && !isDated(column.type)) {
    report([...path, 'customProperties', 'planned'], 'planned applies to a date or timestamp only');
  }
  if (column.enum !== undefined) {
    if (new Set(column.enum).size < column.enum.length) report([...path, 'quality'], 'lists an allowed value twice');
    const misfit = isNumeric ? column.enum.find((value) => !Number.isFinite(Number(value))) : undefined;
    if (misfit !== undefined) report([...path, 'quality'], `${misfit} is not a ${column.type}`);
  }
}

function validateMissing(
  table: TableContract,
  { name, required }: ColumnContract,
  texts: readonly string[],
  path: Path,
  report: Report,
): void {
  const at = [...path, 'customProperties', 'missingValues'];
  if (table.key.includes(name)) report(at, `missingValues: ${name} is part of the key, which is never missing`);
  else if (required) report(at, `missingValues: ${name} is required`);
  if (texts.length === 0) report(at, 'missingValues: lists no text');
  if (texts.length > missingTextsMax) report(at, `missingValues: lists more than ${missingTextsMax} texts`);
  if (new Set(texts).size < texts.length) report(at, 'missingValues: lists a text twice');
  for (const text of texts) {
    const shown = JSON.stringify(text.slice(0, missingLengthMax));
    if (text.trim() !== text) report(at, `missingValues: ${shown}: blanks around a text do not count, leave them out`);
    if (text.length > missingLengthMax)
      report(at, `missingValues: ${shown}… is longer than ${missingLengthMax} characters`);
  }
}

/** It becomes part of sentences. */
function validateBusinessName(name: string | undefined, path: Path, report: Report): void {
  if (name === undefined) return;
  const at = [...path, 'businessName'];
  if (name.length > businessNameMax) report(at, `is longer than ${businessNameMax} characters`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || name.trim() !== name)
    report(at, 'must be one line without blanks around it');
}

/** No two columns may be meant by one name of a file, whatever its case. */
function validateAliases({ name, columns }: TableContract, path: Path, report: Report): void {
  const meant = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  for (const [i, column] of columns.entries()) {
    const { aliases } = column;
    if (aliases === undefined) continue;
    const at = [...path, 'properties', i, 'customProperties', 'aliases'];
    if (aliases.length === 0) report(at, 'aliases: lists no name');
    if (aliases.length > aliasesMax) report(at, `aliases: lists more than ${aliasesMax} names`);
    for (const alias of aliases) {
      const other = meant.get(alias.toLowerCase());
      if (alias.trim() === '') report(at, 'aliases: a name is empty');
      else if (isReserved(alias)) report(at, `aliases: the name ${alias} is reserved`);
      else if (other !== undefined)
        report(at, `aliases: ${startOf(alias, 40)} is a name of ${name}.${other.name} already`);
      else meant.set(alias.toLowerCase(), column);
    }
  }
}

function validateReferences(
  table: TableContract,
  path: Path,
  tables: ReadonlyMap<string, TableContract>,
  report: Report,
): void {
  const indexes = new Map([...table.columns.entries()].reverse().map(([index, { name }]) => [name, index]));
  const places = new Map<string, number>();
  const seen = new Set<string>();
  for (const { column, table: target, key } of table.references) {
    const place = places.get(column) ?? 0;
    places.set(column, place + 1);
    const index = indexes.get(column) ?? -1;
    const at = [...path, 'properties', index, 'relationships', place, 'to'];
    const referenced = tables.get(target);
    if (index < 0) report(path, `the reference from ${column} has no such column`);
    if (referenced === undefined) report(at, `there is no table ${target}`);
    else if (!columnsByName(referenced).has(key)) report(at, `${target} has no column ${key}`);
    else if (referenced.key.length !== 1 || referenced.key[0] !== key) {
      const found = referenced.key.length === 0 ? 'nothing' : referenced.key.join(' + ');
      report(at, `${target}.${key} is not the key of ${target} (its key is ${found}); only a single key is referenced`);
    }
    const name = JSON.stringify([column, target]);
    if (seen.has(name)) report(at, `${column} already points to ${target}`);
    seen.add(name);
  }
}

function validateTimes(
  table: TableContract,
  path: Path,
  tables: ReadonlyMap<string, TableContract>,
  report: Report,
): void {
  const at = [...path, 'customProperties', 'eventTime'];
  const columnOf = (name: string): ColumnContract | undefined => columnsByName(table).get(name);
  const requireDated = (name: string, role: string): void => {
    const column = columnOf(name);
    const roleAt = [...path, 'customProperties', role];
    const names = table.columns.map((other) => other.name);
    if (column === undefined)
      report(roleAt, `${role} ${name}: ${table.name} has no such column${didYouMean(name, names)}`);
    else if (!isDated(column.type)) report(roleAt, `${role} ${name}: is a ${column.type}, not a date or timestamp`);
  };
  if (table.knownAt !== undefined) requireDated(table.knownAt, 'knownAt');
  const time = table.time;
  if (time === undefined) return;
  if ('column' in time) {
    requireDated(time.column, 'eventTime');
    if (time.clock === undefined) return;
    const clock = columnOf(time.clock);
    const names = table.columns.map((other) => other.name);
    if (clock === undefined)
      report(at, `eventTime clock ${time.clock}: ${table.name} has no such column${didYouMean(time.clock, names)}`);
    else if (clock.type !== 'time') report(at, `eventTime clock ${time.clock}: is a ${clock.type}, not a time`);
    else if (columnOf(time.column)?.type === 'timestamp') report(at, 'eventTime clock: completes a date only');
    return;
  }
  const targets = table.references.filter((reference) => reference.column === time.reference);
  if (targets.length !== 1) {
    const found = targets.length === 0 ? 'is not a reference' : 'points to several tables';
    report(at, `eventTime reference ${time.reference}: ${found}`);
  } else if (tables.get(targets[0].table)?.time === undefined) {
    report(at, `eventTime reference ${time.reference}: ${targets[0].table} has no event time`);
  } else if (hasTimeCycle(table, tables)) {
    report(at, `eventTime reference ${time.reference}: leads back to ${table.name}, so no time is ever reached`);
  }
}

function hasTimeCycle(start: TableContract, tables: ReadonlyMap<string, TableContract>): boolean {
  const visited = new Set<TableContract>();
  for (let table: TableContract | undefined = start; table !== undefined; ) {
    if (visited.has(table)) return true;
    visited.add(table);
    const time: TableContract['time'] = table.time;
    if (time === undefined || 'column' in time) return false;
    const target: string | undefined = table.references.find((to) => to.column === time.reference)?.table;
    table = target === undefined ? undefined : tables.get(target);
  }
  return false;
}

function isDated(type: LogicalType): boolean {
  return type === 'date' || type === 'timestamp';
}
