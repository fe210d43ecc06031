import { assert, Failure } from '../../lib/failure.ts';
import {
  type Column,
  type LogicalType,
  pickRows,
  type Reject,
  type Rows,
  sameText,
  textColumn,
} from '../../lib/files/column.ts';
import type { Chunk, ColumnRequest } from '../../lib/files/read.ts';
import { missingReason } from '../../lib/files/source.ts';
import { missingTexts } from '../../lib/files/table.ts';
import { mismatch, readValue } from '../../lib/files/values.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { instantsOf, wallClock } from '../../lib/time-zone.ts';
import { inputRequests } from '../../ml/inference/input-requests.ts';
import { intervalColumn, type OpenVersion } from '../../ml/inference/predict.ts';
import { echoed } from '../../ml/inference/schema.ts';
import { vectorProblems } from '../../ml/rfm/given-vectors.ts';
import { factorsTold } from '../predictions/answer.ts';
import { momentOf, readableUntil } from '../predictions/moment.ts';

/** A version that rows may be for. */
export type OpenTarget = { readonly modelId: string; readonly versionId: string; readonly opened: OpenVersion };

/** Why a row has no answer. `row` counts data rows of its file from 1; `column` is null where the whole row is at fault. */
export type RowError = {
  readonly row: number;
  readonly column: string | null;
  readonly code: RowErrorCode;
  readonly message: string;
};
export type RowErrorCode =
  | 'unreadable_row'
  | 'invalid_input'
  | 'missing_input'
  | 'unknown_endpoint'
  | 'reference_date_in_future';

export type ScoreOptions = {
  readonly targets: readonly OpenTarget[];
  /** Positions among the targets by what the column `endpoint` calls them; null where the file has no such column. */
  readonly endpoints: Readonly<Record<string, number>> | null;
  /** Position of the target of rows that name none. */
  readonly fallback: number | null;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
  /** Whether answers come with their bounds. */
  readonly interval?: boolean;
  /** Instant (milliseconds) at which the batch was accepted: no row may ask about a later one. */
  readonly now: number;
  /** Instant (milliseconds) asked about where a row names no day. */
  readonly asOf: number;
};

export type Scored = {
  /** The rows with an answer, in order. */
  readonly rows: Rows;
  /** In order of row. A row may have several. */
  readonly errors: readonly RowError[];
  /** Rows without an answer. */
  readonly failed: number;
};

export type Scorer = {
  /** What to read of the file. */
  readonly requests: readonly ColumnRequest[];
  /** Of the answer, in order. */
  readonly columns: readonly WriteColumn[];
  score(chunk: Chunk): Scored;
};

export const endpointColumn = 'endpoint';
const dayColumn = 'reference_date';
const usPerDay = 86_400_000_000;

/**
 * Scores rows of one file for one or several versions. The answer to a row is what the real-time route answers to it at
 * the same moment. `has` says whether the file has a column, whatever its case.
 * Throws Failure 'invalid' when versions of one file give a column different types.
 */
export function openScorer(options: ScoreOptions, has: (column: string) => boolean): Scorer {
  const { targets, endpoints } = options;
  const inputs = planInputs(targets, has);
  const columns = answerColumns(targets, options.interval ?? false);
  const momentsOf = openMoments(options);
  const requests: ColumnRequest[] = [
    ...(endpoints === null ? [] : [{ name: endpointColumn, type: 'string' as const }]),
    ...[dayColumn, ...echoed]
      .filter(has)
      .map((name): ColumnRequest => ({ name, type: name === dayColumn ? 'date' : 'string', isStrict: true })),
    ...inputs.values(),
  ];
  return {
    requests,
    columns,
    score(chunk) {
      const { rows, rowNumbers } = chunk;
      const errors = chunk.rejects.map(tellReject);
      const refuse: Refuse = (row, column, code, message) =>
        void errors.push({ row: rowNumbers[row], column, code, message });
      const target = chooseTargets(rows, options, refuse);
      const moments = momentsOf(rows, target, refuse);
      const parts = targets.flatMap((to, index) => {
        const part = partOf(index, target, rows, moments);
        if (part === null) return [];
        const asked = askedOf(to.opened, inputs, part, refuse);
        return asked.positions.length === 0
          ? []
          : [{ positions: asked.positions, answer: answerOf(to, asked, options) }];
      });
      errors.sort((a, b) => a.row - b.row);
      const failed = new Set(errors.map(({ row }) => row)).size;
      return { rows: targets.length === 1 ? onlyOf(parts) : gather(parts, columns), errors, failed };
    },
  };
}

type Refuse = (row: number, column: string | null, code: RowErrorCode, message: string) => void;

function tellReject({ row, column, reason, value }: Reject): RowError {
  if (column === null) {
    const shown = value === null ? '' : `: ${JSON.stringify(value)}`;
    return { row, column, code: 'unreadable_row', message: `${reason}${shown}` };
  }
  return { row, column, code: reason === missingReason ? 'missing_input' : 'invalid_input', message: reason };
}

/**
 * The inputs to read, by their names in lower case. What all versions take alike is read as they take it; what only some
 * do, or as different types, is read as text and turned into a value for the rows of each.
 */
function planInputs(targets: readonly OpenTarget[], has: (column: string) => boolean): Map<string, ColumnRequest> {
  const wanted = new Map<string, ColumnRequest[]>();
  for (const { opened } of targets) {
    for (const request of inputsOf(opened)) {
      const name = request.name.toLowerCase();
      if (has(name)) wanted.set(name, [...(wanted.get(name) ?? []), request]);
    }
  }
  const requests = new Map<string, ColumnRequest>();
  for (const [name, found] of wanted) {
    const [first] = found;
    const isShared = found.length === targets.length && found.every((request) => isReadAlike(request, first));
    requests.set(
      name,
      isShared
        ? { ...first, required: found.every(({ required }) => required === true), isStrict: true }
        : { name: first.name, type: 'string', takesLists: found.some(({ takesLists }) => takesLists === true) },
    );
  }
  return requests;
}

function isReadAlike(a: ColumnRequest, b: ColumnRequest): boolean {
  return a.type === b.type && JSON.stringify(a.missing ?? []) === JSON.stringify(b.missing ?? []);
}

/** What a version reads of a row, but for its day and what is only echoed. */
function inputsOf({ version }: OpenVersion): ColumnRequest[] {
  const names = new Set(version.inputFields.map(({ name }) => name));
  return inputRequests(version, names).filter(({ name }) => name !== dayColumn && names.has(name));
}

function answerColumns(targets: readonly OpenTarget[], hasInterval: boolean): WriteColumn[] {
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
    { name: 'model_id', type: 'string' },
    { name: 'version_id', type: 'string' },
  ];
}

const refused = -1;

/** The target of each row, or `refused`. */
function chooseTargets(rows: Rows, { endpoints, fallback }: ScoreOptions, refuse: Refuse): Int32Array {
  const target = new Int32Array(rows.rows).fill(fallback ?? refused);
  if (endpoints === null) return target;
  const column = rows.columns.get(endpointColumn);
  assert(column?.kind === 'text', 'endpoints are texts');
  const known = column.dictionary.map((name) => (Object.hasOwn(endpoints, name) ? endpoints[name] : refused));
  for (let row = 0; row < rows.rows; row++) {
    const code = column.codes[row];
    if (code >= 0) target[row] = known[code];
    if (target[row] !== refused) continue;
    if (code < 0) refuse(row, endpointColumn, 'missing_input', 'names no target, and the batch has none of its own');
    else
      refuse(
        row,
        endpointColumn,
        'unknown_endpoint',
        `${column.dictionary[code]} named no model with that alias or active version when the batch was accepted`,
      );
  }
  return target;
}

/** The moments that rows ask about, microseconds on the clock of the data: one for all, or one each. */
type Moments = number | Float64Array;

function openMoments({ timeZone, now, asOf }: ScoreOptions) {
  const usual = readableUntil(timeZone, asOf);
  const today = Math.floor((wallClock(timeZone, now) * 1000) / usPerDay) * usPerDay;
  const known = new Map<number, number>();
  const momentOfDay = (day: number): number => {
    let moment = known.get(day);
    if (moment === undefined) {
      const text = new Date(day / 1000).toISOString().split('T', 1)[0];
      moment = readableUntil(timeZone, momentOf(text, timeZone, now));
      if (known.size >= daysKeptMax) known.clear();
      known.set(day, moment);
    }
    return moment;
  };
  return (rows: Rows, target: Int32Array, refuse: Refuse): Moments => {
    const days = rows.columns.get(dayColumn);
    if (days === undefined) return usual;
    assert(days.kind === 'time', 'reference dates are times');
    return days.values.map((day, row) => {
      if (Number.isNaN(day) || target[row] === refused) return usual;
      if (day >= firstDay && day <= today) return momentOfDay(day);
      target[row] = refused;
      if (day > today) refuse(row, dayColumn, 'reference_date_in_future', 'lies in the future of the batch');
      else refuse(row, dayColumn, 'invalid_input', 'lies before the year 1');
      return usual;
    });
  };
}

const daysKeptMax = 100_000;
const firstDay = Date.parse('0001-01-01') * 1000;

/** The rows of a chunk that are for one target. */
type Part = { readonly positions: readonly number[]; readonly rows: Rows; readonly moments: Moments };

function partOf(index: number, target: Int32Array, rows: Rows, moments: Moments): Part | null {
  const positions: number[] = [];
  for (let row = 0; row < target.length; row++) if (target[row] === index) positions.push(row);
  return positions.length === 0 ? null : narrow({ positions: Array.from(target.keys()), rows, moments }, positions);
}

/** The rows of a part at `kept`, which are positions within it. */
function narrow({ positions, rows, moments }: Part, kept: readonly number[]): Part {
  if (kept.length === positions.length) return { positions, rows, moments };
  return {
    positions: kept.map((at) => positions[at]),
    rows: pickRows(rows, kept),
    moments: typeof moments === 'number' ? moments : Float64Array.from(kept, (at) => moments[at]),
  };
}

/** What one version is asked: its own inputs under its own names and types. Rows that lack or garble one are left out. */
function askedOf(opened: OpenVersion, requests: ReadonlyMap<string, ColumnRequest>, part: Part, refuse: Refuse): Part {
  const columns = new Map<string, Column>();
  for (const name of echoed) {
    const column = part.rows.columns.get(name);
    if (column) columns.set(name, column);
  }
  const bad = new Uint8Array(part.positions.length);
  for (const wanted of inputsOf(opened)) {
    const { name, type, required } = wanted;
    const request = requests.get(name.toLowerCase());
    const read = request && part.rows.columns.get(request.name);
    const column = read && (isReadAlike(request, wanted) ? read : valuesOf(read, wanted, onBad(name, type)));
    if (column) columns.set(name, column);
    if (required && !request?.required) refuseMissing(name, column);
  }
  for (const { row: at, column, message } of vectorProblems(
    { rows: bad.length, columns },
    opened.version.inputFields,
  )) {
    bad[at] = 1;
    refuse(part.positions[at], column, 'invalid_input', message);
  }
  const kept = Array.from(bad.keys()).filter((at) => bad[at] === 0);
  return narrow({ ...part, rows: { rows: part.rows.rows, columns } }, kept);

  function onBad(name: string, type: LogicalType) {
    return (at: number, text: string): void => {
      bad[at] = 1;
      refuse(part.positions[at], name, 'invalid_input', mismatch(type, text));
    };
  }

  function refuseMissing(name: string, column: Column | undefined): void {
    for (let at = 0; at < bad.length; at++) {
      const isThere = column?.kind === 'text' ? column.codes[at] >= 0 : column && !Number.isNaN(column.values[at]);
      // A value that did not convert has been told already.
      if (isThere || bad[at] === 1) continue;
      bad[at] = 1;
      refuse(part.positions[at], name, 'missing_input', missingReason);
    }
  }
}

/** Texts as a version reads them; `onBad` is told of those that do not convert. */
function valuesOf(column: Column, request: ColumnRequest, onBad: (at: number, text: string) => void): Column {
  assert(column.kind === 'text', 'what versions read differently is read as text');
  const { type } = request;
  const { codes, dictionary } = column;
  const missing = missingTexts(request);
  const isMissing = dictionary.map((text) => missing?.has(text) ?? false);
  if (type === 'string') return { ...column, codes: codes.map((code) => (code < 0 || isMissing[code] ? -1 : code)) };
  const read = Float64Array.from(dictionary, (text) => {
    const bytes = Buffer.from(text);
    return readValue(type, bytes, 0, bytes.length);
  });
  const values = new Float64Array(codes.length).fill(Number.NaN);
  for (let at = 0; at < codes.length; at++) {
    if (codes[at] < 0 || isMissing[codes[at]]) continue;
    values[at] = read[codes[at]];
    if (Number.isNaN(values[at])) onBad(at, dictionary[codes[at]]);
  }
  return { kind: type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number', values };
}

function answerOf({ modelId, versionId, opened }: OpenTarget, { rows, moments }: Part, options: ScoreOptions): Rows {
  const answer = opened.predict(rows, {
    asOf: moments,
    dataUntil: moments,
    factors: factorsTold,
    language: options.language,
    ...(options.interval ? { interval: true } : {}),
  });
  const columns = new Map(answer.columns);
  const asOf = columns.get('as_of');
  assert(asOf?.kind === 'time', 'an answer says as of when it is');
  columns.set('as_of', { kind: 'time', values: instantsOf(options.timeZone, asOf.values) });
  columns.set('model_id', sameText(rows.rows, modelId));
  columns.set('version_id', sameText(rows.rows, versionId));
  return { rows: answer.rows, columns };
}

type Answered = { readonly positions: readonly number[]; readonly answer: Rows };

function onlyOf(parts: readonly Answered[]): Rows {
  return parts.length === 0 ? { rows: 0, columns: new Map() } : parts[0].answer;
}

/** The answers of several targets as one table, in order of row. */
function gather(parts: readonly Answered[], columns: readonly WriteColumn[]): Rows {
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
