import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../lib/failure.ts';
import { type Column, type Rows, type TextColumn, textColumn } from '../lib/files/column.ts';
import type { PredictOptions } from '../ml/inference/predict.ts';
import type { ServedVersion } from './open-data.ts';

type Answering = Pick<ServedVersion, 'predict'>;

/** One row for a version. `options.asOf` and `dataUntil` are numbers. */
export type Question = {
  readonly opened: Answering;
  readonly rows: Rows;
  readonly options: PredictOptions & { readonly asOf: number; readonly dataUntil: number };
};

/** Where the answer to a question stands. */
export type Answered = { readonly answer: Rows; readonly row: number };

export type Ask = (question: Question) => Promise<Answered>;

/** Sixteen share what one call costs; more would only wait for each other. */
const rowsAtOnceMax = 16;
/** Of one version: one is answered while the other is on its way. */
const callsAtOnceMax = 2;

type Waiting = Question & {
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * What waits for a version: by language, what is told and columns, since those with the same can be rows of one table.
 */
type Line = { readonly shapes: Map<string, Waiting[]>; calls: number };

/**
 * Answers questions that arrive together, or while others are answered, by one call of their version: eight rows at
 * once cost each of them less than half of what one alone costs, and a row's answer does not depend on the rows beside
 * it.
 */
export function openAsk(): Ask {
  const lines = new Map<Answering, Line>();
  const run = async (opened: Answering, line: Line): Promise<void> => {
    line.calls++;
    // Whatever else has arrived by now comes along.
    await nextTurn();
    while (line.shapes.size > 0) {
      const [shape, waiting] = line.shapes.entries().next().value!;
      line.shapes.delete(shape);
      // Those that stay behind queue up after the other shapes.
      if (waiting.length > rowsAtOnceMax) line.shapes.set(shape, waiting.splice(rowsAtOnceMax));
      await answerTogether(waiting);
    }
    line.calls--;
    if (line.calls === 0) lines.delete(opened);
  };
  return (question) =>
    new Promise((resolve, reject) => {
      const { opened, rows, options } = question;
      const shape = [
        options.language,
        options.factors,
        options.interval,
        options.explanation,
        ...rows.columns.keys(),
      ].join('\0');
      const line = lines.get(opened) ?? { shapes: new Map<string, Waiting[]>(), calls: 0 };
      lines.set(opened, line);
      const waiting = line.shapes.get(shape) ?? [];
      waiting.push({ ...question, resolve, reject });
      line.shapes.set(shape, waiting);
      const isFull = waiting.length >= rowsAtOnceMax;
      if (line.calls === 0 || (isFull && line.calls < callsAtOnceMax)) run(opened, line);
    });
}

/** Settles every question. */
async function answerTogether(waiting: readonly Waiting[]): Promise<void> {
  const [{ opened, rows, options }] = waiting;
  const isAlone = waiting.length === 1;
  try {
    const answer = await opened.predict(isAlone ? rows : joinRows(waiting.map((one) => one.rows)), {
      ...options,
      asOf: isAlone ? options.asOf : Float64Array.from(waiting, (one) => one.options.asOf),
      dataUntil: isAlone ? options.dataUntil : Float64Array.from(waiting, (one) => one.options.dataUntil),
    });
    waiting.forEach(({ resolve }, row) => {
      resolve({ answer, row });
    });
  } catch (error) {
    // Whoever is at fault, the others are not.
    if (isAlone || error instanceof Failure) for (const { reject } of waiting) reject(error);
    else for (const one of waiting) await answerTogether([one]);
  }
}

/** Single rows with the same columns as rows of one table. */
export function joinRows(given: readonly Rows[]): Rows {
  const columns = new Map<string, Column>();
  for (const name of given[0].columns.keys())
    columns.set(name, joinColumn(given.map((rows) => rows.columns.get(name)!)));
  return { rows: given.length, columns };
}

function joinColumn(given: readonly Column[]): Column {
  const [{ kind }] = given;
  if (kind !== 'text') return { kind, values: Float64Array.from(given as NumbersOf[], ({ values }) => values[0]) };
  return textColumn(
    (given as TextColumn[]).map(({ codes, dictionary }) => (codes[0] < 0 ? null : dictionary[codes[0]])),
  );
}

type NumbersOf = Exclude<Column, TextColumn>;
