import { assert, Failure } from '../../lib/failure.ts';
import { type Column, type LogicalType, type Rows, textColumn } from '../../lib/files/column.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { instantsOf } from '../../lib/time-zone.ts';
import { intervalColumn } from '../../ml/inference/predict.ts';
import type { OpenTarget } from './targets.ts';

/**
 * The columns of the answers, in order. Throws Failure 'invalid' when targets give a column different types; integer
 * and number are compatible and make a number.
 */
export function answerColumns(targets: readonly OpenTarget[], hasInterval: boolean): WriteColumn[] {
  const types = new Map<string, LogicalType>();
  for (const { opened } of targets) {
    for (const { name, type } of opened.columns) {
      const known = types.get(name) ?? type;
      const isNumeric = [known, type].every((one) => one === 'integer' || one === 'number');
      if (known !== type && !isNumeric)
        throw new Failure(
          'invalid',
          `the models of this file give ${name} different types (${known}, ${type}): put their rows in files of their own`,
        );
      types.set(name, known === type ? type : 'number');
    }
  }
  return [
    ...Array.from(types, ([name, type]) => ({ name, type })),
    ...(hasInterval ? [intervalColumn] : []),
    ...Object.keys(targets[0].told).map((name) => ({ name, type: 'string' as const })),
  ];
}

/** Answers to some rows of a chunk: `positions` are the places of these rows in the chunk. */
export type AnsweredPart = { readonly positions: readonly number[]; readonly answer: Rows };

/** The answers of the only target of a file. */
export function onlyOf(parts: readonly AnsweredPart[]): Rows {
  return parts.length === 0 ? { rows: 0, columns: new Map() } : parts[0].answer;
}

/** Joins the answers of several targets into one table, in order of row. */
export function gather(parts: readonly AnsweredPart[], columns: readonly WriteColumn[]): Rows {
  const order = parts.flatMap(({ positions }, part) => positions.map((position, at) => ({ position, part, at })));
  order.sort((a, b) => a.position - b.position);
  const gathered = columns.map(({ name, type }): [string, Column] => {
    const sources = parts.map(({ answer }) => answer.columns.get(name));
    if (type === 'string') return [name, gatherTexts(sources, order)];
    const values = Float64Array.from(order, ({ part, at }) => {
      const source = sources[part];
      return source && source.kind !== 'text' ? source.values[at] : Number.NaN;
    });
    return [name, { kind: type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number', values }];
  });
  return { rows: order.length, columns: new Map(gathered) };
}

function gatherTexts(
  sources: readonly (Column | undefined)[],
  order: readonly { readonly part: number; readonly at: number }[],
): Column {
  const texts = order.map(({ part, at }) => {
    const source = sources[part];
    return source?.kind === 'text' && source.codes[at] >= 0 ? source.dictionary[source.codes[at]] : null;
  });
  return textColumn(texts);
}

/** Replaces the column `as_of`, a wall-clock time of the zone, by its instant (to the millisecond). */
export function withInstants({ rows, columns }: Rows, timeZone: string): Rows {
  const asOf = columns.get('as_of');
  if (asOf === undefined) return { rows, columns };
  assert(asOf.kind === 'time', 'an answer says as of when it is');
  return {
    rows,
    columns: new Map([...columns, ['as_of', { kind: 'time', values: instantsOf(timeZone, asOf.values) }]]),
  };
}
