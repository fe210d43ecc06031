import { dateFormIn, zoneOf } from '../../lib/files/values.ts';
import type { ColumnContract, Contract, TableContract } from '../contract/contract.ts';
import { type Feature, isComparison } from '../features/feature.ts';
import { columnRequests } from '../graph/load.ts';
import { pairOf } from '../graph/pairs.ts';
import type { OutputField } from '../kinds/kind.ts';
import type { Task } from '../tasks/task.ts';
import { type ExampleRows, exampleOf } from './example.ts';

/** One input or output of a version, with what a form, a validator or a reader needs to know about it. */
export type Field = OutputField & {
  /** Share of the model's importance from features that read this column of the row; 0 to 1. */
  readonly importance?: number;
  /** Of a required input: null says that it is not known, and is taken. Left out, the input is refused all the same. */
  readonly nullable?: boolean;
  /**
   * Of the column that a new row is dated by: it is required unless `reference_date` is given. `past`: its day must
   * have come; `any`: it is planned, or names another row that has the date.
   */
  readonly dates_row?: 'past' | 'any';
  /** Of a number: texts write it as 1.234,56. A number of JSON is what it is. */
  readonly decimal_separator?: ',';
  /** Of a timestamp: the zone on whose clocks values with an offset are read. */
  readonly time_zone?: string;
  readonly source?: { readonly table: string; readonly column: string };
  /** Other names under which a row may have it, by the contract. */
  readonly aliases?: readonly string[];
  /** Of a file whose columns are mapped: the one that it is read from, whatever its names. */
  readonly column?: string;
};

/** Columns that a row to predict may have besides its inputs. They are copied to the answer. */
export const echoed = ['correlation_id', 'reference_id'] as const;

/**
 * Characters of a text that is copied to the answer, the key among them. Without it, a file of 2 kB that repeats one
 * text would have a result of any size.
 */
export const echoedLengthMax = 1_000;

/** The input for the day to predict as of. */
export const dayInput = 'reference_date';

/**
 * The inputs of a version: the entity's key; for new rows the columns that the model reads, with references and time.
 * `gains`: importance per feature, in any unit. `given`: rows of the entity table that examples may be made from, as
 * they were at their anchors.
 */
export function inputFields(
  task: Task,
  contract: Contract,
  fresh: boolean,
  features: readonly Feature[],
  gains: ArrayLike<number>,
  given: ExampleRows | null = null,
): Field[] {
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const key = table.columns.find(({ name }) => name === table.key[0])!;
  const asOf: Field = {
    name: dayInput,
    type: 'date',
    required: false,
    description: fresh
      ? 'Nothing after the end of this day is read. The row itself stands at its own time.'
      : 'Predict as of the end of this day.',
    example: exampleDay,
    pii: false,
  };
  const fieldOf = openFields(contract, table, given);
  if (!fresh) return [{ ...fieldOf(key, true), description: key.description ?? `Key of ${table.name}.` }, asOf];
  const importance = new Map<string, number>();
  let total = 0;
  features.forEach(({ focus, read }, f) => {
    total += gains[f];
    const column = focus.kind === 'root' && 'column' in read ? read.column : referencesOf(focus)[0];
    if (column !== undefined) importance.set(column, (importance.get(column) ?? 0) + gains[f]);
  });
  const followed = features.map(referencesRead);
  const reached = new Set(followed.flat());
  // What the model draws importance from by following references. In one that learned nothing no feature has any.
  const needed = new Set(followed.flatMap((references, f) => (total === 0 || gains[f] > 0 ? references : [])));
  const dating = datingColumn(table);
  const clock = table.time && 'column' in table.time ? table.time.clock : undefined;
  // A value whose knownFrom date is missing is not read, so that date is an input too.
  const datesKnown = new Set(
    table.columns.flatMap(({ name, knownFrom }) =>
      (importance.has(name) || reached.has(name)) && knownFrom !== undefined ? [knownFrom] : [],
    ),
  );
  const fields: Field[] = [
    {
      ...fieldOf(key, false),
      description: 'Key of the row, if it has one yet; its own record is kept out of its history.',
    },
  ];
  for (const column of table.columns) {
    const isDating = column.name === dating;
    const isTime = isDating || column.name === clock || datesKnown.has(column.name);
    const share = importance.get(column.name);
    if (column.name === key.name || !(isTime || share !== undefined || reached.has(column.name))) continue;
    // The values of a text column are rows that the model looks up; the column is an input like others all the same.
    const isReference = table.references.some((reference) => reference.column === column.name);
    const isNeeded = needed.has(column.name) && isReference && !isTime;
    fields.push({
      // What the contract requires of stored rows is another matter: the model can do without what it merely reads.
      ...fieldOf(column, isNeeded || isDating),
      ...(isNeeded && { nullable: true }),
      ...(isDating && datingOf(table, column)),
      ...(share === undefined || total === 0 ? {} : { importance: share / total }),
    });
  }
  return [...fields, asOf];
}

/** The column by which rows of a table are dated: their event time, or the reference to the row that has it. */
function datingColumn({ time }: TableContract): string | undefined {
  if (!time) return undefined;
  return 'column' in time ? time.column : time.reference;
}

function datingOf({ name, time }: TableContract, column: ColumnContract): Pick<Field, 'dates_row' | 'description'> {
  const isOwn = 'column' in time!;
  const about = column.description ?? `Column ${column.name} of ${name}.`;
  const description = `${about} Dates the row${isOwn ? '' : ' by the row it names'}: required unless ${dayInput} is given.`;
  return { dates_row: isOwn && !column.planned ? 'past' : 'any', description };
}

/** The references of a new row that a feature follows first. */
export function referencesRead({ focus, read }: Feature): string[] {
  return [...referencesOf(focus), ...(isComparison(read) ? [read.events.via[0]] : [])];
}

function referencesOf(focus: Feature['focus']): readonly string[] {
  if (focus.kind === 'root' || focus.kind === 'all') return [];
  if (focus.of.kind !== 'root') return referencesOf(focus.of);
  if (focus.kind === 'parent') return linksOf(focus.reference);
  return focus.kind === 'apart' ? [...linksOf(focus.reference), ...linksOf(focus.from)] : [];
}

function linksOf(reference: string): readonly string[] {
  return pairOf(reference) ?? [reference];
}

function openFields(contract: Contract, table: TableContract, given: ExampleRows | null) {
  // A reference is given with the type of the key it points to.
  const requests = new Map(columnRequests(contract, table).map((request) => [request.name, request]));
  const links = new Set([...table.key, ...table.references.map(({ column }) => column)]);
  const timeColumns = table.time && 'column' in table.time ? [table.time.column, table.time.clock] : [];
  // Only values known with the row: a value filled in or changed later would reveal more.
  const isKnown = ({ name, type, knownFrom, mutable, planned }: ColumnContract) =>
    knownFrom === undefined &&
    !mutable &&
    (planned || timeColumns.includes(name) || (type !== 'date' && type !== 'timestamp'));
  return (column: ColumnContract, required: boolean): Field => {
    const { name, description, unit, minimum, maximum, pii } = column;
    const { type, form } = requests.get(name)!;
    const isComma = form === 'decimal_comma';
    const format = dateFormIn(form) ?? column.format;
    const zone = zoneOf(form);
    return {
      name,
      type,
      required,
      description: description ?? `Column ${name} of ${table.name}.`,
      ...(format === undefined ? {} : { format }),
      ...(zone === undefined ? {} : { time_zone: zone }),
      ...(isComma ? { decimal_separator: ',' as const } : {}),
      ...(unit === undefined ? {} : { unit }),
      example: exampleOf(column, isKnown(column) ? given : null, links.has(name), type),
      ...(column.enum === undefined ? {} : { enum: column.enum }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
      pii,
      source: { table: table.name, column: name },
    };
  };
}

const exampleDay = '2024-12-31';
