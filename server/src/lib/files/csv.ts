// CSV by RFC 4180. It is split here and not by DuckDB, whose reader counts lines instead of rows, drops rejected rows
// before they can be numbered, refuses a whole file for one line over a limit, and never says which bytes a lost quote
// swallowed.
import { ByteWindow, type Compression, type Encoding, lineBytesMax } from './bytes.ts';
import type { LogicalType } from './column.ts';
import { LostBytes, sizeWord } from './density.ts';
import { type RowReason, sayRowReason, tellRowReason } from './row-reasons.ts';
import { isFull, missing as missingValue, type Source, type SourceContext } from './source.ts';
import { type ColumnBuilder, type MissingTexts, missingTexts } from './table.ts';
import { mismatch, readValue, type ValueForm } from './values.ts';

export type CsvShape = {
  readonly compression: Compression;
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Names of the columns, in order. */
  readonly header: readonly string[];
};

const newline = 10;
const carriageReturn = 13;
const quote = 34;

const rowBytesWord = sizeWord(lineBytesMax);

/** Kinds of field: without quotes, within quotes, and within quotes with doubled quotes inside. */
const plain = 0;
const quoted = 1;
const escaped = 2;

/** Splits one row at a time into fields, without copying. */
export class CsvScanner {
  /** Start, end and kind of each field of the last row, as positions in the buffer. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  /** Number of fields of the last row. Fields beyond the expected ones are only counted. */
  fields = 0;
  /** Position of the next row. */
  next = 0;
  /** Why the last row is 'bad'. */
  reason: RowReason = { code: 'open_quote' };
  /** The field whose quote is still open where the last row is 'partial'; -1 when none is. */
  openField = -1;
  private readonly delimiter: number;
  private readonly stops = new Uint8Array(256);

  constructor(delimiter: string, fieldsExpected: number) {
    this.delimiter = delimiter.charCodeAt(0);
    this.stops[this.delimiter] = 1;
    this.stops[newline] = 1;
    this.stops[carriageReturn] = 1;
    this.starts = new Int32Array(fieldsExpected);
    this.ends = new Int32Array(fieldsExpected);
    this.kinds = new Uint8Array(fieldsExpected);
  }

  /**
   * Scans the row at `position`. 'partial': the row may continue after `limit`. 'blank': an empty line, which is not a
   * row. 'bad': `reason` says why, and `next` is the start of the next line, so that a lost quote costs one line;
   * `next` is -1 when the line does not end before `limit`.
   */
  scan(buffer: Buffer, position: number, limit: number, isLast: boolean): 'row' | 'blank' | 'partial' | 'bad' {
    const { stops, delimiter, starts, ends, kinds } = this;
    const expected = starts.length;
    let fields = 0;
    let at = position;
    this.openField = -1;
    for (;;) {
      let start = at;
      let end: number;
      let kind = plain;
      if (at < limit && buffer[at] === quote) {
        kind = quoted;
        start = ++at;
        for (;;) {
          while (at < limit && buffer[at] !== quote) at++;
          if (at + 1 >= limit && !isLast) {
            this.openField = fields;
            return 'partial';
          }
          if (at >= limit) return this.bad(buffer, position, limit, { code: 'open_quote' });
          if (buffer[at + 1] !== quote || at + 1 >= limit) break;
          kind = escaped;
          at += 2;
        }
        end = at++;
        if (at < limit && stops[buffer[at]] === 0) {
          return this.bad(buffer, position, limit, { code: 'text_after_quote' });
        }
      } else {
        while (at < limit && stops[buffer[at]] === 0) at++;
        end = at;
      }
      if (fields < expected) {
        starts[fields] = start;
        ends[fields] = end;
        kinds[fields] = kind;
      }
      fields++;
      if (at >= limit) {
        if (!isLast) return 'partial';
        this.next = at;
      } else if (buffer[at] === delimiter) {
        at++;
        continue;
      } else if (buffer[at] === carriageReturn) {
        if (at + 1 >= limit && !isLast) return 'partial';
        this.next = at + 1 < limit && buffer[at + 1] === newline ? at + 2 : at + 1;
      } else {
        this.next = at + 1;
      }
      this.fields = fields;
      return fields === 1 && kind === plain && start === end ? 'blank' : 'row';
    }
  }

  private bad(buffer: Buffer, position: number, limit: number, reason: RowReason): 'bad' {
    this.reason = reason;
    this.next = afterLine(buffer, position, limit);
    return 'bad';
  }
}

/** The position after the line at `position`, or -1 when it does not end before `limit`. */
function afterLine(buffer: Buffer, position: number, limit: number): number {
  const end = buffer.subarray(position, limit).indexOf(newline);
  return end === -1 ? -1 : position + end + 1;
}

/** The text of a field; `kind` is the scanner's. */
export function fieldText(buffer: Buffer, start: number, end: number, kind: number): string {
  const text = buffer.toString('utf8', start, end);
  return kind === escaped ? text.replaceAll('""', '"') : text;
}

/** How to read one requested column. */
type ReadJob = {
  readonly field: number;
  readonly name: string;
  readonly type: LogicalType;
  readonly isRequired: boolean;
  /** Whether a value that does not convert rejects its row. */
  readonly isStrict: boolean;
  /** Only checks that there is a value. */
  readonly isCheck: boolean;
  readonly missing: MissingTexts | null;
  readonly form: ValueForm | undefined;
  readonly column: ColumnBuilder;
};

/** Reads the rows of a CSV file whose header is known. */
export async function* readCsv(path: string, shape: CsvShape, context: SourceContext): Source {
  const { rejects, file } = context;
  const window = new ByteWindow(path, shape.compression, shape.encoding, context.file);
  const expected = shape.header.length;
  const scanner = new CsvScanner(shape.delimiter, expected);
  const addRow = rowAdder(scanner, planJobs(shape.header, context), context);
  const rejectRow = (row: number, because: RowReason, start: number, end: number) => {
    const value = window.buffer.toString('utf8', start, Math.min(end, start + 160)).replace(/[\r\n]+$/, '');
    rejects.add({ file, row, column: null, ...tellRowReason(because), value });
  };
  const lost = new LostBytes(file);
  let row = -1;
  let isInLostLine = false;
  let tooLong = tooLongReason(undefined);
  try {
    for (;;) {
      if (rejects.isFull()) yield;
      const { position } = window;
      if (position >= window.limit) {
        if (window.isLast) return;
        await window.more();
        continue;
      }
      if (isInLostLine) {
        const next = afterLine(window.buffer, position, window.limit);
        isInLostLine = next === -1;
        window.position = next === -1 ? window.limit : next;
        lost.add(window.position - position, row, sayRowReason(tooLong));
        continue;
      }
      const outcome = scanner.scan(window.buffer, position, window.limit, window.isLast);
      if (outcome === 'partial' && window.limit - position <= lineBytesMax) {
        await window.more();
        continue;
      }
      if (outcome === 'blank') {
        window.position = scanner.next;
        continue;
      }
      row++;
      const isTooLong = outcome === 'partial' || (outcome === 'row' && scanner.next - position > lineBytesMax);
      if (isTooLong || outcome === 'bad') {
        const next = isTooLong ? afterLine(window.buffer, position, window.limit) : scanner.next;
        if (isTooLong) {
          tooLong = tooLongReason(shape.header[scanner.openField]);
          lost.add(window.limit - position, row, sayRowReason(tooLong));
        }
        rejectRow(row, isTooLong ? tooLong : scanner.reason, position, window.limit);
        isInLostLine = next === -1;
        window.position = next === -1 ? window.limit : next;
        continue;
      }
      window.position = scanner.next;
      // The header was read when the file was inspected.
      if (row === 0) continue;
      const problem = window.isSuspect ? window.problem(position, scanner.next) : null;
      if (problem !== null) {
        rejectRow(row, problem, position, scanner.next);
      } else if (scanner.fields !== expected) {
        rejectRow(row, { code: 'row_fields', expected, found: scanner.fields }, position, scanner.next);
      } else {
        if (isFull(context)) yield;
        addRow(window.buffer, row);
      }
    }
  } finally {
    await window.close();
  }
}

/** `open`: the column in which the row opens a quote and does not close it. */
function tooLongReason(open: string | undefined): RowReason {
  return { code: 'row_too_long', size: rowBytesWord, column: open ?? null };
}

/**
 * Plans the columns to read. Those that can reject a row come first, so that a rejected row leaves nothing in the
 * others.
 */
function planJobs(header: readonly string[], context: SourceContext): ReadJob[] {
  const jobs: ReadJob[] = [];
  const fields = new Map(header.map((name, field) => [name, field]));
  const rank = (job: ReadJob) => (job.isCheck ? 0 : job.isStrict && job.type !== 'string' ? 1 : 2);
  for (const [index, request] of context.requests.entries()) {
    const found = context.names.get(request.name);
    if (found === undefined) continue;
    const isRequired = request.required === true;
    const isStrict = isRequired || request.isStrict === true;
    const { name, type, form } = request;
    const column = context.table.columns[index];
    const missing = missingTexts(request);
    const job = { field: fields.get(found)!, name, type, isRequired, isStrict, missing, form, column };
    if (isRequired && type === 'string') jobs.push({ ...job, isCheck: true });
    jobs.push({ ...job, isCheck: false });
  }
  return jobs.sort((a, b) => rank(a) - rank(b));
}

function rowAdder(scanner: CsvScanner, jobs: readonly ReadJob[], context: SourceContext) {
  const { table, rejects, file } = context;
  const { starts, ends, kinds } = scanner;
  let unescaped: Buffer = Buffer.alloc(1024);
  return function addRow(source: Buffer, row: number): void {
    const at = table.rows;
    if (at >= table.rowNumbers.length) table.reserve(at + 1);
    for (const { field, column, type, name, isRequired, isStrict, isCheck, missing, form } of jobs) {
      let bytes = source;
      let start = starts[field];
      let end = ends[field];
      const kind = kinds[field];
      if (kind === escaped) {
        if (unescaped.length < end - start) unescaped = Buffer.alloc((end - start) * 2);
        end = halveQuotes(bytes, start, end, unescaped);
        bytes = unescaped;
        start = 0;
      }
      // A field is null when it is empty, or `\N` without quotes, as in PostgreSQL's COPY.
      const isNull = kind === plain && end - start === 2 && bytes[start] === 92 && bytes[start + 1] === 78;
      if (start === end || isNull || missing?.hasBytes(bytes, start, end)) {
        if (isRequired) {
          rejects.add({ file, row, column: name, ...missingValue, value: null });
          return;
        }
        if (column.kind === 'texts') column.codes[at] = -1;
        else column.values[at] = Number.NaN;
        continue;
      }
      if (isCheck) continue;
      if (column.kind === 'texts') {
        column.codes[at] = column.code(bytes, start, end);
        continue;
      }
      const value = readValue(type, bytes, start, end, form);
      column.values[at] = value;
      if (Number.isNaN(value)) {
        const text = bytes.toString('utf8', start, end);
        rejects.add({ file, row, column: name, ...mismatch(type, text, form), value: text });
        if (isStrict) return;
      }
    }
    table.rowNumbers[at] = row;
    table.rows = at + 1;
  };
}

/** Copies a field, with each doubled quote as one. Returns the length of the copy. */
function halveQuotes(source: Buffer, start: number, end: number, target: Buffer): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    target[length++] = source[at];
    if (source[at] === quote) at++;
  }
  return length;
}
