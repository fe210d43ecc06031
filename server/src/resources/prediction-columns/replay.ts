import { assert } from '../../lib/failure.ts';
import type { Column, TextColumn } from '../../lib/files/column.ts';
import { type Chunk, type ColumnRequest, describeFile, readChunks } from '../../lib/files/read.ts';
import type { RowRange } from '../../lib/files/source.ts';
import { endOfDay } from '../../lib/time-zone.ts';
import type { AnswerKind } from '../../ml/evaluation/compare-answers.ts';
import { findKeys } from '../../ml/graph/keys.ts';
import { anchorsFor } from '../../ml/inference/anchors.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { mostProbable } from '../../ml/kinds/fields.ts';
import { headRulesOf } from '../../ml/kinds/kinds.ts';
import { entityTable } from '../../ml/tasks/examples.ts';
import { dayInput } from '../../ml/version/schema.ts';
import type { Version } from '../../ml/version/version.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { columnsIn, planInputs } from '../../serving/rows/inputs.ts';
import { endOfToday } from '../../serving/rows/moments.ts';
import { askedOf } from '../../serving/rows/part.ts';
import { columnNames, outputColumn } from './columns.ts';

/** How the instants of a log are read: on whose clocks, and the instant (milliseconds) after which none lies. */
export type ReplayClock = { readonly timeZone: string; readonly now: number };

/** What a version answers to rows of a log; `rows` are places in the chunk, ascending. */
export type ReplayedRows = {
  readonly rows: readonly number[];
  /** Of the deciding output: probabilities, numbers or class numbers. */
  readonly values: Float64Array;
  /** The moment of each answer, microseconds in wall-clock time, and the row of the entity table; -1 for none. */
  readonly at: Float64Array;
  readonly entities: Int32Array;
};

export type ReplayedChunk = {
  readonly rows: number;
  readonly ids: TextColumn;
  readonly versions: TextColumn;
  /** What was answered: of the deciding output of the first version; NaN where it has none such. */
  readonly logged: Float64Array;
  /** By version. */
  readonly answers: readonly ReplayedRows[];
  /** Why rows are without the answer of a version: the code and the column, once for each row and version. */
  readonly refused: readonly { readonly code: string; readonly column: string | null }[];
};

/** Rows that versions answer at once: their features fit in a near cache. */
const rowsPerChunk = 16_384;

/**
 * Has versions answer predictions of a log anew, from a file of columns, each as of the moment for which it was asked:
 * the end of its day, or when it was answered. Nothing later is read. An answer is that of the real-time route to the
 * same inputs at that moment; inputs that a version does not have are left out. Of `range` of the rows, in order.
 */
export async function* replayLog(
  path: string,
  range: RowRange | null,
  versions: readonly OpenVersion[],
  clock: ReplayClock,
): AsyncGenerator<ReplayedChunk> {
  const file = columnsIn(await describeFile(path));
  const targets = versions.map((opened) => ({ opened, told: {} }));
  const inputs = planInputs(targets, file);
  const [first] = versions;
  const { field, classes, objective } = answerKindOf(first.version);
  const has = (name: string) => file.has(name);
  const requests: ColumnRequest[] = [
    { name: columnNames.id, type: 'string' },
    { name: columnNames.version, type: 'string' },
    { name: columnNames.generated, type: 'timestamp' },
    ...(has(dayInput) ? [{ name: dayInput, type: 'date' as const, isStrict: true }] : []),
    ...(has(outputColumn(field))
      ? [{ name: outputColumn(field), type: objective === 'multiclass' ? ('string' as const) : ('number' as const) }]
      : []),
    ...inputs.values(),
  ];
  const today = endOfToday(clock.timeZone, clock.now);
  const options = { rowsPerChunk, keepsRejects: true, ...(range && { range }) };
  for await (const chunk of readChunks(path, requests, options)) {
    const refused: { code: string; column: string | null }[] = chunk.rejects.flatMap(({ column }) =>
      versions.map(() => ({ code: 'invalid_input', column })),
    );
    const moments = momentsOf(chunk, clock.timeZone);
    const asked = { positions: Array.from({ length: chunk.rows.rows }, (_, row) => row), rows: chunk.rows, moments };
    const answers = targets.map(({ opened }) => {
      const bad = new Set<number>();
      const part = askedOf(opened, inputs, asked, { isDayGiven: false, today }, (row, column, code) => {
        if (!bad.has(row)) refused.push({ code, column });
        bad.add(row);
      });
      return answerRows(opened, part);
    });
    yield {
      rows: chunk.rows.rows,
      ids: textOf(chunk, columnNames.id),
      versions: textOf(chunk, columnNames.version),
      logged: loggedOf(chunk.rows.columns.get(outputColumn(field)), classes, chunk.rows.rows),
      ...{ answers, refused },
    };
  }
}

/** What the answers of a version are compared by, and the field that has the value of its deciding output. */
export function answerKindOf({
  task,
  outputs,
}: Version): AnswerKind & { readonly field: string; readonly output: number } {
  const [head] = headRulesOf(task.kind);
  const output = head ? outputs.findIndex(({ name }) => name === head.name) : outputs.length - 1;
  const { name, objective } = outputs[output];
  return {
    ...{ kind: task.kind, objective: objective.kind, output },
    classes: objective.kind === 'multiclass' ? objective.classes : [],
    field: head?.bounds ?? name,
  };
}

function answerRows(opened: OpenVersion, { positions, rows, moments }: ReturnType<typeof askedOf>): ReplayedRows {
  const { version, tables } = opened;
  if (positions.length === 0)
    return { rows: [], values: new Float64Array(), at: new Float64Array(), entities: new Int32Array() };
  const anchors = anchorsFor(version, tables, rows, moments);
  const { output, objective, classes } = answerKindOf(version);
  const { values } = opened.valuesAt(anchors, rows)[output];
  const table = entityTable(version.task, tables);
  const keys = rows.columns.get(table.contract.key[0]);
  return {
    rows: positions,
    values: objective === 'multiclass' ? Float64Array.from(mostProbable(values, classes.length)) : values,
    at: anchors.at,
    entities: keys ? findKeys(keys, positions.length, table.rowOf) : new Int32Array(positions.length).fill(-1),
  };
}

/** The moment for which each row was asked, as its request had it: see `momentOf` of serving. */
function momentsOf({ rows }: Chunk, timeZone: string): { asOf: Float64Array; dataUntil: Float64Array } {
  const generated = rows.columns.get(columnNames.generated);
  assert(generated?.kind === 'time', 'a log says when it was answered');
  const days = rows.columns.get(dayInput);
  const ends = new Map<number, number>();
  const endOf = (day: number): number => {
    let end = ends.get(day);
    if (end === undefined) ends.set(day, (end = endOfDay(timeZone, new Date(day / 1000).toISOString().slice(0, 10))));
    return end;
  };
  const moments = generated.values.map((madeUs, row) => {
    const made = madeUs / 1000;
    const day = days?.kind === 'time' ? days.values[row] : Number.NaN;
    return readableUntil(timeZone, Number.isNaN(day) ? made : Math.min(endOf(day), made));
  });
  return { asOf: moments, dataUntil: moments };
}

function loggedOf(column: Column | undefined, classes: readonly string[], rows: number): Float64Array {
  if (column === undefined) return new Float64Array(rows).fill(Number.NaN);
  if (column.kind !== 'text') return Float64Array.from(column.values);
  const numbers = column.dictionary.map((name) => classes.indexOf(name));
  return Float64Array.from(column.codes, (code) => (code < 0 || numbers[code] < 0 ? Number.NaN : numbers[code]));
}

function textOf({ rows }: Chunk, name: string): TextColumn {
  const column = rows.columns.get(name);
  assert(column?.kind === 'text', `${name} is a text`);
  return column;
}
