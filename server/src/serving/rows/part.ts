import { assert } from '../../lib/failure.ts';
import { type Column, pickRows, type Rows } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import { missing } from '../../lib/files/source.ts';
import { missingTexts } from '../../lib/files/table.ts';
import { mismatch, valueOfText } from '../../lib/files/values.ts';
import type { AskedMoments } from '../../ml/inference/anchors.ts';
import { keyOf } from '../../ml/inference/answer-rows.ts';
import { vectorProblems } from '../../ml/version/given-vectors.ts';
import { inputRequests, lackingInputs } from '../../ml/version/input-requests.ts';
import {
  aheadProblems,
  formatProblems,
  rangeProblems,
  undated,
  type ValueProblem,
} from '../../ml/version/input-values.ts';
import { dayInput, echoed, echoedLengthMax } from '../../ml/version/schema.ts';
import { isReadAlike, requestFor } from './inputs.ts';
import { pickMoments } from './moments.ts';
import type { Refuse, RowProblemCode } from './problem.ts';
import type { OpenTarget } from './targets.ts';

/** The rows of a chunk that are for one target. `positions` are their places in the chunk. */
export type TargetRows = { readonly positions: readonly number[]; readonly rows: Rows; readonly moments: AskedMoments };

/** Whether the request names the day of rows without one, and the last microsecond of the day it was made. */
type RowDates = { readonly isDayGiven: boolean; readonly today: number };

/** The rows for the target at position `index`; null when there are none. */
export function partOf(index: number, target: Int32Array, rows: Rows, moments: AskedMoments): TargetRows | null {
  const positions: number[] = [];
  for (let row = 0; row < target.length; row++) if (target[row] === index) positions.push(row);
  return positions.length === 0 ? null : narrow({ positions: Array.from(target.keys()), rows, moments }, positions);
}

/** The rows of a part at `kept`, which are positions within it. */
function narrow({ positions, rows, moments }: TargetRows, kept: readonly number[]): TargetRows {
  if (kept.length === positions.length) return { positions, rows, moments };
  return {
    positions: kept.map((at) => positions[at]),
    rows: pickRows(rows, kept),
    moments: pickMoments(moments, kept),
  };
}

/**
 * The rows as one version reads them: its own inputs, under its own names and types. Rows that lack a required input,
 * or hold a value that does not convert, lies out of its declared range, lacks its format or dates them ahead, are
 * refused and left out.
 */
export function askedOf(
  { version }: OpenTarget['opened'],
  requests: ReadonlyMap<string, ColumnRequest>,
  part: TargetRows,
  { isDayGiven, today }: RowDates,
  refuse: Refuse,
): TargetRows {
  const columns = new Map<string, Column>();
  /** What the file calls an input, by its own name. */
  const sentAs = new Map<string, string>();
  for (const name of echoed) {
    const column = part.rows.columns.get(name);
    if (column) columns.set(name, column);
  }
  const bad = new Uint8Array(part.positions.length);
  const needed = new Set(lackingInputs(version.inputFields, (name) => requests.has(name.toLowerCase()), true));
  for (const wanted of inputRequests(version)) {
    const { name, required } = wanted;
    const request = requestFor(wanted, requests);
    const read = request && part.rows.columns.get(request.name);
    const column = read && (isReadAlike(request, wanted) ? read : valuesOf(read, wanted, onBad(request.name, wanted)));
    if (column) columns.set(name, column);
    if (request) sentAs.set(name, request.name);
    if ((required && !request?.required) || needed.has(name)) refuseMissing(request?.name ?? name, column);
  }
  const read = { rows: bad.length, columns };
  refuseAll(vectorProblems(read, version.inputFields), 'invalid_input');
  refuseAll(rangeProblems(read, version.inputFields), 'invalid_input');
  refuseAll(formatProblems(read, version.inputFields), 'invalid_input');
  refuseAll(aheadProblems(read, version.inputFields, today), 'reference_date_in_future');
  if (!isDayGiven) refuseUndated();
  refuseLong([...echoed, keyOf(version).name]);
  const kept = Array.from(bad.keys()).filter((at) => bad[at] === 0);
  return narrow({ ...part, rows: { rows: part.rows.rows, columns } }, kept);

  function refuseAll(problems: readonly ValueProblem[], code: RowProblemCode): void {
    for (const { row: at, column, reason } of problems) {
      bad[at] = 1;
      refuse(part.positions[at], sentAs.get(column) ?? column, code, reason);
    }
  }

  /** Refuses new rows without a date of their own, for which the file names no day either. */
  function refuseUndated(): void {
    const dating = version.inputFields.find(({ dates_row }) => dates_row !== undefined);
    if (dating === undefined) return;
    const column = columns.get(dating.name);
    const day = part.rows.columns.get(dayInput);
    for (let at = 0; at < bad.length; at++) {
      if (bad[at] === 1 || hasValue(column, at) || hasValue(day, at)) continue;
      bad[at] = 1;
      refuse(part.positions[at], sentAs.get(dating.name) ?? dating.name, 'missing_input', undated);
    }
  }

  /** Refuses rows with texts that are too long to be copied to their answers. */
  function refuseLong(names: readonly string[]): void {
    for (const name of names) {
      const column = columns.get(name);
      if (column?.kind !== 'text') continue;
      const isLong = column.dictionary.map((text) => text.length > echoedLengthMax);
      if (!isLong.includes(true)) continue;
      for (let at = 0; at < bad.length; at++) {
        if (bad[at] === 1 || !isLong[column.codes[at]]) continue;
        bad[at] = 1;
        refuse(part.positions[at], sentAs.get(name) ?? name, 'invalid_input', {
          ...{ code: 'long_text', most: echoedLengthMax },
        });
      }
    }
  }

  function onBad(name: string, { type, form }: ColumnRequest) {
    return (at: number, text: string): void => {
      bad[at] = 1;
      refuse(part.positions[at], name, 'invalid_input', mismatch(type, text, form).because);
    };
  }

  function refuseMissing(name: string, column: Column | undefined): void {
    for (let at = 0; at < bad.length; at++) {
      // A value that did not convert has been refused already.
      if (hasValue(column, at) || bad[at] === 1) continue;
      bad[at] = 1;
      refuse(part.positions[at], name, 'missing_input', missing.because);
    }
  }
}

function hasValue(column: Column | undefined, at: number): boolean {
  if (column === undefined) return false;
  return column.kind === 'text' ? column.codes[at] >= 0 : !Number.isNaN(column.values[at]);
}

/** Converts texts to the values that a version reads, and calls `onBad` for each row whose text does not convert. */
function valuesOf(column: Column, request: ColumnRequest, onBad: (at: number, text: string) => void): Column {
  assert(column.kind === 'text', 'what versions read differently is read as text');
  const { type, form } = request;
  const { codes, dictionary } = column;
  const missing = missingTexts(request);
  const isMissing = dictionary.map((text) => missing?.has(text) ?? false);
  if (type === 'string') return { ...column, codes: codes.map((code) => (code < 0 || isMissing[code] ? -1 : code)) };
  const read = Float64Array.from(dictionary, (text) => valueOfText(type, text, form));
  const values = new Float64Array(codes.length).fill(Number.NaN);
  for (let at = 0; at < codes.length; at++) {
    if (codes[at] < 0 || isMissing[codes[at]]) continue;
    values[at] = read[codes[at]];
    if (Number.isNaN(values[at])) onBad(at, dictionary[codes[at]]);
  }
  return { kind: type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number', values };
}
