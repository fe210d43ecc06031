import type { LogicalType } from '../../lib/files/column.ts';
import type { ColumnContract, Contract, TableContract } from '../contract/contract.ts';
import { type Feature, isComparison } from '../features/feature.ts';
import type { Task } from '../tasks/task.ts';

/** One input or output of a version, with what a form, a validator or a reader needs to know of it. */
export type Field = {
  readonly name: string;
  readonly type: LogicalType;
  readonly required: boolean;
  readonly description: string;
  readonly format?: string;
  readonly unit?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pii: boolean;
  /** Share of the model's gain that comes from features reading it, where it is a column of the row itself; 0 to 1. */
  readonly importance?: number;
  readonly source?: { readonly table: string; readonly column: string };
};

/** Columns that a row to predict may carry besides its inputs; they come back with the answer. */
export const echoed = ['correlation_id', 'reference_id'] as const;

/**
 * The inputs of a version: the entity's key, or the columns of a new row that the model reads with its references and its
 * time. `gains`: per feature, in any unit.
 */
export function inputFields(
  task: Task,
  contract: Contract,
  fresh: boolean,
  features: readonly Feature[],
  gains: ArrayLike<number>,
): Field[] {
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const key = table.columns.find(({ name }) => name === table.key[0])!;
  const asOf: Field = {
    name: 'reference_date',
    type: 'date',
    required: false,
    description: 'Predict as of the end of this day.',
    pii: false,
  };
  if (!fresh) return [{ ...fieldOf(table, key, true), description: key.description ?? `Key of ${table.name}.` }, asOf];
  const importance = new Map<string, number>();
  let total = 0;
  features.forEach(({ focus, read }, f) => {
    total += gains[f];
    const column = focus.kind === 'root' && 'column' in read ? read.column : referencesOf(focus)[0];
    if (column !== undefined) importance.set(column, (importance.get(column) ?? 0) + gains[f]);
  });
  const reached = new Set(
    features.flatMap(({ focus, read }) => [
      ...referencesOf(focus),
      ...(isComparison(read) ? [read.events.via[0]] : []),
    ]),
  );
  const timeColumns = !table.time
    ? []
    : 'column' in table.time
      ? [table.time.column, table.time.clock]
      : [table.time.reference];
  // Without the date from which it is known a value is not read.
  const datesKnown = new Set(
    table.columns.flatMap(({ name, knownFrom }) =>
      importance.has(name) && knownFrom !== undefined ? [knownFrom] : [],
    ),
  );
  const fields: Field[] = [
    {
      ...fieldOf(table, key, false),
      description: 'Key of the row, if it has one yet; its own record is kept out of its history.',
    },
  ];
  for (const column of table.columns) {
    const isTime = timeColumns.includes(column.name) || datesKnown.has(column.name);
    const share = importance.get(column.name);
    if (column.name === key.name || !(isTime || share !== undefined || reached.has(column.name))) continue;
    fields.push({
      ...fieldOf(table, column, column.required && !isTime),
      ...(share === undefined || total === 0 ? {} : { importance: share / total }),
    });
  }
  return [...fields, asOf];
}

function referencesOf(focus: Feature['focus']): string[] {
  if (focus.kind === 'root' || focus.kind === 'all') return [];
  if (focus.kind === 'parent' && focus.of.kind === 'root') return [focus.reference];
  return referencesOf(focus.of);
}

function fieldOf(table: TableContract, column: ColumnContract, required: boolean): Field {
  const { name, type, description, format, unit, minimum, maximum, pii } = column;
  return {
    name,
    type,
    required,
    description: description ?? `Column ${name} of ${table.name}.`,
    ...(format === undefined ? {} : { format }),
    ...(unit === undefined ? {} : { unit }),
    ...(column.enum === undefined ? {} : { enum: column.enum }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    pii,
    source: { table: table.name, column: name },
  };
}

/** The outputs of a version, in the order they are written. */
export function outputFields(task: Task, outputs: readonly string[], classes: readonly string[]): Field[] {
  const probability = (name: string, description: string): Field => ({
    name,
    type: 'number',
    required: true,
    description,
    minimum: 0,
    maximum: 1,
    pii: false,
  });
  const always: Field[] = [
    {
      name: 'data_coverage',
      type: 'string',
      required: true,
      description: 'How much of what the model reads was known.',
      enum: ['full', 'partial', 'none'],
      pii: false,
    },
    {
      name: 'as_of',
      type: 'timestamp',
      required: true,
      description: 'The moment the prediction is made for.',
      pii: false,
    },
  ];
  const factors: Field = {
    name: 'key_factors',
    type: 'string',
    required: true,
    description: 'What moved the answer most, as a JSON list of sentences.',
    pii: false,
  };
  if (task.kind === 'credit') {
    return [
      {
        name: 'score',
        type: 'integer',
        required: true,
        description: 'Higher means lower risk.',
        minimum: 0,
        maximum: 1000,
        pii: false,
      },
      ...outputs.map((name) => probability(name, `Probability of default within ${/\d+/.exec(name)?.[0]} days.`)),
      { name: 'risk_band', type: 'string', required: true, description: 'Band of the score.', pii: false },
      factors,
      ...always,
    ];
  }
  if (task.kind === 'multiclass') {
    return [
      {
        name: 'prediction',
        type: 'string',
        required: true,
        description: 'The most probable class.',
        enum: classes,
        pii: false,
      },
      ...classes.map((name) => probability(`probability_${name}`, `Probability of ${name}.`)),
      ...always,
    ];
  }
  const fields = outputs.map(
    (name): Field =>
      task.kind === 'regression'
        ? { name, type: 'number', required: true, description: `Expected ${task.label}.`, pii: false }
        : probability(name, `Probability that ${task.label} is 1.`),
  );
  return [...fields, factors, ...always];
}
