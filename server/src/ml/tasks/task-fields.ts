import { Failure } from '../../lib/failure.ts';
import type { Reading, readFields } from '../contract/yaml.ts';
import { type KindName, kinds } from '../kinds/kinds.ts';
import { daysMax, meantDays, parseDay, parseDays } from './target.ts';

/** The top-level fields of a task in YAML. Each is read further in the module that knows its meaning. */
export const taskFields = {
  query: 'string',
  entity: 'string',
  key: 'string',
  time: 'any',
  label: 'string',
  known: 'string',
  kind: 'string',
  metric: 'string',
  window: 'any',
  data_until: 'any',
  strict: 'boolean',
  ignore: 'list',
  hide: 'list',
  outcome: 'any',
  trust: 'list',
  features: 'map',
  labels: 'map',
  target: 'map',
  targets: 'map',
  delinquency: 'map',
  population: 'string',
  anchors: 'map',
  description: 'string',
} as const;

export type TaskFields = ReturnType<typeof readFields<typeof taskFields>>;

/** Reads the required field `kind`; undefined after a problem. */
export function readKind(reading: Reading, fields: TaskFields): KindName | undefined {
  const kind = kinds.find(({ name }) => name === fields.kind)?.name;
  if (!kind) reading.problem(['kind'], { code: 'not_among', known: kinds.map(({ name }) => name) });
  return kind;
}

/** Reads days in the form of `parseDays`; 1 when they cannot be read. */
export function readDays(reading: Reading, value: unknown, path: (string | number)[]): number {
  const parsed = parseDays(String(value));
  if (parsed === null)
    reading.problem(path, { code: 'no_span', text: JSON.stringify(value), meant: meantDays(String(value)) });
  else if (parsed > daysMax) reading.problem(path, { code: 'long_span', text: JSON.stringify(value), most: daysMax });
  return parsed ?? 1;
}

/** Reads a day in the form of `parseDay`, as microseconds; NaN after a problem. */
export function readDay(reading: Reading, value: unknown, path: string[]): number {
  const parsed = parseDay(value);
  if (Number.isNaN(parsed)) reading.problem(path, { code: 'no_day', text: JSON.stringify(value) });
  return parsed;
}

/** Runs a query parser on a field and reports its problems with the field's line; undefined after a problem. */
export function inQuery<T>(reading: Reading, path: string[], read: (file: string) => T): T | undefined {
  try {
    return read('');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const { at, message, because } of error.problems)
      reading.problem(path, `${at.replace(/^line 1, /, '')}: ${message}`, because);
    return undefined;
  }
}
