import type { Column } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { columnIsProtected } from '../explain/protected.ts';
import { type Feature, isComparison } from '../features/feature.ts';
import { rowsAsOf } from '../graph/as-of/rows.ts';
import { datedBy, isKnown, knownMoments } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { entityTable } from '../tasks/examples.ts';
import { dayInput, type Field, referencesRead } from '../version/schema.ts';
import type { Version } from '../version/version.ts';

/** The values that an input of new rows may be changed to, by what the data have of it as of a moment. */
export type Domain = {
  /** Whether no feature reads it together with another of the inputs that are asked about. */
  readonly isAlone: boolean;
} & (
  | {
      readonly kind: 'number' | 'moment';
      /** Moments are microseconds. */
      readonly least: number;
      readonly most: number;
      /** The smallest change worth telling: 1 of integers, a day of moments, else what the data are written to. */
      readonly step: number;
      /** From the first to the ninth tenth of the values; positive. */
      readonly spread: number;
    }
  /** The most frequent value first. */
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
);

/** Why an input cannot be changed. */
export type Unchangeable = {
  readonly unchangeable:
    | 'known_entity'
    | 'protected'
    | 'personal'
    | 'key'
    | 'reference'
    | 'reference_date'
    | 'dates_row'
    | 'type'
    | 'many_values'
    | 'no_values';
};

/** Most different texts that are tried. */
export const choicesMax = 200;
/** A text that fewer rows have could tell of one of them. */
const choiceRowsMin = 5;
/** Values that quantiles and decimals are taken from, evenly spread over the rows. */
const sampleMax = 10_000;
const decimalsMax = 6;
/** Of numbers without an end to their decimals, this share of the spread is one step, rounded to a power of ten. */
const stepShare = 1e-3;

/**
 * The domain of each input that a caller wants changed. Only rows, and values, that were known by `until`
 * (microseconds) are looked at. `names` are inputs of the version.
 */
export function domainsOf(
  { version, tables, inputs }: Pick<OpenVersion, 'version' | 'tables' | 'inputs'>,
  names: readonly string[],
  until: number,
): (Domain | Unchangeable)[] {
  const table = entityTable(version.task, tables);
  const shared = sharedInputs(version, table, names);
  return names.map((name) => {
    const field = inputs.find((one) => one.name === name)!;
    const unchangeable = refusalOf(version, field);
    return unchangeable ? { unchangeable } : valuesOf(table, field, until, !shared.has(name));
  });
}

function refusalOf({ task, contract, fresh }: Version, field: Field): Unchangeable['unchangeable'] | null {
  if (field.name === dayInput) return 'reference_date';
  if (!fresh) return 'known_entity';
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const column = table.columns.find(({ name }) => name === field.name);
  if (!column) return 'type';
  if (column.pii || field.pii) return 'personal';
  if (columnIsProtected(table, column)) return 'protected';
  if (table.key.includes(field.name)) return 'key';
  if (table.references.some(({ column }) => column === field.name)) return 'reference';
  const isClock = table.time && 'column' in table.time && table.time.clock === field.name;
  if (field.dates_row || isClock) return 'dates_row';
  return field.type === 'time' ? 'type' : null;
}

/** The inputs among `names` that a feature reads together with another of them. */
function sharedInputs(version: Version, table: Table, names: readonly string[]): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const feature of version.features) {
    const read = inputsRead(feature, table).filter((name) => names.includes(name));
    if (new Set(read).size > 1) for (const name of read) shared.add(name);
  }
  return shared;
}

/** The columns of the row itself by which a feature has its value. */
function inputsRead(feature: Feature, table: Table): string[] {
  const { focus, read } = feature;
  const isOwn = (focus.kind === 'root' && 'column' in read && !('events' in read)) || isComparison(read);
  const own = isOwn && 'column' in read ? [read.column] : [];
  const all = [...own, ...referencesRead(feature)];
  return all.flatMap((name) => {
    const from = datedBy(table, name);
    return from === undefined ? [name] : [name, from];
  });
}

function valuesOf(table: Table, field: Field, until: number, isAlone: boolean): Domain | Unchangeable {
  if (field.type === 'boolean') return { kind: 'flag', isAlone };
  const column = table.columns.get(field.name);
  const rows = column ? knownRows(table, column, field.name, until) : [];
  if (!column || rows.length === 0) return { unchangeable: 'no_values' };
  if (column.kind === 'text') {
    const counts = new Map<number, number>();
    for (const row of rows) counts.set(column.codes[row], (counts.get(column.codes[row]) ?? 0) + 1);
    const values = Array.from(counts, ([code, count]) => ({ value: column.dictionary[code], count }))
      .filter(({ value, count }) => count >= choiceRowsMin && (field.enum?.includes(value) ?? true))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .map(({ value }) => value);
    if (values.length > choicesMax) return { unchangeable: 'many_values' };
    if (values.length === 0) return { unchangeable: 'no_values' };
    return { kind: 'choice', values, isAlone };
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const value = column.values[row];
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const stride = Math.ceil(rows.length / sampleMax);
  const sample = Float64Array.from(
    { length: Math.ceil(rows.length / stride) },
    (_, i) => column.values[rows[i * stride]],
  );
  sample.sort();
  const tenth = (share: number) => sample[Math.round(share * (sample.length - 1))];
  const spread = tenth(0.9) - tenth(0.1) || most - least || 1;
  if (column.kind === 'time') {
    const isPlanned = table.contract.columns.find(({ name }) => name === field.name)?.planned === true;
    // A date that has not come is not read, unless it is planned.
    const last = isPlanned ? most : Math.min(most, until);
    return { kind: 'moment', least, most: last, step: microsecondsPerDay, spread, isAlone };
  }
  return {
    kind: 'number',
    least: Math.max(least, field.minimum ?? least),
    most: Math.min(most, field.maximum ?? most),
    step: field.type === 'integer' ? 1 : stepOf(sample, spread),
    spread,
    isAlone,
  };
}

/** The rows whose value of a column is there, and was known by `until`. */
function knownRows(table: Table, column: Column, name: string, until: number): number[] {
  const known = knownMoments(table, name);
  const rows: number[] = [];
  for (const row of rowsAsOf(table, until)) {
    const isThere = column.kind === 'text' ? column.codes[row] >= 0 : !Number.isNaN(column.values[row]);
    if (isThere && isKnown(known, row, until)) rows.push(row);
  }
  return rows;
}

/** A power of ten: what all values are multiples of, or a small share of their spread. */
function stepOf(values: Float64Array, spread: number): number {
  for (let decimals = 0; decimals <= decimalsMax; decimals++)
    if (values.every((value) => Number(value.toFixed(decimals)) === value))
      return Number((10 ** -decimals).toFixed(decimals));
  return 10 ** Math.floor(Math.log10(stepShare * spread));
}
