import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Column, Rows } from '../../lib/files/column.ts';
import type { OpenVersion, PredictOptions } from '../../ml/inference/predict.ts';

/** One row for a version. `options.asOf` and `dataUntil` are numbers. */
export type Question = {
  readonly opened: OpenVersion;
  readonly rows: Rows;
  readonly options: PredictOptions & { readonly asOf: number; readonly dataUntil: number };
};

/** Where the answer to a question stands. */
export type Answered = { readonly answer: Rows; readonly row: number };

export type Ask = (question: Question) => Promise<Answered>;

/** More share what one call costs no further, and hold up the others on this thread. */
const rowsAtOnceMax = 16;

type Waiting = Question & {
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Answers questions that arrive in the same turn of the event loop by one call of their version: eight rows at once cost
 * each of them less than half of what one alone costs, and a row's answer does not depend on the rows beside it.
 */
export function openAsk(): Ask {
  // Of one version and language, with the same columns: those can be rows of one table.
  const groups = new Map<OpenVersion, Map<string, Waiting[]>>();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (groups.size > 0) {
      await nextTurn();
      const [opened, shapes] = groups.entries().next().value!;
      const [shape, waiting] = shapes.entries().next().value!;
      shapes.delete(shape);
      groups.delete(opened);
      // Those that stay behind queue up after the other groups.
      if (waiting.length > rowsAtOnceMax) shapes.set(shape, waiting.splice(rowsAtOnceMax));
      if (shapes.size > 0) groups.set(opened, shapes);
      answerTogether(waiting);
    }
    isRunning = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      const { opened, rows, options } = question;
      const shape = [options.language, options.factors, ...rows.columns.keys()].join('\0');
      const shapes = groups.get(opened) ?? new Map<string, Waiting[]>();
      const waiting = shapes.get(shape) ?? [];
      waiting.push({ ...question, resolve, reject });
      groups.set(opened, shapes.set(shape, waiting));
      if (!isRunning) run();
    });
}

function answerTogether(waiting: readonly Waiting[]): void {
  const [{ opened, options }] = waiting;
  try {
    const alone = waiting.length === 1;
    const answer = opened.predict(alone ? waiting[0].rows : joinRows(waiting.map(({ rows }) => rows)), {
      ...options,
      asOf: alone ? options.asOf : Float64Array.from(waiting, (one) => one.options.asOf),
      dataUntil: alone ? options.dataUntil : Float64Array.from(waiting, (one) => one.options.dataUntil),
    });
    waiting.forEach(({ resolve }, row) => {
      resolve({ answer, row });
    });
  } catch (error) {
    // Whoever is at fault, the others are not.
    if (waiting.length === 1) waiting[0].reject(error);
    else for (const one of waiting) answerTogether([one]);
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
  const codeOf = new Map<string, number>();
  const codes = Int32Array.from(given as TextsOf[], ({ codes, dictionary }) => {
    if (codes[0] < 0) return -1;
    const text = dictionary[codes[0]];
    const code = codeOf.get(text) ?? codeOf.size;
    codeOf.set(text, code);
    return code;
  });
  return { kind, codes, dictionary: [...codeOf.keys()] };
}

type TextsOf = Extract<Column, { kind: 'text' }>;
type NumbersOf = Exclude<Column, TextsOf>;
