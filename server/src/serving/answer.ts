import type { Column, Rows } from '../lib/files/column.ts';
import { instantOf } from '../lib/time-zone.ts';
import type { Unknown } from '../ml/inference/coverage.ts';
import type { Explanation } from '../ml/inference/factors.ts';
import type { OutsideTold } from '../ml/inference/outside.ts';
import { explanationColumn, intervalColumn, outsideColumn, unknownColumn } from '../ml/inference/predict.ts';
import { jsonFormat } from '../ml/kinds/fields.ts';
import type { Field } from '../ml/version/schema.ts';
import { echoed } from '../ml/version/schema.ts';

/** The outputs of one answered row as JSON values by name, in the version's order. A missing value is null. */
export function readOutputs(
  answer: Rows,
  row: number,
  outputs: readonly Field[],
  timeZone: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of echoed) {
    const value = jsonValue(answer.columns.get(name), row, 'string');
    if (value !== null) values[name] = value;
  }
  for (const { name, type, format } of outputs) {
    const value = jsonValue(answer.columns.get(name), row, type);
    if (format === jsonFormat) values[name] = JSON.parse((value as string | null) ?? '[]');
    else if (name === 'as_of') values[name] = instantText(value as number, timeZone);
    else values[name] = value;
  }
  return values;
}

/** The moment that a row's answer is as of: microseconds in wall-clock time. */
export function momentRead(answer: Rows, row: number): number {
  return jsonValue(answer.columns.get('as_of'), row, 'timestamp') as number;
}

/** The interval of a row's answer. The answer must have been asked for with `interval`. */
export function readInterval(answer: Rows, row: number): unknown {
  return JSON.parse(jsonValue(answer.columns.get(intervalColumn.name), row, 'string') as string);
}

/** The explanation of a row's answer. The answer must have been asked for with `explanation`. */
export function readExplanation(answer: Rows, row: number): Explanation {
  return JSON.parse(jsonValue(answer.columns.get(explanationColumn.name), row, 'string') as string) as Explanation;
}

/** What was not known of a row. The answer must have been asked for with `unknown`. */
export function readUnknown(answer: Rows, row: number): Unknown[] {
  return JSON.parse(jsonValue(answer.columns.get(unknownColumn.name), row, 'string') as string) as Unknown[];
}

/** The condition that a row does not meet; null if none. The answer must have been asked for with `outside`. */
export function readOutside(answer: Rows, row: number): OutsideTold | null {
  const text = jsonValue(answer.columns.get(outsideColumn.name), row, 'string') as string | null;
  return text === null ? null : (JSON.parse(text) as OutsideTold);
}

/** Converts a wall-clock time of the zone (microseconds) to its instant, as ISO 8601 text in UTC. */
export function instantText(wallUs: number, timeZone: string): string {
  return new Date(instantOf(timeZone, Math.floor(wallUs / 1000))).toISOString();
}

function jsonValue(column: Column | undefined, row: number, type: Field['type']): unknown {
  if (column === undefined) return null;
  if (column.kind === 'text') return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
  const value = column.values[row];
  if (Number.isNaN(value)) return null;
  return type === 'boolean' ? value === 1 : value;
}
