import { type Column, pickRows, type Rows } from '../../lib/files/column.ts';
import type { DateForm } from '../../lib/files/date-forms.ts';
import { type Chunk, type ColumnRequest, describeFile, readChunks } from '../../lib/files/read.ts';
import type { Reject } from '../../lib/files/rejects.ts';
import { missing, missingReason } from '../../lib/files/source.ts';
import { expectedOf } from '../../lib/files/values.ts';
import type { BoundsOfRows } from '../answers/intervals.ts';
import { dateFormOf, type FoundForm } from '../contract/date-form-of.ts';
import { zonedForm } from '../contract/written.ts';
import { anchorsOf, readableUntilAt } from '../features/anchors.ts';
import { firstVersion } from '../graph/as-of/rows.ts';
import { findKeys, keyValue } from '../graph/keys.ts';
import type { Table } from '../graph/tables.ts';
import { anchorsFor } from '../inference/anchors.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { startsOf } from '../tasks/events.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import { timeRequest } from '../tasks/label-columns.ts';
import { type InputReason, tellInputReason } from '../version/input-reasons.ts';
import { inputRequests } from '../version/input-requests.ts';
import { formatProblems, rangeProblems } from '../version/input-values.ts';
import { type ColumnMapping, nameInFile } from '../version/other-names.ts';
import { nameColumns } from './name-columns.ts';
import { type Labels, labelByTables, labelColumns, type Refuse, readLabels } from './read-labels.ts';
import { openSegments } from './read-segments.ts';
import { refuseEvaluation } from './refusals.ts';
import type { RowError } from './row-error.ts';
import type { SegmentColumn } from './segments.ts';

/** The rows of a labelled file as a version predicts them, each as of its own moment. */
export type PredictedFile = {
  /** For each row, its data row in the file, from 1, ascending. */
  readonly rowNumbers: Float64Array;
  readonly at: Float64Array;
  /** Row in the entity table; -1 for none. */
  readonly entities: Int32Array;
  readonly outputs: readonly PredictedOutput[];
  readonly segments: readonly SegmentColumn[];
  /** Data rows of the file, and how many of them could not be read; the first of these with their reasons. */
  readonly read: number;
  readonly unreadable: number;
  readonly errors: readonly RowError[];
  /** Rows whose key the tables do not have. They are predicted all the same, from nothing or from their own columns. */
  readonly unknown: number;
  /** How the file writes the moments of its rows; null where as ISO 8601 does, or where it has none. */
  readonly timeForm: FoundForm | null;
};

export type PredictedOutput = Labels & {
  readonly name: string;
  /** One per row, or rows × classes. */
  readonly values: Float64Array;
  readonly bounds: BoundsOfRows | null;
  /** Whether labels come from the file, or are made from the tables as in training. */
  readonly labelledBy: 'file' | 'tables';
};

export type PredictLabelledOptions = {
  /** The name of the file in messages. */
  readonly name: string;
  /** Nothing later is read; rows of a later moment are refused. Microseconds. */
  readonly until: number;
  readonly segments: readonly string[];
  /** The columns of the file that are called otherwise than they are read, by the name by which they are. */
  readonly columnMapping?: ColumnMapping;
};

/** Rows of a labelled file at most, which are held in memory. */
export const labelledRowsMax = 1_000_000;
/** Row errors that are told. */
export const rowErrorsMax = 100;
/** When more than this share of keys is unknown, the file is taken to be about another table. */
const unknownKeysMax = 0.5;
const rowsPerChunk = 16_384;

/**
 * Predicts the rows of a labelled file with a version: the task's columns with key and time, one with the label of each
 * output, and, of new rows that the tables do not have, their inputs. A time given as a day is the start of that day.
 * Labels that a task makes from the tables need no column. Throws Failure 'invalid' when the file lacks what it needs.
 */
export async function predictLabelled(
  opened: OpenVersion,
  path: string,
  { name, until, segments, columnMapping = {} }: PredictLabelledOptions,
  progress: (rows: number, of: number | null) => void,
): Promise<PredictedFile> {
  const nameOf = () => name;
  const description = await describeFile(path, { nameOf });
  const named = nameColumns(
    name,
    description.columns.map((column) => column.name),
    columnMapping,
  );
  const { header } = named;
  const { time } = opened.version.task;
  const timeForm = header.some((column) => column.toLowerCase() === time.toLowerCase())
    ? await dateFormOf(path, named.inFile(time), opened.version.contract.tables, nameOf)
    : undefined;
  const reader = openReader(opened, { name, header, timeForm: timeForm?.form }, until, segments, named.asRead);
  const requests = reader.requests.map(named.request);
  const parts: Part[] = [];
  const log = new ErrorLog();
  let [read, kept] = [0, 0];
  const options = { nameOf, rowsPerChunk, keepsRejects: true };
  for await (const chunk of readChunks(path, requests, options)) {
    const errors = chunk.rejects.map((reject) => errorOf(reject, requests));
    const rows = named.rows(chunk.rows, reader.requests);
    const part = reader.read({ ...chunk, rows }, (row, column, reason) =>
      errors.push({
        row: chunk.rowNumbers[row],
        column: column === null ? null : named.inFile(column),
        ...tellInputReason(reason),
      }),
    );
    log.add(errors);
    read = Math.max(read, chunk.rowNumbers.at(-1) ?? 0, ...chunk.rejects.map(({ row }) => row));
    kept += part.rowNumbers.length;
    if (kept > labelledRowsMax)
      throw refuseEvaluation({ code: 'labelled_too_long', file: name, most: labelledRowsMax });
    parts.push(part);
    progress(read, description.rows ?? null);
  }
  if (read === 0) throw refuseEvaluation({ code: 'labelled_empty', file: name });
  const joined = joinParts(parts, opened);
  const { unknown } = joined;
  if (!opened.version.fresh && unknown > kept * unknownKeysMax) {
    const { task, table } = reader;
    throw refuseEvaluation({
      ...{ code: 'labelled_of_others', file: name, known: kept - unknown, rows: kept, column: task.key },
      ...{ table: table.name, key: table.contract.key[0] },
    });
  }
  const labels = joined.labels ?? labelByTables(opened, joined, until);
  const labelledBy = joined.labels ? 'file' : 'tables';
  return {
    rowNumbers: joined.rowNumbers,
    at: joined.at,
    entities: joined.entities,
    outputs: joined.outputs.map((output, o) => ({ ...output, ...labels[o], labelledBy })),
    segments: reader.segments(),
    ...{ read, unreadable: log.rows, errors: log.kept, unknown },
    timeForm: timeForm ?? null,
  };
}

/** What a chunk gives. `labels`: per output; null where they are made from the tables. */
type Part = {
  readonly rowNumbers: Float64Array;
  readonly at: Float64Array;
  readonly entities: Int32Array;
  readonly outputs: readonly { readonly values: Float64Array; readonly bounds: BoundsOfRows | null }[];
  readonly labels: readonly Labels[] | null;
};

/** Counts rows that could not be read, and keeps the first reasons. */
class ErrorLog {
  rows = 0;
  readonly kept: RowError[] = [];
  private last = -1;

  /** Takes the errors of a chunk. */
  add(errors: RowError[]): void {
    for (const error of errors.sort((a, b) => a.row - b.row)) {
      if (error.row !== this.last) this.rows++;
      this.last = error.row;
      if (this.kept.length < rowErrorsMax) this.kept.push(error);
    }
  }
}

/** The reader's reason for a value shows the value, which is for those alone who may read the file. */
function errorOf({ row, column, reason, because }: Reject, requests: readonly ColumnRequest[]): RowError {
  const request = requests.find(({ name }) => name === column);
  const isPlain = !request || reason === missingReason;
  return {
    ...{ row, column },
    ...tellInputReason(isPlain ? (because ?? reason) : expectedOf(request.type, request.form)),
  };
}

/** `timeForm`: how it writes the moments of its rows, where not as ISO 8601 does. */
type LabelledFile = {
  readonly name: string;
  readonly header: readonly string[];
  readonly timeForm: DateForm | undefined;
};

/** Prepares reading a file: which columns to ask for, and what a chunk of them gives. */
function openReader(
  opened: OpenVersion,
  { name: file, header, timeForm }: LabelledFile,
  until: number,
  segments: readonly string[],
  asRead: (column: string) => string,
) {
  const { version, tables } = opened;
  const { task, fresh, outputs } = version;
  const columns = new Set(header.map((column) => column.toLowerCase()));
  const has = (column: string) => columns.has(column.toLowerCase());
  const read = inputRequests(version).filter((input) => nameInFile(input, { has, isSeen: has }) !== null);
  const table = entityTable(task, tables);
  const keyName = table.contract.key[0];
  const keyType = table.contract.columns.find(({ name }) => name === keyName)!.type;
  const keyInput = read.find(({ name }) => name === keyName);
  const keyColumn = has(task.key) || !keyInput ? task.key : keyName;
  const labelled = labelColumns(opened, file, header, has);
  const requests = new Map<string, ColumnRequest>();
  const ask = (request: ColumnRequest) => requests.set(request.name.toLowerCase(), { ...request, isStrict: true });
  const inputs = fresh ? read : [];
  for (const input of inputs) ask({ ...input, required: false });
  if (!requests.has(task.time.toLowerCase()) && (!fresh || has(task.time)))
    ask({
      ...timeRequest(task.time, table.contract),
      ...(timeForm && { form: zonedForm(timeForm, table.contract.timeZone)! }),
      required: !fresh,
    });
  if (!fresh || has(keyColumn)) ask({ ...(keyInput ?? {}), name: keyColumn, type: keyType, required: !fresh });
  if (labelled && task.known !== undefined && has(task.known)) ask(timeRequest(task.known, table.contract));
  for (const [o, name] of (labelled ?? []).entries())
    ask({ name, type: outputs[o].objective.kind === 'regression' ? 'number' : 'string' });
  const column = (rows: Rows, name: string): Column | undefined =>
    rows.columns.get(requests.get(name.toLowerCase())?.name ?? name);
  const knownOf = (rows: Rows) => (task.known === undefined ? undefined : column(rows, task.known));
  const starts = fresh ? startsOfRows(opened, table) : null;
  const readSegments = openSegments(opened, table, segments, header, asRead);
  for (const { request } of readSegments) if (request && !requests.has(request.name.toLowerCase())) ask(request);

  /** Rows at places as the version predicts them: those of the tables by their keys. */
  const predictKnown = (rows: Int32Array, at: Float64Array) => {
    const none = new Float64Array(rows.length);
    const examples: Examples = { rows, at, labels: none, closes: none };
    return opened.valuesAt(anchorsOf(task, tables, examples, fresh, readableUntilAt(task, until)));
  };
  /** New rows by their own columns; the moment of each is its own, or that of the label. */
  const anchorsOfNew = (rows: Rows, at: Float64Array) =>
    anchorsFor(version, tables, rows, { asOf: at, dataUntil: until });

  return {
    task,
    table,
    requests: [...requests.values()],
    segments: () => readSegments.map(({ builder }) => builder.take()),
    read(chunk: Chunk, refuse: Refuse): Part {
      const { rows } = chunk;
      const keys = column(rows, keyColumn);
      const entities = keys ? findKeys(keys, rows.rows, table.rowOf) : new Int32Array(rows.rows).fill(-1);
      const time = column(rows, task.time);
      const at = time?.kind === 'time' ? time.values.slice() : new Float64Array(rows.rows).fill(Number.NaN);
      const bad = new Uint8Array(rows.rows);
      const refuseRow = (row: number, name: string | null, reason: InputReason | string) => {
        if (bad[row] === 0) refuse(row, name, reason);
        bad[row] = 1;
      };
      const named: Rows = { rows: rows.rows, columns: new Map(keys ? [[keyName, keys]] : []) };
      for (const { row, column, reason } of formatProblems(named, version.inputFields)) refuseRow(row, column, reason);
      let own: Rows | null = null;
      if (fresh) {
        for (let row = 0; row < rows.rows; row++)
          if (Number.isNaN(at[row]) && entities[row] >= 0) at[row] = starts![entities[row]];
        own = ownColumns(rows, keys);
        const isNew = Array.from(entities.keys()).filter((row) => entities[row] < 0);
        if (isNew.length > 0) momentsOfNew(own, isNew, at, refuseRow);
      }
      for (let row = 0; row < rows.rows; row++) {
        if (Number.isNaN(at[row])) refuseRow(row, task.time, missing.because);
        else if (at[row] > until) refuseRow(row, task.time, { code: 'unread_future', until: dayText(until) });
      }
      const labels = labelled?.map((name, o) =>
        readLabels(opened, o, { name, given: column(rows, name)!, known: knownOf(rows), at, until }, refuseRow),
      );
      const kept = Array.from(bad.keys()).filter((row) => bad[row] === 0);
      const pick = (values: Float64Array) => Float64Array.from(kept, (row) => values[row]);
      const keptEntities = Int32Array.from(kept, (row) => entities[row]);
      const keptAt = pick(at);
      for (const { builder, value } of readSegments)
        for (const [k, row] of kept.entries()) builder.add(value(rows, row, keptEntities[k], keptAt[k]));
      return {
        rowNumbers: pick(chunk.rowNumbers),
        at: keptAt,
        entities: keptEntities,
        outputs: predictKept(own && pickRows(own, kept), keptEntities, keptAt),
        labels: labels?.map((one) => ({ labels: pick(one.labels), isOpen: pick(one.isOpen) })) ?? null,
      };
    },
  };

  function predictKept(own: Rows | null, entities: Int32Array, at: Float64Array) {
    const places = Array.from(entities.keys());
    const isNew = own === null ? [] : places.filter((row) => entities[row] < 0);
    if (isNew.length === 0) return predictKnown(entities, at);
    const known = places.filter((row) => entities[row] >= 0);
    const newRows = pickRows(own!, isNew);
    const ofNew = opened.valuesAt(
      anchorsOfNew(
        newRows,
        Float64Array.from(isNew, (row) => at[row]),
      ),
      newRows,
    );
    const ofKnown = predictKnown(
      Int32Array.from(known, (row) => entities[row]),
      Float64Array.from(known, (row) => at[row]),
    );
    return outputs.map((_, o) => gather(places.length, [isNew, ofNew[o]], [known, ofKnown[o]]));
  }

  /** The inputs of new rows, by the names that the version knows. */
  function ownColumns(rows: Rows, keys: Column | undefined): Rows {
    const columns = new Map<string, Column>();
    for (const { name } of inputs) {
      const found = column(rows, name);
      if (found) columns.set(name, found);
    }
    if (keys) columns.set(keyName, keys);
    return { rows: rows.rows, columns };
  }

  function momentsOfNew(own: Rows, isNew: readonly number[], at: Float64Array, refuseRow: Refuse): void {
    for (const { name, required } of inputRequests(version)) {
      if (!required || name === keyName) continue;
      const given = own.columns.get(name);
      for (const row of isNew)
        if (!given || keyValue(given, row) === null)
          refuseRow(row, name, { code: 'lacking_of_new', table: table.name });
    }
    const asked = pickRows(own, isNew);
    for (const { row, column, reason } of rangeProblems(asked, version.inputFields))
      refuseRow(isNew[row], column, { ...reason, found: null });
    for (const { row, column, reason } of formatProblems(asked, version.inputFields))
      refuseRow(isNew[row], column, reason);
    const moments = anchorsOfNew(
      asked,
      Float64Array.from(isNew, (row) => at[row]),
    ).at;
    for (const [k, row] of isNew.entries()) at[row] = moments[k];
  }
}

/** The moment of each row of the entity table as a new row; NaN where it has none. */
function startsOfRows({ tables }: OpenVersion, table: Table): Float64Array {
  const starts = table.time ? startsOf(table, tables) : new Float64Array(table.rows).fill(Number.NaN);
  return starts.map((_, row) => starts[firstVersion(table, row)]);
}

function gather(
  rows: number,
  ...parts: readonly (readonly [
    places: readonly number[],
    { readonly values: Float64Array; readonly bounds: BoundsOfRows | null },
  ])[]
): { values: Float64Array; bounds: BoundsOfRows | null } {
  const [places, first] = parts.find(([own]) => own.length > 0)!;
  const width = first.values.length / places.length;
  const values = new Float64Array(rows * width);
  const bounds = first.bounds && { lower: new Float64Array(rows), upper: new Float64Array(rows) };
  for (const [own, part] of parts)
    for (const [k, row] of own.entries()) {
      values.set(part.values.subarray(k * width, (k + 1) * width), row * width);
      if (!bounds) continue;
      bounds.lower[row] = part.bounds!.lower[k];
      bounds.upper[row] = part.bounds!.upper[k];
    }
  return { values, bounds };
}

type Joined = Omit<Part, 'outputs'> & {
  readonly unknown: number;
  readonly outputs: readonly {
    readonly name: string;
    readonly values: Float64Array;
    readonly bounds: BoundsOfRows | null;
  }[];
};

function joinParts(parts: readonly Part[], { version }: OpenVersion): Joined {
  const join = (of: (part: Part) => Float64Array) => {
    const pieces = parts.map(of);
    const joined = new Float64Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let from = 0;
    for (const piece of pieces) {
      joined.set(piece, from);
      from += piece.length;
    }
    return joined;
  };
  const entities = Int32Array.from(join(({ entities }) => Float64Array.from(entities)));
  return {
    rowNumbers: join(({ rowNumbers }) => rowNumbers),
    at: join(({ at }) => at),
    entities,
    unknown: entities.filter((row) => row < 0).length,
    outputs: version.outputs.map(({ name, interval }, o) => ({
      name,
      values: join(({ outputs }) => outputs[o].values),
      bounds: interval && {
        lower: join(({ outputs }) => outputs[o].bounds!.lower),
        upper: join(({ outputs }) => outputs[o].bounds!.upper),
      },
    })),
    labels:
      parts.length === 0 || parts[0].labels === null
        ? null
        : version.outputs.map((_, o) => ({
            labels: join(({ labels }) => labels![o].labels),
            isOpen: join(({ labels }) => labels![o].isOpen),
          })),
  };
}

function dayText(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}
