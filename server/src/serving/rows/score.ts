import { assert, Failure } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import { sameText } from '../../lib/files/column.ts';
import type { Chunk, ColumnRequest } from '../../lib/files/read.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import type { AskedMoments } from '../../ml/inference/anchors.ts';
import { type ColumnMapping, type FileColumns, mapInputs } from '../../ml/version/other-names.ts';
import { dayInput, echoed } from '../../ml/version/schema.ts';
import { dataAge, type EventDays, isStale } from '../event-days.ts';
import { optionsOf, type Wishes } from '../options.ts';
import { answerColumns, gather, onlyOf } from './answers.ts';
import { planInputs } from './inputs.ts';
import { type Clock, endOfToday, openMoments } from './moments.ts';
import { askedOf, partOf, type TargetRows } from './part.ts';
import { problemOf, type Refuse, type RowProblem } from './problem.ts';
import { addRowWarnings, type RowWarningCode, type RowWarnings } from './row-warnings.ts';
import { chooseTargets, endpointColumn, type OpenTarget, type Targets } from './targets.ts';

/** Rows scored at a time: the data of this many rows fit in a near CPU cache and take little memory. */
export const rowsPerChunk = 16_384;

export type ScoreOptions = Targets &
  Clock &
  Wishes & {
    /** Whether the request named the day of `usual`: a new row without a date of its own stands at it. */
    readonly isDayGiven: boolean;
    /** The column of the file that is echoed as `reference_id`. No version has an input of its name. */
    readonly referenceColumn?: string | null;
    /** The columns of the file that inputs are read from, where they are not called as these are. */
    readonly columnMapping?: ColumnMapping;
    /** The days with events in what the targets read. */
    readonly eventDays: EventDays;
    /** Whether answers say the numbers of their rows in the file. */
    readonly rowNumbers?: boolean;
  };

export type Scored = {
  /** The rows with an answer, in order; `as_of` is in wall-clock time. */
  readonly rows: Rows;
  /** The problems in order of row. A row may have several. */
  readonly problems: readonly RowProblem[];
  /** The number of rows without an answer. */
  readonly failed: number;
};

export type Scorer = {
  /** The columns to read from the file. */
  readonly requests: readonly ColumnRequest[];
  /** The columns of the answer, in order. */
  readonly columns: readonly WriteColumn[];
  /**
   * Scores a chunk, which must have been read with all its rejects (`keepsRejects`). `warnings`: of how many of its
   * answered rows there is something to say.
   */
  score(chunk: Chunk): Scored & { readonly warnings: RowWarnings };
};

type TellRows = (code: RowWarningCode, about: string, rows: number) => void;

/**
 * Scores the rows of one file with one or several versions. A row gets the answer that the real-time route gives at the
 * same moment.
 * Throws Failure 'invalid' when the versions give a column of the answers different types, or when the file has an
 * input under two names.
 */
export function openScorer(options: ScoreOptions, file: FileColumns): Scorer {
  const { endpoints, isDayGiven, referenceColumn: reference = null, rowNumbers = false, columnMapping = {} } = options;
  const targets = options.targets.map((target) => mapped(target, columnMapping));
  const dayColumn = columnMapping[dayInput] ?? dayInput;
  const renamed: [string, string][] = [
    ...(reference === null ? [] : [[reference, referenceName] as [string, string]]),
    ...(dayColumn === dayInput ? [] : [[dayColumn, dayInput] as [string, string]]),
  ];
  const today = endOfToday(options.timeZone, options.now);
  const inputs = planInputs(targets, file);
  const columns = answerColumns(targets, options.interval ?? false);
  if (rowNumbers && columns.some(({ name }) => name === rowColumn.name))
    throw new Failure('invalid', `the answers have a column ${rowColumn.name} already: do not ask for row numbers`);
  const momentsOf = openMoments(options);
  return {
    requests: [
      ...(endpoints === null ? [] : [{ name: endpointColumn, type: 'string' as const }]),
      ...[dayColumn, ...(reference === null ? echoed : echoed.filter((name) => name !== referenceName))]
        .filter(file.has)
        .map((name): ColumnRequest => ({ name, type: name === dayColumn ? 'date' : 'string', isStrict: true })),
      ...(reference === null ? [] : [{ name: reference, type: 'string' as const, isStrict: true }]),
      ...inputs.values(),
    ],
    columns: rowNumbers ? [...columns, rowColumn] : columns,
    score: (chunk) => {
      let warnings: RowWarnings = {};
      const tellRows: TellRows = (code, about, rows) => {
        warnings = addRowWarnings(warnings, { [code]: { [about]: rows } });
      };
      const scored = gatherProblems(chunk, (refuse) => {
        const rows = withNames(chunk.rows, renamed);
        const target = chooseTargets(rows, options, refuse);
        const moments = momentsOf(rows, target, (row, _day, ...rest) => refuse(row, dayColumn, ...rest));
        const parts = targets.flatMap((to, index) => {
          const part = partOf(index, target, rows, moments);
          const asked = part && askedOf(to.opened, inputs, part, { isDayGiven, today }, refuse);
          return asked === null || asked.positions.length === 0
            ? []
            : [{ positions: asked.positions, answer: answerOf(to, asked, options, tellRows) }];
        });
        const answered = targets.length === 1 ? onlyOf(parts) : gather(parts, columns);
        return rowNumbers ? withRowNumbers(answered, parts, chunk.rowNumbers) : answered;
      });
      return { ...scored, warnings };
    },
  };
}

const rowColumn: WriteColumn = { name: 'row', type: 'integer' };
const referenceName: (typeof echoed)[number] = 'reference_id';

/** The rows, whose columns are also there under the names that they are looked for by. */
function withNames({ rows, columns }: Rows, names: readonly (readonly [string, string])[]): Rows {
  if (names.length === 0) return { rows, columns };
  const also = names.flatMap(([name, own]): [string, Column][] => {
    const column = columns.get(name);
    return column ? [[own, column]] : [];
  });
  return { rows, columns: new Map([...columns, ...also]) };
}

function mapped(target: OpenTarget, mapping: ColumnMapping): OpenTarget {
  const { opened } = target;
  const { version } = opened;
  return {
    ...target,
    opened: { ...opened, version: { ...version, inputFields: mapInputs(version.inputFields, mapping) } },
  };
}

/** The answers of `parts`, in order of row, with the numbers of their rows in the file. */
function withRowNumbers(
  { rows, columns }: Rows,
  parts: readonly { readonly positions: readonly number[] }[],
  numbers: Chunk['rowNumbers'],
): Rows {
  const positions = parts.flatMap((part) => part.positions).sort((a, b) => a - b);
  const values = Float64Array.from(positions, (position) => numbers[position]);
  return { rows, columns: new Map([...columns, [rowColumn.name, { kind: 'number', values }]]) };
}

/**
 * Answers a chunk with `answer`, and collects its problems: the rows that `answer` refuses and the rows that the reader
 * rejected.
 */
export function gatherProblems({ rejects, rowNumbers }: Chunk, answer: (refuse: Refuse) => Rows): Scored {
  const problems = rejects.map(problemOf);
  const rows = answer(
    (row, column, code, message, value = null) =>
      void problems.push({ row: rowNumbers[row], column, code, message, value }),
  );
  problems.sort((a, b) => a.row - b.row);
  return { rows, problems, failed: new Set(problems.map(({ row }) => row)).size };
}

function answerOf(
  { opened, told }: OpenTarget,
  { rows, moments }: TargetRows,
  { eventDays, ...wishes }: Wishes & Pick<ScoreOptions, 'eventDays'>,
  tellRows: TellRows,
): Rows {
  const options = optionsOf(wishes, moments);
  const answer = opened.predict(rows, { ...options, tellRows });
  const stale = staleRows(answer, options, eventDays);
  if (stale > 0) tellRows('stale_data', String(eventDays.silenceMax), stale);
  const said = Object.entries(told).map(([name, text]) => [name, sameText(rows.rows, text)] as const);
  return { rows: answer.rows, columns: new Map([...answer.columns, ...said]) };
}

/** The number of answers at whose moment the data were stale. */
function staleRows({ rows, columns }: Rows, { dataUntil }: AskedMoments, eventDays: EventDays): number {
  const moments = columns.get('as_of');
  assert(moments?.kind === 'time', 'each answer says its moment');
  let stale = 0;
  for (let row = 0; row < rows; row++) {
    const until = typeof dataUntil === 'number' ? dataUntil : dataUntil[row];
    if (isStale(eventDays, dataAge(eventDays, moments.values[row], until))) stale++;
  }
  return stale;
}
