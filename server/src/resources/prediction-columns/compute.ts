import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Column, textColumn } from '../../lib/files/column.ts';
import { openWriter } from '../../lib/files/write.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { encodeVector, vectorOf } from '../../ml/version/given-vectors.ts';
import { columnNames, outputColumn } from './columns.ts';

export type ColumnsTask = {
  /** Local files: predictions as lines of JSON, by id, and where to write them as Parquet. */
  readonly path: string;
  readonly out: string;
};

const rowsPerWrite = 16_384;
const { id, version, alias, asOf, generated, entity } = columnNames;
const fixed: readonly WriteColumn[] = [
  ...[id, version, alias, entity].map((name) => ({ name, type: 'string' as const })),
  ...[asOf, generated].map((name) => ({ name, type: 'timestamp' as const })),
];

/**
 * Writes predictions of a log as columns: those of `columnNames`, the inputs by name, and the fields of the answers
 * that are numbers, booleans or texts. A column of whole numbers, numbers or booleans alone has their type; any other
 * is text, where a list is what a file would hold for it. The same lines give the same bytes. Returns the number of
 * rows.
 */
export async function writeColumns({ path, out }: ColumnsTask): Promise<number> {
  const kinds = new Map<string, ValueKind>();
  for await (const row of readLog(path))
    for (const [name, value] of row.values) kinds.set(name, joined(kinds.get(name), kindOf(value)));
  const columns = [
    ...fixed,
    ...[...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]): WriteColumn => ({ name, type: kind })),
  ];
  const writer = await openWriter(out, 'parquet', columns);
  let rows = 0;
  try {
    let waiting: LogRow[] = [];
    const flush = async () => {
      const made = columns.map(({ name, type }): [string, Column] => [name, columnOf(name, type, waiting)]);
      await writer.write({ rows: waiting.length, columns: new Map(made) });
      rows += waiting.length;
      waiting = [];
    };
    for await (const row of readLog(path)) if (waiting.push(row) === rowsPerWrite) await flush();
    if (waiting.length > 0) await flush();
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return rows;
}

type LogRow = {
  readonly texts: ReadonlyMap<string, string | null>;
  readonly times: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, Value>;
};
type Value = string | number | boolean;
type ValueKind = 'integer' | 'number' | 'boolean' | 'string';

/** A line as the service has written it. */
type Line = {
  readonly id: string;
  readonly version: string;
  readonly alias: string | null;
  readonly as_of: string;
  readonly entity: string | null;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
};

async function* readLog(path: string): AsyncGenerator<LogRow> {
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as Line;
    const values = new Map<string, Value>();
    for (const [name, value] of Object.entries(line.inputs)) {
      const told = inputValue(value);
      if (told !== null) values.set(name, told);
    }
    for (const [name, value] of Object.entries(line.outputs))
      if (isScalar(value) && !aboutAnswer.has(name)) values.set(outputColumn(name), value);
    yield {
      texts: new Map([
        [id, line.id],
        [version, line.version],
        [alias, line.alias],
        [entity, line.entity],
      ]),
      times: new Map([
        [asOf, Date.parse(line.as_of) * 1000],
        [generated, Date.parse(String(line.outputs.generated_at)) * 1000],
      ]),
      values,
    };
  }
}

/** Fields that every answer has beside what it predicts; those that matter have columns of their own. */
const aboutAnswer: ReadonlySet<string> = new Set([
  ...['prediction_id', 'model_id', 'version_id', 'snapshot_id', 'generated_at', 'as_of', 'language'],
  ...['correlation_id', 'reference_id'],
]);

function inputValue(value: unknown): Value | null {
  if (isScalar(value)) return value;
  if (value === null || value === undefined) return null;
  const vector = Array.isArray(value) ? vectorOf(value) : null;
  return vector === null || typeof vector === 'string' ? JSON.stringify(value) : encodeVector(vector);
}

function isScalar(value: unknown): value is Value {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}

function kindOf(value: Value): ValueKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'number';
}

function joined(known: ValueKind | undefined, kind: ValueKind): ValueKind {
  if (known === undefined || known === kind) return kind;
  const isNumeric = [known, kind].every((one) => one === 'integer' || one === 'number');
  return isNumeric ? 'number' : 'string';
}

function columnOf(name: string, type: WriteColumn['type'], rows: readonly LogRow[]): Column {
  if (type === 'timestamp')
    return { kind: 'time', values: Float64Array.from(rows, ({ times }) => times.get(name) ?? Number.NaN) };
  if (type !== 'string')
    return { kind: 'number', values: Float64Array.from(rows, ({ values }) => Number(values.get(name) ?? Number.NaN)) };
  return textColumn(
    rows.map(({ texts, values }) => {
      const value = texts.get(name) ?? values.get(name);
      return value === undefined || value === null ? null : String(value);
    }),
  );
}
