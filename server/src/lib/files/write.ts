// Writes columns to Parquet, CSV and JSONL, a piece at a time, in memory that does not grow with the file.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openDuckDb, quoteName, quoteText, rowGroupRows, vectorRowsMax } from '../duckdb/duckdb.ts';
import { assert } from '../failure.ts';
import type { Column, LogicalType, Rows } from './column.ts';

export type WriteColumn = { readonly name: string; readonly type: LogicalType };

/** A file being written. Wait for each call before the next; after `close` or `abort` there is nothing more to call. */
export type Writer = {
  /** Adds rows, which have a column of the right kind for each of the file's. */
  write(rows: Rows): Promise<void>;
  /** Finishes the file and gives it its name, in one step: a reader sees the whole of it or nothing. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

/** Text waiting to be written; memory use is this and what the operating system buffers. */
const pendingBytesMax = 1 << 20;
const parquetMemoryMb = 512;
/** A table keeps several blocks of 256 KiB of every column in memory, whatever its rows. */
const parquetColumnMb = 2;
/** What an appender may hold of its own, which cannot spill, and what a row group may take before it is compressed. */
const appendedBytesMax = 64 << 20;
const rowGroupBytesMax = 128 << 20;
/** Of a number 8 bytes; of a text 16, and more when it is long. */
const cellBytes = 16;

/**
 * Opens a file for writing, in place of the one that may be there.
 *
 * CSV follows RFC 4180 with LF ends; a missing value is empty and an empty text is `""`. Numbers are the shortest text
 * that reads back the same, dates YYYY-MM-DD, timestamps YYYY-MM-DDTHH:MM:SS[.ffffff]Z, times HH:MM:SS[.ffffff],
 * booleans true and false. JSONL writes every key, null when missing. Parquet has row groups of 98,304 rows (fewer beyond
 * 85 columns), zstd, and the matching types (timestamps in UTC, microseconds).
 * Infinite numbers, and fractions in an integer or a boolean column, are bugs of the caller and thrown as such.
 */
export async function openWriter(
  path: string,
  format: 'parquet' | 'csv' | 'jsonl',
  columns: readonly WriteColumn[],
): Promise<Writer> {
  assert(columns.length > 0, 'a file has at least one column');
  const partial = `${path}.${randomUUID()}.partial`;
  return format === 'parquet'
    ? await openParquet(path, partial, columns)
    : await openText(path, partial, format, columns);
}

async function openText(
  path: string,
  partial: string,
  format: 'csv' | 'jsonl',
  columns: readonly WriteColumn[],
): Promise<Writer> {
  const file = await open(partial, 'wx');
  const formatters = columns.map((column) => cellFormatter(format, column, columns.length === 1));
  const pending = new PendingText(pendingBytesMax + (pendingBytesMax >> 2));
  if (format === 'csv') pending.add(`${columns.map((column) => quoteHeader(column.name)).join(',')}\n`);
  const [start, end] = format === 'csv' ? ['', '\n'] : ['{', '}\n'];

  async function write(rows: Rows): Promise<void> {
    if (rows.rows === 0) return;
    const sources = columns.map((column) => checked(columnOf(rows, column), column));
    const { cells, texts } = planLine(formatters, sources, start, end);
    for (let row = 0; row < rows.rows; row++) {
      pending.addBytes(texts[0]!);
      for (let k = 0; k < cells.length; k++) {
        cells[k]!(row, pending);
        pending.addBytes(texts[k + 1]!);
      }
      if (pending.length >= pendingBytesMax) await flush();
    }
  }

  async function flush(): Promise<void> {
    await file.writeFile(pending.bytes());
    pending.clear();
  }

  async function close(): Promise<void> {
    await flush();
    await finish(file, partial, path);
  }

  async function abort(): Promise<void> {
    await file.close();
    await rm(partial, { force: true });
  }

  return { write, close, abort };
}

/** The rows wait in a DuckDB table, which spills beside the file, because its COPY takes a query and no stream. */
async function openParquet(path: string, partial: string, columns: readonly WriteColumn[]): Promise<Writer> {
  const spillFolder = resolve(`${partial}.spill`);
  const folders = [dirname(resolve(path))];
  const duckdb = await openDuckDb({
    folders,
    memoryLimitMb: parquetMemoryMb + parquetColumnMb * columns.length,
    spillFolder,
  });
  const types = columns.map((column) => (column.type === 'string' ? ('text' as const) : ('double' as const)));
  const names = columns.map((_, index) => `c${index}`);
  const declared = names.map((name, index) => `${name} ${types[index] === 'text' ? 'varchar' : 'double'}`);
  await duckdb.run(`create table pending (${declared.join(', ')})`);
  const appender = await duckdb.appender('pending', types);
  // Only whole vectors are appended: DuckDB keeps the seams of what it was given, and cuts row groups at them.
  const waiting = types.map((type) =>
    type === 'text' ? new Array<string | null>(vectorRowsMax) : new Float64Array(vectorRowsMax),
  );
  let waitingRows = 0;
  let appendedBytes = 0;

  async function write(rows: Rows): Promise<void> {
    const sources = columns.map((column) => checked(columnOf(rows, column), column));
    for (let start = 0; start < rows.rows; ) {
      const end = Math.min(start + vectorRowsMax - waitingRows, rows.rows);
      for (const [index, source] of sources.entries()) copyRows(source, start, end, waiting[index]!, waitingRows);
      waitingRows += end - start;
      start = end;
      if (waitingRows === vectorRowsMax) append();
    }
  }

  function append(): void {
    appender.append(
      waitingRows,
      waiting.map((values) => (values instanceof Float64Array ? values.subarray(0, waitingRows) : values)),
    );
    appendedBytes += waitingRows * columns.length * cellBytes;
    waitingRows = 0;
    if (appendedBytes < appendedBytesMax) return;
    appender.flush();
    appendedBytes = 0;
  }

  async function close(): Promise<void> {
    if (waitingRows > 0) append();
    appender.close();
    const list = columns.map(({ name, type }, index) => `${parquetValue(names[index]!, type)} as ${quoteName(name)}`);
    const target = quoteText(resolve(partial));
    const vectors = Math.floor(rowGroupBytesMax / cellBytes / columns.length / vectorRowsMax);
    const groupRows = Math.min(rowGroupRows, Math.max(1, vectors) * vectorRowsMax);
    const settings = `format parquet, compression zstd, row_group_size ${groupRows}`;
    await duckdb.run(`copy (select ${list.join(', ')} from pending) to ${target} (${settings})`);
    duckdb.close();
    await rm(spillFolder, { recursive: true, force: true });
    await finish(await open(partial, 'r+'), partial, path);
  }

  async function abort(): Promise<void> {
    duckdb.close();
    await rm(spillFolder, { recursive: true, force: true });
    await rm(partial, { force: true });
  }

  return { write, close, abort };
}

/** Numbers wait as float64, NaN for missing, and become what they are on the way out. */
function parquetValue(name: string, type: LogicalType): string {
  const whole = `${name}::bigint`;
  const values: Record<LogicalType, string> = {
    string: name,
    number: name,
    integer: whole,
    boolean: `${name} <> 0`,
    date: `make_timestamp(${whole})::date`,
    timestamp: `make_timestamp(${whole})::timestamptz`,
    time: `make_timestamp(${whole})::time`,
  };
  return type === 'string' ? name : `case when isnan(${name}) then null else ${values[type]} end`;
}

async function finish(file: FileHandle, partial: string, path: string): Promise<void> {
  await file.sync();
  await file.close();
  await rename(partial, path);
}

function columnOf(rows: Rows, { name, type }: WriteColumn): Column {
  const column = rows.columns.get(name);
  assert(column !== undefined, `the rows have no column "${name}"`);
  const isTime = type === 'date' || type === 'timestamp' || type === 'time';
  const kind = type === 'string' ? 'text' : isTime ? 'time' : 'number';
  assert(column.kind === kind, `column "${name}" holds ${column.kind} where ${kind} is written`);
  return column;
}

/** A column, once all its values are known to be fit for its type. */
function checked(column: Column, { name, type }: WriteColumn): Column {
  if (column.kind === 'text') return column;
  const isWhole = type !== 'number' && type !== 'boolean';
  const { values } = column;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    const isFit = isWhole
      ? Math.floor(value) === value && value - value === 0
      : type === 'number'
        ? value - value === 0
        : value === 0 || value === 1;
    if (!isFit && !Number.isNaN(value)) throw new Error(`column "${name}" cannot hold ${value} as ${type}`);
  }
  return column;
}

function copyRows(column: Column, start: number, end: number, target: Float64Array | (string | null)[], at: number) {
  if (column.kind !== 'text') {
    (target as Float64Array).set(column.values.subarray(start, end), at);
    return;
  }
  for (let row = start; row < end; row++) {
    const code = column.codes[row]!;
    target[at++] = code < 0 ? null : column.dictionary[code]!;
  }
}

/** UTF-8 text that grows, in one buffer that is used again. */
class PendingText {
  length = 0;
  private buffer: Buffer;

  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  add(text: string): void {
    // One UTF-16 unit is at most three bytes of UTF-8.
    this.reserve(text.length * 3);
    if (text.length <= shortTextMax) {
      const { buffer } = this;
      let at = this.length;
      let index = 0;
      for (; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit > 127) break;
        buffer[at++] = unit;
      }
      if (index === text.length) {
        this.length = at;
        return;
      }
    }
    this.length += this.buffer.write(text, this.length);
  }

  /** Adds what is UTF-8 already. */
  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    const { buffer, length } = this;
    if (bytes.length > shortTextMax) buffer.set(bytes, length);
    else for (let index = 0; index < bytes.length; index++) buffer[length + index] = bytes[index]!;
    this.length += bytes.length;
  }

  /** Adds a whole number in [0, 1e9). */
  addDigits(value: number): void {
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    this.addPadded(value, digits);
  }

  /** Adds a whole number in [0, 1e9) with zeros in front, as so many digits. */
  addPadded(value: number, digits: number): void {
    this.reserve(digits);
    const { buffer } = this;
    let rest = value | 0;
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      const tenth = (rest / 10) | 0;
      buffer[at] = 48 + rest - tenth * 10;
      rest = tenth;
    }
    this.length += digits;
  }

  /** Adds so many billionths, a whole number in [0, 1e15), without zeros at the end. */
  addBillionths(value: number): void {
    const whole = Math.floor(value / billion);
    this.addDigits(whole);
    const rest = value - whole * billion;
    if (rest === 0) return;
    this.add('.');
    this.addPadded(rest, 9);
    while (this.buffer[this.length - 1] === 48) this.length--;
  }

  /** What was added; to be used before more is. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes));
    larger.set(this.bytes());
    this.buffer = larger;
  }
}

/** UTF-16 units up to which a loop is faster than a call to the encoder. */
const shortTextMax = 48;

type AddCell = (row: number, to: PendingText) => void;

/** The cells of a piece's rows, and the text before, between and after them. Cells that are alike in all rows are text. */
function planLine(
  formatters: readonly ((piece: Column) => AddCell)[],
  sources: readonly Column[],
  start: string,
  end: string,
): { readonly cells: readonly AddCell[]; readonly texts: readonly Uint8Array[] } {
  const cells: AddCell[] = [];
  const texts: Uint8Array[] = [];
  const text = new PendingText(lineBytes);
  text.add(start);
  for (const [index, source] of sources.entries()) {
    if (index > 0) text.add(',');
    const cell = formatters[index]!(source);
    if (isSame(source)) {
      cell(0, text);
      continue;
    }
    texts.push(new Uint8Array(text.bytes()));
    text.clear();
    cells.push(cell);
  }
  text.add(end);
  texts.push(new Uint8Array(text.bytes()));
  return { cells, texts };
}

/** Bytes of text that a row usually has beside its cells. */
const lineBytes = 1024;

/** Whether all rows, of which there is one at least, hold the same. */
function isSame(column: Column): boolean {
  const values = column.kind === 'text' ? column.codes : column.values;
  const first = values[0];
  // A loop: a call for each cell would take longer than most cells take to write.
  for (let row = 1; row < values.length; row++) if (!Object.is(values[row], first)) return false;
  return true;
}

/** Makes, for one column of the file, what adds each row of a piece. */
function cellFormatter(format: 'csv' | 'jsonl', column: WriteColumn, isOnly: boolean): (piece: Column) => AddCell {
  const { name, type } = column;
  const isCsv = format === 'csv';
  const prefix = isCsv ? '' : `${JSON.stringify(name)}:`;
  // An empty line is no row, so a row of one missing value is written with quotes.
  const missing = isCsv ? (isOnly ? '""' : '') : `${prefix}null`;
  if (type === 'string')
    return textFormatter((text) => (isCsv ? quoteField(text) : prefix + JSON.stringify(text)), missing);
  const bare = isCsv || type === 'number' || type === 'integer' || type === 'boolean';
  const valueFormat = valueText(type);
  const isDigits = type === 'number' || type === 'integer';
  // A moment is often that of the row before.
  let last = Number.NaN;
  let lastText = missing;
  return (piece) => {
    assert(piece.kind !== 'text', `column "${name}" holds values`);
    const { values } = piece;
    return (row, to) => {
      const value = values[row]!;
      if (Number.isNaN(value)) {
        to.add(missing);
      } else if (isDigits && value > 0 && value < digitsEnd && Math.floor(value) === value) {
        if (!isCsv) to.add(prefix);
        to.addDigits(value);
      } else if (isDigits && isBillionths(Math.abs(value))) {
        to.add(value < 0 ? `${prefix}-` : prefix);
        to.addBillionths(Math.round(Math.abs(value) * billion));
      } else {
        if (!Object.is(value, last)) {
          last = value;
          lastText = bare ? prefix + valueFormat(value) : `${prefix}"${valueFormat(value)}"`;
        }
        to.add(lastText);
      }
    };
  };
}

/** Whole numbers from here on are left to `numberText`. */
const digitsEnd = 1e9;
const billion = 1e9;

/**
 * Whether a number has at most nine decimals, and fifteen digits in all: no shorter decimal reads as the same number, so
 * `numberText` would write just these. It writes smaller ones with an exponent.
 */
function isBillionths(value: number): boolean {
  return value >= 1e-6 && value < 1e6 && Math.round(value * billion) / billion === value;
}

function textFormatter(quote: (text: string) => string, missing: string): (piece: Column) => AddCell {
  let dictionary: readonly string[] = [];
  let texts: string[] = [];
  return (piece) => {
    assert(piece.kind === 'text', 'a text column holds codes');
    // Pieces of one table share a dictionary; its entries are quoted once.
    if (piece.dictionary !== dictionary) {
      dictionary = piece.dictionary;
      texts = [];
    }
    const { codes } = piece;
    return (row, to) => {
      const code = codes[row]!;
      to.add(code < 0 ? missing : (texts[code] ??= quote(dictionary[code]!)));
    };
  };
}

function valueText(type: Exclude<LogicalType, 'string'>): (value: number) => string {
  switch (type) {
    case 'number':
    case 'integer':
      return numberText;
    case 'boolean':
      return (value) => (value === 0 ? 'false' : 'true');
    case 'date':
      return dateFormatter();
    case 'timestamp': {
      const dateText = dateFormatter();
      return (value) => `${dateText(value)}T${timeText(value)}Z`;
    }
    case 'time':
      return timeText;
  }
}

/** JavaScript's text of a number is the shortest that reads back the same (ECMA-262, Number::toString), but loses -0. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const dayUs = 86_400_000_000;
const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
/** Days remembered as text, since making one costs more than the rest of a row. */
const dayTextsMax = 50_000;

function dateFormatter(): (us: number) => string {
  const texts = new Map<number, string>();
  return (us) => {
    const day = Math.floor(us / dayUs);
    const known = texts.get(day);
    if (known !== undefined) return known;
    if (texts.size >= dayTextsMax) texts.clear();
    const text = new Date(day * 86_400_000).toISOString().split('T', 1)[0]!;
    texts.set(day, text);
    return text;
  };
}

function timeText(us: number): string {
  const ofDay = us - Math.floor(us / dayUs) * dayUs;
  const seconds = Math.floor(ofDay / 1_000_000);
  const clock = `${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}`;
  const microseconds = ofDay % 1_000_000;
  return microseconds === 0 ? clock : `${clock}.${String(microseconds).padStart(6, '0').replace(/0+$/, '')}`;
}

function quoteField(text: string): string {
  return text === '' || text === '\\N' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A name that holds another delimiter is quoted, or it would mislead whoever looks for the delimiter. */
function quoteHeader(name: string): string {
  return /[",;\t|\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
