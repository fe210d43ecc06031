// Parquet through DuckDB: it decodes and casts to FLOAT, DOUBLE or VARCHAR, and here vectors become columns.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Batch,
  type DuckDb,
  inlineTextBytesMax,
  openDuckDb,
  quoteName,
  quoteText,
  textCellBytes,
  type Validity,
} from '../duckdb/duckdb.ts';
import { assert, Failure } from '../failure.ts';
import type { LogicalType } from './column.ts';
import { missingReason, type Source, type SourceContext } from './source.ts';
import {
  type ColumnBuilder,
  type MissingTexts,
  missingTexts,
  nulReason,
  nulText,
  type TextBuilder,
  type ValueBuilder,
} from './table.ts';
import { fits, mismatch, readValue } from './values.ts';

export type ParquetShape = {
  readonly columns: readonly { readonly name: string; readonly type: LogicalType; readonly duckType: string }[];
  readonly rows: number;
  readonly rowGroupRowsMax: number;
};

/** The last DuckDBs that were done with, by folder: opening one costs 20 ms, as much as reading a hundred thousand rows. */
const idle = new Map<string, DuckDb>();
/** One for tables, and one for the rows to predict. */
const idleMax = 2;

/**
 * Opens a DuckDB that can read one file, which its statements call `file`; `done` takes it back. It sees the folder in
 * which the bytes lie: a link elsewhere would lead out of the folders it is allowed.
 */
async function openFor(path: string): Promise<{ duckdb: DuckDb; file: string; done: () => void }> {
  const real = await realpath(path);
  const folder = dirname(real);
  const kept = idle.get(folder);
  idle.delete(folder);
  // It decodes while the rows before are used; a second thread of its own would only wait, and cost CPU.
  const duckdb = kept ?? (await openDuckDb({ folders: [folder], threads: 1 }));
  const done = () => {
    idle.get(folder)?.close();
    idle.delete(folder);
    idle.set(folder, duckdb);
    const [oldest] = idle.keys();
    if (idle.size <= idleMax) return;
    idle.get(oldest)!.close();
    idle.delete(oldest);
  };
  return { duckdb, file: quoteText(real), done };
}

/** Reads the footer. Throws Failure 'invalid' when the file is cut short or damaged. */
export async function describeParquet(path: string, name: string): Promise<ParquetShape> {
  const { duckdb, file, done } = await openFor(path);
  try {
    const described = await duckdb.rows(`describe select * from read_parquet(${file})`);
    const groups = await duckdb.rows(
      `select coalesce(sum(rows), 0)::double as total, coalesce(max(rows), 0)::double as largest from (
        select any_value(row_group_num_rows) as rows from parquet_metadata(${file}) group by row_group_id)`,
    );
    const columns = described.map((row) => {
      const duckType = String(row.column_type);
      return { name: String(row.column_name), type: logicalType(duckType), duckType };
    });
    return { columns, rows: Number(groups[0]!.total), rowGroupRowsMax: Number(groups[0]!.largest) };
  } catch (cause) {
    throw damaged(name, cause);
  } finally {
    done();
  }
}

/** What is wrong with a file, unless it is this machine that cannot read it now. */
function damaged(name: string, cause: unknown): unknown {
  assert(!String(cause).includes('Permission Error'), `DuckDB may read ${name}`);
  if (/Out of Memory Error|Cannot open file|Too many open files|No space left/.test(String(cause))) return cause;
  const message = `${name}: the Parquet data is damaged or cut short. Write and upload the file again.`;
  return new Failure('invalid', message, { cause });
}

function logicalType(duckType: string): LogicalType {
  if (/^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT)$/.test(duckType)) {
    return 'integer';
  }
  if (/^(FLOAT|DOUBLE|DECIMAL.*)$/.test(duckType)) return 'number';
  if (duckType === 'BOOLEAN') return 'boolean';
  if (duckType === 'DATE') return 'date';
  if (duckType.startsWith('TIMESTAMP')) return 'timestamp';
  if (duckType.startsWith('TIME')) return 'time';
  return 'string';
}

/** How one requested column is read. */
type Job = {
  readonly name: string;
  readonly type: LogicalType;
  readonly isRequired: boolean;
  /** Whether a value that does not convert costs its row. */
  readonly isStrict: boolean;
  readonly missing: MissingTexts | null;
  readonly column: ColumnBuilder;
  /** As FLOAT, DOUBLE or VARCHAR. */
  readonly sql: string;
  readonly carries: 'float' | 'double' | 'text';
  /** Whether every value DuckDB may return is fit for the type, so that none needs a look. */
  readonly isSafe: boolean;
};

/** Reads the rows of a Parquet file whose footer was read. */
export async function* readParquet(path: string, shape: ParquetShape, context: SourceContext): Source {
  const { table } = context;
  const jobs = planJobs(shape, context);
  if (context.rowsMax === Number.POSITIVE_INFINITY) table.reserve(table.rows + shape.rows);
  const { duckdb, file, done } = await openFor(path);
  try {
    const list = jobs.length === 0 ? '0::double' : jobs.map((job) => job.sql).join(', ');
    const { first, count } = context.range ?? { first: 0, count: shape.rows };
    const from = context.range
      ? `read_parquet(${file}, file_row_number = true)
        where file_row_number >= ${first} and file_row_number < ${first + count}`
      : `read_parquet(${file})`;
    let row = first + 1;
    for await (const batch of duckdb.stream(`select ${list} from ${from}`)) {
      const isTooMuch = table.rows > 0 && table.rows + batch.rows > context.rowsMax;
      if (isTooMuch || context.rejects.isFull()) yield;
      if (table.rows === 0) table.reserve(Math.min(context.rowsMax, count));
      addBatch(batch, row, jobs, context);
      row += batch.rows;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw damaged(context.file, cause);
  } finally {
    done();
  }
}

function planJobs(shape: ParquetShape, context: SourceContext): Job[] {
  const jobs: Job[] = [];
  for (const [index, request] of context.requests.entries()) {
    const found = shape.columns.find((column) => column.name === context.names.get(request.name));
    if (found === undefined) continue;
    const { name, type } = request;
    const column = quoteName(found.name);
    const isList = request.takesLists === true && /\[\d*\]$/.test(found.duckType);
    const reading = isList ? castList(column) : castTo(type, column, found.duckType);
    if (reading === null) {
      const message = `${context.file}: column "${found.name}" holds ${found.duckType}, which cannot be read as ${type}`;
      throw new Failure('invalid', `${message}. Write it as a plain column of that type.`);
    }
    const isRequired = request.required === true;
    const isStrict = isRequired || request.isStrict === true;
    const missing = missingTexts(request);
    jobs.push({ name, type, isRequired, isStrict, missing, column: context.table.columns[index]!, ...reading });
  }
  return jobs;
}

/** DuckDB writes a list of numbers as JSON does, but for those that are none. */
function castList(name: string): Pick<Job, 'sql' | 'carries' | 'isSafe'> {
  return { sql: `${name}::varchar`, carries: 'text', isSafe: false };
}

const isText = /^(VARCHAR|UUID|ENUM.*|BLOB)$/;

/** How a physical type reaches a logical one; null when it cannot. */
function castTo(type: LogicalType, name: string, duckType: string): Pick<Job, 'sql' | 'carries' | 'isSafe'> | null {
  const found = logicalType(duckType);
  const isFloat = duckType === 'FLOAT' || duckType === 'DOUBLE';
  const text = (sql: string) => ({ sql, carries: 'text' as const, isSafe: false });
  const double = (sql: string, isSafe: boolean) => ({ sql, carries: 'double' as const, isSafe });
  if (isText.test(duckType)) return text(`${name}::varchar`);
  if (found === 'string') return null;
  if (type === 'string') {
    // A float that holds a whole number is written without ".0": tools make floats of integers with gaps.
    if (isFloat) return text(`case when isfinite(${name}) then regexp_replace(${name}::varchar, '\\.0$', '') end`);
    if (duckType.startsWith('TIMESTAMP')) return text(`strftime((${name})::timestamp, '%Y-%m-%dT%H:%M:%S.%fZ')`);
    return text(`${name}::varchar`);
  }
  if (found === 'time') return type === 'time' ? double(`epoch_us(${name}::time)::double`, true) : null;
  if (found === 'date' || found === 'timestamp') {
    if (type !== 'date' && type !== 'timestamp') return null;
    const moment = `(${name})::timestamp`;
    const isSafe = type === 'timestamp' || found === 'date';
    return double(`case when isfinite(${moment}) then epoch_us(${moment})::double end`, isSafe);
  }
  if (found === 'boolean') {
    return type === 'date' || type === 'timestamp' || type === 'time' ? null : double(`${name}::double`, true);
  }
  if (type === 'date' || type === 'timestamp' || type === 'time') return null;
  const isSmall = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER)$/.test(duckType);
  const isSafe = type === 'number' ? found === 'integer' || !isFloat : type === 'integer' && isSmall;
  // A float is widened on arrival: DuckDB would write and hand over twice the bytes.
  if (duckType === 'FLOAT') return { sql: name, carries: 'float', isSafe };
  return double(duckType === 'DOUBLE' ? name : `${name}::double`, isSafe);
}

function addBatch(batch: Batch, firstRow: number, jobs: readonly Job[], context: SourceContext): void {
  const { table } = context;
  const base = table.rows;
  table.reserve(base + batch.rows);
  for (let row = 0; row < batch.rows; row++) table.rowNumbers[base + row] = firstRow + row;
  const dropped = new Uint8Array(batch.rows);
  const before = { batch, base, firstRow, dropped, context };
  let drops = 0;
  for (const [index, job] of jobs.entries()) {
    if (job.column.kind === 'values') drops += addValues(job, job.column, index, before);
    else if (job.isRequired) drops += checkTexts(job, index, before);
  }
  // Texts come last: those of rejected rows have no place in a dictionary.
  for (const [index, job] of jobs.entries()) {
    if (job.column.kind === 'texts') drops += addTexts(job, job.column, index, before);
  }
  table.rows = base + batch.rows;
  if (drops > 0) dropRows(base, dropped, context);
}

type Before = {
  readonly batch: Batch;
  /** Where the batch starts in the table, and in the file. */
  readonly base: number;
  readonly firstRow: number;
  /** 1 for rows that are rejected. */
  readonly dropped: Uint8Array;
  readonly context: SourceContext;
};

/** Copies a column of values. Returns how many rows it rejected. */
function addValues(job: Job, column: ValueBuilder, index: number, before: Before): number {
  const { batch, base } = before;
  const target = column.values;
  if (job.carries === 'text') {
    const { cells, validity, longText } = batch.texts(index);
    return addParsed(job, target, before, validity, cells, longText);
  }
  const { values, validity } = job.carries === 'float' ? batch.floats(index) : batch.doubles(index);
  target.set(values, base);
  if (validity !== null) markInvalid(target, base, validity, batch.rows);
  for (const absent of job.missing?.values ?? []) {
    for (let at = base; at < base + batch.rows; at++) if (target[at] === absent) target[at] = Number.NaN;
  }
  let drops = 0;
  const { type } = job;
  if (!job.isSafe && (type !== 'number' || hasInfinity(values))) {
    for (let row = 0; row < batch.rows; row++) {
      const value = target[base + row]!;
      // A NaN stands for no value in a file of numbers, and is no reject.
      if (Number.isNaN(value) || fits(type, value)) continue;
      target[base + row] = Number.NaN;
      const text = type === 'date' ? new Date(value / 1000).toISOString() : String(value);
      drops += rejectCell(job, row, mismatch(type, text), text, before);
    }
  }
  return job.isRequired ? drops + dropMissing(job, target, before) : drops;
}

/** Writes NaN where a value is missing, which few are: a word of the mask without gaps is passed over at once. */
function markInvalid(target: Float64Array, base: number, validity: Uint32Array, rows: number): void {
  for (let word = 0; word * 32 < rows; word++) {
    let gaps = ~validity[word]!;
    while (gaps !== 0) {
      const row = word * 32 + 31 - Math.clz32(gaps & -gaps);
      // Bits past the last row mean nothing, and lie beyond all others.
      if (row >= rows) return;
      target[base + row] = Number.NaN;
      gaps &= gaps - 1;
    }
  }
}

/** Whether a cell is infinite, the one number that is not fit to be one; cells without a value count too. */
function hasInfinity(values: Float32Array | Float64Array): boolean {
  if (values instanceof Float64Array) {
    for (let row = 0; row < values.length; row++) if (Math.abs(values[row]!) === Number.POSITIVE_INFINITY) return true;
    return false;
  }
  // As whole numbers, but for the sign, they are looked at in half the time.
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let row = 0; row < bits.length; row++) if (bits[row]! << 1 === infinityBits) return true;
  return false;
}

/** Of a float32 without its sign bit. */
const infinityBits = 0xff000000 | 0;

/** Reads numbers and times out of texts. */
function addParsed(
  job: Job,
  target: Float64Array,
  before: Before,
  validity: Validity,
  cells: Uint8Array,
  longText: (row: number) => string,
): number {
  const { batch, base } = before;
  const bytes = Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength);
  let drops = 0;
  for (let row = 0; row < batch.rows; row++) {
    target[base + row] = Number.NaN;
    if (!isValid(validity, row)) continue;
    const at = row * textCellBytes;
    const length = bytes.readUInt32LE(at);
    if (length === 0 || (length === 2 && bytes[at + 4] === 92 && bytes[at + 5] === 78)) continue;
    const isInline = length <= inlineTextBytesMax;
    const long = isInline ? null : Buffer.from(longText(row));
    if (isMissing(job.missing, cells, row, longText)) continue;
    const value =
      long === null ? readValue(job.type, bytes, at + 4, at + 4 + length) : readValue(job.type, long, 0, long.length);
    target[base + row] = value;
    if (Number.isNaN(value)) {
      const text = long === null ? bytes.toString('utf8', at + 4, at + 4 + length) : long.toString();
      drops += rejectCell(job, row, mismatch(job.type, text), text, before);
    }
  }
  return job.isRequired ? drops + dropMissing(job, target, before) : drops;
}

/** Records a value that does not convert. Returns 1 when that rejects its row for the first time. */
function rejectCell(job: Job, row: number, reason: string, value: string | null, before: Before): number {
  const { context, dropped, firstRow } = before;
  if (dropped[row] === 1) return 0;
  context.rejects.add({ file: context.file, row: firstRow + row, column: job.name, reason, value });
  if (!job.isStrict) return 0;
  dropped[row] = 1;
  return 1;
}

function dropMissing(job: Job, values: Float64Array, before: Before): number {
  let drops = 0;
  for (let row = 0; row < before.batch.rows; row++) {
    const isMissing = Number.isNaN(values[before.base + row]!);
    if (isMissing && before.dropped[row] === 0) drops += rejectCell(job, row, missingReason, null, before);
  }
  return drops;
}

function checkTexts(job: Job, index: number, before: Before): number {
  const { cells, validity, longText } = before.batch.texts(index);
  let drops = 0;
  for (let row = 0; row < before.batch.rows; row++) {
    if (before.dropped[row] === 1) continue;
    if (hasText(cells, validity, row) && !isMissing(job.missing, cells, row, longText)) continue;
    drops += rejectCell(job, row, missingReason, null, before);
  }
  return drops;
}

function hasText(cells: Uint8Array, validity: Validity, row: number): boolean {
  const at = row * textCellBytes;
  return isValid(validity, row) && (cells[at]! | cells[at + 1]! | cells[at + 2]! | cells[at + 3]!) !== 0;
}

/** Whether a text is one that stands for no value. */
function isMissing(
  missing: MissingTexts | null,
  cells: Uint8Array,
  row: number,
  longText: (row: number) => string,
): boolean {
  if (missing === null) return false;
  const at = row * textCellBytes;
  const length = cells[at]! | (cells[at + 1]! << 8) | (cells[at + 2]! << 16) | (cells[at + 3]! << 24);
  const isInline = length >= 0 && length <= inlineTextBytesMax;
  return isInline ? missing.hasBytes(cells, at + 4, at + 4 + length) : missing.has(longText(row));
}

/** Codes a column of texts. An empty text is missing, as in the other formats. Returns how many rows it rejected. */
function addTexts(job: Job, column: TextBuilder, index: number, before: Before): number {
  const { missing } = job;
  let drops = 0;
  const { batch, base, dropped } = before;
  const { cells, validity, longText } = batch.texts(index);
  const lengths = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
  const { codes } = column;
  for (let row = 0; row < batch.rows; row++) {
    const length = lengths[row * 4]!;
    const isAbsent = length === 0 || dropped[row] === 1 || !isValid(validity, row);
    if (isAbsent || isMissing(missing, cells, row, longText)) {
      codes[base + row] = -1;
    } else if (length <= inlineTextBytesMax) {
      const start = row * textCellBytes + 4;
      codes[base + row] = column.code(cells, start, start + length);
    } else {
      codes[base + row] = column.codeOf(longText(row));
    }
    if (codes[base + row] === nulText) {
      codes[base + row] = -1;
      const isInline = length <= inlineTextBytesMax;
      const start = row * textCellBytes + 4;
      const text = isInline ? Buffer.from(cells.subarray(start, start + length)).toString() : longText(row);
      drops += rejectCell(job, row, nulReason, text, before);
    }
  }
  return drops;
}

function isValid(validity: Validity, row: number): boolean {
  return validity === null || ((validity[row >>> 5]! >>> (row & 31)) & 1) === 1;
}

/** Closes the gaps that rejected rows left in the last batch. */
function dropRows(base: number, dropped: Uint8Array, context: SourceContext): void {
  const { table } = context;
  let to = base;
  for (let row = 0; row < dropped.length; row++) {
    if (dropped[row] === 1) continue;
    const from = base + row;
    table.rowNumbers[to] = table.rowNumbers[from]!;
    for (const column of table.columns) {
      if (column.kind === 'texts') column.codes[to] = column.codes[from]!;
      else column.values[to] = column.values[from]!;
    }
    to++;
  }
  table.rows = to;
}
