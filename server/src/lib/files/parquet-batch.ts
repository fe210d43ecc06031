// Turns the vectors of DuckDB into columns.
import { type Batch, inlineTextBytesMax, isValid, textCellBytes, type Validity } from '../duckdb/duckdb.ts';
import { wallClockUs } from '../time-zone.ts';
import type { Numbers } from './column.ts';
import type { ReadJob } from './parquet-plan.ts';
import type { Reject } from './rejects.ts';
import { missing, type SourceContext } from './source.ts';
import { type MissingTexts, nulReason, nulText, type TextBuilder, type ValueBuilder } from './table.ts';
import { fits, mismatch, momentOf, readValue } from './values.ts';

/**
 * Adds the rows of a batch to the table, except those it rejects. `firstRow` is the number of the batch's first row in
 * the file.
 */
export function addBatch(batch: Batch, firstRow: number, jobs: readonly ReadJob[], context: SourceContext): void {
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
  // Texts come last, so that the texts of rejected rows enter no dictionary.
  for (const [index, job] of jobs.entries()) {
    if (job.column.kind === 'texts') drops += addTexts(job, job.column, index, before);
  }
  table.rows = base + batch.rows;
  if (drops > 0) dropRows(base, dropped, context);
}

type Before = {
  readonly batch: Batch;
  /** Where the batch starts in the table; `firstRow` is where it starts in the file. */
  readonly base: number;
  readonly firstRow: number;
  /** 1 for rows that are rejected. */
  readonly dropped: Uint8Array;
  readonly context: SourceContext;
};

/** Copies a column of values. Returns how many rows it rejected. */
function addValues(job: ReadJob, column: ValueBuilder, index: number, before: Before): number {
  const { batch, base } = before;
  const target = column.values;
  if (job.carries === 'text') {
    const { cells, validity, text } = batch.texts(index);
    return addParsed(job, target, before, validity, cells, text);
  }
  const { values, validity } = job.carries === 'float' ? batch.floats(index) : batch.doubles(index);
  target.set(values, base);
  if (validity !== null) markInvalid(target, base, validity, batch.rows);
  if (job.isCoded) markAbsent(target, base, job.missing?.numbers, batch.rows);
  let drops = job.isCoded ? readCoded(job, target, before) : 0;
  const { type, zone } = job;
  if (zone !== undefined)
    for (let at = base; at < base + batch.rows; at++)
      if (!Number.isNaN(target[at])) target[at] = wallClockUs(zone, target[at]);
  markAbsent(target, base, job.missing?.values, batch.rows);
  if (!job.isSafe && !job.isCoded && (type !== 'number' || hasInfinity(values))) {
    for (let row = 0; row < batch.rows; row++) {
      const value = target[base + row];
      // A NaN in a file of numbers is a missing value, not a reject.
      if (Number.isNaN(value) || fits(type, value)) continue;
      target[base + row] = Number.NaN;
      const text = type === 'date' ? new Date(value / 1000).toISOString() : String(value);
      drops += rejectCell(job, row, mismatch(type, text), text, before);
    }
  }
  return job.isRequired ? drops + dropMissing(job, target, before) : drops;
}

/** Writes NaN in place of values that stand for a missing one. */
function markAbsent(target: Numbers, base: number, absent: readonly number[] | undefined, rows: number): void {
  for (const value of absent ?? [])
    for (let at = base; at < base + rows; at++) if (target[at] === value) target[at] = Number.NaN;
}

/** Replaces numbers by the moments that they mean. Returns how many rows it rejected. */
function readCoded(job: ReadJob, target: Numbers, before: Before): number {
  let drops = 0;
  for (let row = 0; row < before.batch.rows; row++) {
    const number = target[before.base + row];
    if (Number.isNaN(number)) continue;
    const value = momentOf(job.type, number, job.form);
    target[before.base + row] = value;
    const found = String(number);
    if (Number.isNaN(value)) drops += rejectCell(job, row, mismatch(job.type, found, job.form), found, before);
  }
  return drops;
}

/** Writes NaN where a value is missing. Few are: a word of the mask without gaps is skipped at once. */
function markInvalid(target: Numbers, base: number, validity: Uint32Array, rows: number): void {
  for (let word = 0; word * 32 < rows; word++) {
    let gaps = ~validity[word];
    while (gaps !== 0) {
      const row = word * 32 + 31 - Math.clz32(gaps & -gaps);
      // Bits past the last row are undefined; they are the highest bits, so they come last.
      if (row >= rows) return;
      target[base + row] = Number.NaN;
      gaps &= gaps - 1;
    }
  }
}

/**
 * Whether any number is infinite, the only float that is no valid number besides NaN. Cells without a value count too.
 */
function hasInfinity(values: Numbers): boolean {
  if (values instanceof Float64Array) {
    for (let row = 0; row < values.length; row++) if (Math.abs(values[row]) === Number.POSITIVE_INFINITY) return true;
    return false;
  }
  // Compared as integers without the sign bit, which takes half the time.
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let row = 0; row < bits.length; row++) if (bits[row] << 1 === infinityBits) return true;
  return false;
}

/** The bits of an infinite float32, shifted left by one to drop the sign bit. */
const infinityBits = 0xff000000 | 0;

/** Reads numbers and times from a column of texts. Returns how many rows it rejected. */
function addParsed(
  job: ReadJob,
  target: Numbers,
  before: Before,
  validity: Validity,
  cells: Uint8Array,
  text: (row: number) => string,
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
    const long = isInline ? null : Buffer.from(text(row));
    if (isMissing(job.missing, cells, row, text)) continue;
    const value =
      long === null
        ? readValue(job.type, bytes, at + 4, at + 4 + length, job.form)
        : readValue(job.type, long, 0, long.length, job.form);
    target[base + row] = value;
    if (Number.isNaN(value)) {
      const found = text(row);
      drops += rejectCell(job, row, mismatch(job.type, found, job.form), found, before);
    }
  }
  return job.isRequired ? drops + dropMissing(job, target, before) : drops;
}

/** Records a value that does not convert. Returns 1 when this rejects its row for the first time, else 0. */
function rejectCell(
  job: ReadJob,
  row: number,
  why: Pick<Reject, 'reason' | 'because'>,
  value: string | null,
  before: Before,
): number {
  const { context, dropped, firstRow } = before;
  if (dropped[row] === 1) return 0;
  context.rejects.add({ file: context.file, row: firstRow + row, column: job.name, ...why, value });
  if (!job.isStrict) return 0;
  dropped[row] = 1;
  return 1;
}

function dropMissing(job: ReadJob, values: Numbers, before: Before): number {
  let drops = 0;
  for (let row = 0; row < before.batch.rows; row++) {
    const isMissing = Number.isNaN(values[before.base + row]);
    if (isMissing && before.dropped[row] === 0) drops += rejectCell(job, row, missing, null, before);
  }
  return drops;
}

function checkTexts(job: ReadJob, index: number, before: Before): number {
  const { cells, validity, text } = before.batch.texts(index);
  let drops = 0;
  for (let row = 0; row < before.batch.rows; row++) {
    if (before.dropped[row] === 1) continue;
    if (hasText(cells, validity, row) && !isMissing(job.missing, cells, row, text)) continue;
    drops += rejectCell(job, row, missing, null, before);
  }
  return drops;
}

function hasText(cells: Uint8Array, validity: Validity, row: number): boolean {
  const at = row * textCellBytes;
  return isValid(validity, row) && (cells[at] | cells[at + 1] | cells[at + 2] | cells[at + 3]) !== 0;
}

/** Whether a text is one of those that mean a missing value. */
function isMissing(
  missing: MissingTexts | null,
  cells: Uint8Array,
  row: number,
  text: (row: number) => string,
): boolean {
  if (missing === null) return false;
  const at = row * textCellBytes;
  const length = cells[at] | (cells[at + 1] << 8) | (cells[at + 2] << 16) | (cells[at + 3] << 24);
  const isInline = length >= 0 && length <= inlineTextBytesMax;
  return isInline ? missing.hasBytes(cells, at + 4, at + 4 + length) : missing.has(text(row));
}

/**
 * Dictionary-codes a column of texts. An empty text is missing, as in the other formats. Returns how many rows it
 * rejected.
 */
function addTexts(job: ReadJob, column: TextBuilder, index: number, before: Before): number {
  const { missing } = job;
  let drops = 0;
  const { batch, base, dropped } = before;
  const { cells, validity, text } = batch.texts(index);
  const lengths = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
  const { codes } = column;
  for (let row = 0; row < batch.rows; row++) {
    const length = lengths[row * 4];
    const isAbsent = length === 0 || dropped[row] === 1 || !isValid(validity, row);
    if (isAbsent || isMissing(missing, cells, row, text)) {
      codes[base + row] = -1;
    } else if (length <= inlineTextBytesMax) {
      const start = row * textCellBytes + 4;
      codes[base + row] = column.code(cells, start, start + length);
    } else {
      codes[base + row] = column.codeOf(text(row));
    }
    if (codes[base + row] === nulText) {
      codes[base + row] = -1;
      drops += rejectCell(job, row, { reason: nulReason }, text(row), before);
    }
  }
  return drops;
}

/** Removes the rejected rows of the last batch from the table. */
function dropRows(base: number, dropped: Uint8Array, context: SourceContext): void {
  const { table } = context;
  let to = base;
  for (let row = 0; row < dropped.length; row++) {
    if (dropped[row] === 1) continue;
    const from = base + row;
    table.rowNumbers[to] = table.rowNumbers[from];
    for (const column of table.columns) {
      if (column.kind === 'texts') column.codes[to] = column.codes[from];
      else column.values[to] = column.values[from];
    }
    to++;
  }
  table.rows = to;
}
