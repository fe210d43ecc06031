import { assert, Failure } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import { pickRows, sameText, textColumn } from '../../lib/files/column.ts';
import type { DateForm } from '../../lib/files/date-forms.ts';
import type { Chunk, ColumnRequest } from '../../lib/files/read.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import type { AskedMoments } from '../../ml/inference/anchors.ts';
import type { SaidAbout } from '../../ml/inference/outside.ts';
import { tellInputReason } from '../../ml/version/input-reasons.ts';
import { inputRequests } from '../../ml/version/input-requests.ts';
import { type ColumnMapping, dayColumnOf, type FileColumns, mapInputs } from '../../ml/version/other-names.ts';
import { dayInput, echoed } from '../../ml/version/schema.ts';
import { dataAge, dayOf, type EventDays, isStale } from '../event-days.ts';
import { optionsOf, type Wishes } from '../options.ts';
import { answerColumns, gather, onlyOf } from './answers.ts';
import { planInputs, requestFor } from './inputs.ts';
import { type Clock, endOfToday, openMoments } from './moments.ts';
import { askedOf, partOf, type TargetRows } from './part.ts';
import { problemOf, type Refuse, type RowProblem } from './problem.ts';
import {
  addRowWarnings,
  firstRowsMax,
  type ListedRow,
  listedWarning,
  type RowWarningCode,
  type RowWarnings,
} from './row-warnings.ts';
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
    /** How the file writes the days of `reference_date`, where not as ISO 8601 does. */
    readonly dayForm?: DateForm | undefined;
    /** The days with events in what the targets read. */
    readonly eventDays: EventDays;
    /** Columns of the file; answers repeat, as texts, those that nothing else reads. None by default. */
    readonly fileColumns?: readonly string[];
    /** Whether answers say the numbers of their rows in the file. */
    readonly rowNumbers?: boolean;
    /** How answers say the codes of what there is to say of their rows; not at all by default. */
    readonly rowWarnings?: 'joined' | 'json';
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
   * Scores a chunk, which must have been read with all its rejects (`keepsRejects`). `warnings`: of which of its
   * answered rows there is something to say. `listed`: those of them that are all told, in order.
   */
  score(chunk: Chunk): Scored & { readonly warnings: RowWarnings; readonly listed: readonly ListedRow[] };
};

type TellRows = (code: RowWarningCode, about: string, rows: readonly number[], said?: SaidAbout) => void;

/**
 * Scores the rows of one file with one or several versions. A row gets the answer that the real-time route gives at the
 * same moment.
 * Throws Failure 'invalid' when the versions give a column of the answers different types, or when the file has an
 * input under two names.
 */
export function openScorer(options: ScoreOptions, file: FileColumns): Scorer {
  const {
    endpoints,
    isDayGiven,
    referenceColumn: reference = null,
    columnMapping = {},
    rowNumbers = false,
    rowWarnings,
    dayForm,
    fileColumns = [],
  } = options;
  const targets = options.targets.map((target) => mapped(target, columnMapping));
  const dayColumn = dayColumnOf(columnMapping);
  const renamed: [string, string][] = [
    ...(reference === null ? [] : [[reference, referenceName] as [string, string]]),
    ...(dayColumn === dayInput ? [] : [[dayColumn, dayInput] as [string, string]]),
  ];
  const today = endOfToday(options.timeZone, options.now);
  const inputs = planInputs(targets, file);
  const columns = answerColumns(targets, options.interval ?? false);
  const read = new Set(
    [endpointColumn, dayColumn, ...echoed, ...(reference === null ? [] : [reference]), ...inputs.keys()].map((name) =>
      name.toLowerCase(),
    ),
  );
  const others = fileColumns.filter((name) => !read.has(name.toLowerCase()));
  const own = [...columns, rowColumn, warningsColumn].map(({ name }) => name.toLowerCase());
  const said = new Set([...own, ...answerNames, ...others.filter((name) => !own.includes(name.toLowerCase()))]);
  // A column that is called as one of an answer may be stands beside it under another name.
  const repeated = others.map((name): WriteColumn => {
    let free = name;
    if (own.includes(name.toLowerCase()) || answerNames.has(name.toLowerCase()))
      do free = `input_${free}`;
      while (said.has(free));
    said.add(free);
    return { name: free, type: 'string' };
  });
  const added = [...(rowNumbers ? [rowColumn] : []), ...(rowWarnings ? [warningsColumn] : []), ...repeated];
  const taken = added.find((one) => columns.some(({ name }) => name === one.name));
  if (taken) throw new Failure('invalid', `the answers have a column ${taken.name} already: do not ask to include it`);
  const momentsOf = openMoments(options);
  return {
    requests: [
      ...(endpoints === null ? [] : [{ name: endpointColumn, type: 'string' as const }]),
      ...[dayColumn, ...(reference === null ? echoed : echoed.filter((name) => name !== referenceName))]
        .filter(file.has)
        .map(
          (name): ColumnRequest =>
            name === dayColumn
              ? { name, type: 'date', isStrict: true, ...(dayForm && { form: dayForm }) }
              : { name, type: 'string', isStrict: true },
        ),
      ...(reference === null ? [] : [{ name: reference, type: 'string' as const, isStrict: true }]),
      ...inputs.values(),
      ...others.map((name) => ({ name, type: 'string' as const })),
    ],
    columns: [...columns, ...added],
    score: (chunk) => {
      let warnings: RowWarnings = {};
      const codes = new Map<number, Set<RowWarningCode>>();
      const listed: ListedRow[] = [];
      const tellOf =
        ({ opened }: OpenTarget, positions: readonly number[]): TellRows =>
        (code, about, rows, said) => {
          const first = rows.slice(0, firstRowsMax).map((row) => chunk.rowNumbers[positions[row]]);
          warnings = addRowWarnings(warnings, {
            [code]: { [about]: { rows: rows.length, first, ...(said && { said }) } },
          });
          if (code === listedWarning) {
            const column = columnOf(opened.version, about, inputs);
            for (const row of rows) listed.push({ row: chunk.rowNumbers[positions[row]], column, code });
          }
          if (rowWarnings) for (const row of rows) addCode(codes, positions[row], code);
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
            : [{ positions: asked.positions, answer: answerOf(to, asked, options, tellOf(to, asked.positions)) }];
        });
        const answered = targets.length === 1 ? onlyOf(parts) : gather(parts, columns);
        if (added.length === 0) return answered;
        const positions = parts.flatMap((part) => part.positions).sort((a, b) => a - b);
        const all = new Map(answered.columns);
        if (rowNumbers) all.set(rowColumn.name, numbersOf(positions, chunk.rowNumbers));
        if (rowWarnings) all.set(warningsColumn.name, codesOf(positions, codes, rowWarnings));
        const kept = pickRows({ rows: chunk.rows.rows, columns: chunk.rows.columns }, positions).columns;
        for (const [at, name] of others.entries()) all.set(repeated[at].name, kept.get(name)!);
        return { ...answered, columns: all };
      });
      return { ...scored, warnings, listed: listed.sort((a, b) => a.row - b.row) };
    },
  };
}

/** What columns of some answers are called: readers go by these names, whether an answer has them or not. */
const answerNames: ReadonlySet<string> = new Set([
  ...['interval', 'key_factors', 'risk_factors', 'risk_band', 'segment', 'growth_signal', 'network_flags'],
  ...['data_coverage', 'data_coverage_share', 'as_of', 'model_id', 'version_id'],
]);

const rowColumn: WriteColumn = { name: 'row', type: 'integer' };
const warningsColumn: WriteColumn = { name: 'warnings', type: 'string' };
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

/** The column of the file that an input of a version is read from. */
function columnOf(
  version: OpenTarget['opened']['version'],
  input: string,
  requests: ReadonlyMap<string, ColumnRequest>,
): string {
  const wanted = inputRequests(version).find(({ name }) => name === input);
  return (wanted && requestFor(wanted, requests)?.name) ?? input;
}

function addCode(codes: Map<number, Set<RowWarningCode>>, position: number, code: RowWarningCode): void {
  const known = codes.get(position);
  if (known) known.add(code);
  else codes.set(position, new Set([code]));
}

/** The numbers of rows in their file. */
function numbersOf(positions: readonly number[], numbers: Chunk['rowNumbers']): Column {
  return { kind: 'number', values: Float64Array.from(positions, (position) => numbers[position]) };
}

/** What there is to say of rows, by code; missing where there is nothing. */
function codesOf(
  positions: readonly number[],
  codes: ReadonlyMap<number, ReadonlySet<RowWarningCode>>,
  form: NonNullable<ScoreOptions['rowWarnings']>,
): Column {
  const texts = positions.map((position) => {
    const found = codes.get(position);
    if (found === undefined) return null;
    return form === 'joined' ? [...found].join(';') : JSON.stringify([...found]);
  });
  return textColumn(texts);
}

/**
 * Answers a chunk with `answer`, and collects its problems: the rows that `answer` refuses and the rows that the reader
 * rejected.
 */
export function gatherProblems({ rejects, rowNumbers }: Chunk, answer: (refuse: Refuse) => Rows): Scored {
  const problems = rejects.map(problemOf);
  const rows = answer(
    (row, column, code, reason, value = null) =>
      void problems.push({ row: rowNumbers[row], column, code, ...tellInputReason(reason), value }),
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
  tellMoments(answer, options, eventDays, opened.learnedFrom, tellRows);
  const said = Object.entries(told).map(([name, text]) => [name, sameText(rows.rows, text)] as const);
  return { rows: answer.rows, columns: new Map([...answer.columns, ...said]) };
}

/** Tells of the answers at whose moment the data were old, or the model had learned from nothing yet. */
function tellMoments(
  { rows, columns }: Rows,
  { dataUntil }: AskedMoments,
  eventDays: EventDays,
  from: number | null,
  tellRows: TellRows,
): void {
  const moments = columns.get('as_of');
  assert(moments?.kind === 'time', 'each answer says its moment');
  const [stale, before]: number[][] = [[], []];
  for (let row = 0; row < rows; row++) {
    const moment = moments.values[row];
    const age = dataAge(eventDays, moment, typeof dataUntil === 'number' ? dataUntil : dataUntil[row]);
    if (isStale(eventDays, age)) stale.push(row);
    if (from !== null && moment < from) before.push(row);
  }
  if (stale.length > 0) tellRows('stale_data', String(eventDays.silenceMax), stale);
  if (before.length > 0) tellRows('before_learned', dayOf(from!), before);
}
