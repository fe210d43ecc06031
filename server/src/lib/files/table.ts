// The table under construction into which readers put rows.
import { type Column, type LogicalType, type Numbers, type Rows, toDoubles } from './column.ts';
import { isBlank, readValue, trimBlanks, type ValueForm } from './values.ts';

/**
 * A column to read from a file. `required`: a row without a value in it is rejected. `isStrict`: a row whose value does
 * not convert is rejected; otherwise only the value is. `missing`: texts that mean a missing value (`?`, `NA`), as the
 * file writes them but without blanks around; '' stands for blanks only.
 */
export type ColumnRequest = {
  readonly name: string;
  readonly type: LogicalType;
  readonly required?: boolean;
  readonly isStrict?: boolean;
  readonly missing?: readonly string[];
  /** Other names under which a file may have the column. */
  readonly aliases?: readonly string[];
  /** For 'string': whether a list of Parquet or JSONL is read as its JSON text instead of being refused. */
  readonly takesLists?: boolean;
  /** For 'string': whether a timestamp of Parquet that is no instant is read without the Z of one. */
  readonly keepsClocks?: boolean;
  /** For a date or timestamp: the form, besides ISO 8601, in which the file may write it. */
  readonly form?: ValueForm;
};

/** The texts of one column that mean a missing value. */
export type MissingTexts = {
  has(text: string): boolean;
  /** Whether `bytes[start, end)`, UTF-8, is one of them. */
  hasBytes(bytes: Uint8Array, start: number, end: number): boolean;
  /** The values as which these texts read in the column's type: in a typed file they are values, not texts. */
  readonly values: readonly number[];
  /** The numbers that they are. In a file of numbers that mean moments these are not yet read in the column's form. */
  readonly numbers: readonly number[];
};

/** Prepares the lookup of `request.missing`; null when every text is a value. */
export function missingTexts({ missing, type, form }: ColumnRequest): MissingTexts | null {
  if (missing === undefined || missing.length === 0) return null;
  const texts = new Set(missing);
  const encoded = missing.map((text) => Buffer.from(text));
  const readAs = (as: LogicalType) =>
    encoded.map((text) => readValue(as, text, 0, text.length, form)).filter((value) => !Number.isNaN(value));
  const longest = encoded.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    has(text) {
      return texts.has(trimBlanks(text));
    },
    hasBytes(bytes, start, end) {
      while (start < end && isBlank(bytes[start])) start++;
      while (end > start && isBlank(bytes[end - 1])) end--;
      if (end - start > longest) return false;
      return encoded.some((text) => text.length === end - start && text.every((byte, i) => byte === bytes[start + i]));
    },
    values: type === 'string' ? [] : readAs(type),
    numbers: readAs('number'),
  };
}

/**
 * Columns under construction. A reader reserves room, writes the cells of each column that its file has at `rows`, and
 * then increments `rows`. Whoever takes the rows first marks the columns that the file lacks as missing.
 */
export class TableBuilder {
  rows = 0;
  readonly columns: readonly ColumnBuilder[];
  /** For each row, its data row in the file, from 1. */
  rowNumbers = new Float64Array(0);
  private readonly requests: readonly ColumnRequest[];
  private readonly texts: TextSize = { bytes: 0 };

  constructor(requests: readonly ColumnRequest[]) {
    this.requests = requests;
    this.columns = requests.map(({ type }) => (type === 'string' ? new TextBuilder(this.texts) : new ValueBuilder()));
  }

  /** Bytes of the different texts of all columns. */
  get textBytes(): number {
    return this.texts.bytes;
  }

  /** Makes room for at least `rows` rows in all. */
  reserve(rows: number): void {
    if (rows <= this.rowNumbers.length) return;
    const capacity = Math.max(rows, 2048, Math.ceil(this.rowNumbers.length * 1.5));
    this.rowNumbers = grown(this.rowNumbers, capacity);
    for (const column of this.columns) column.grow(capacity);
  }

  /** Marks the columns that `names` lacks as missing in the rows from `first` on. */
  markMissing(names: ReadonlyMap<string, string>, first: number): void {
    for (const [index, request] of this.requests.entries()) {
      if (names.has(request.name)) continue;
      const column = this.columns[index];
      if (column.kind === 'texts') column.codes.fill(-1, first, this.rows);
      else column.values.fill(Number.NaN, first, this.rows);
    }
  }

  /** Appends the rows whose `kept` is not 0, with their numbers. They are of the same requests. */
  append({ rows, columns }: Rows, rowNumbers: Float64Array, kept: Uint8Array): void {
    this.reserve(this.rows + kept.reduce((sum, one) => sum + one, 0));
    for (const [index, { name }] of this.requests.entries()) {
      const [from, to] = [columns.get(name)!, this.columns[index]];
      let end = this.rows;
      if (from.kind === 'text' && to.kind === 'texts') {
        const codes = new Map<number, number>([[-1, -1]]);
        for (let row = 0; row < rows; row++) {
          if (kept[row] === 0) continue;
          const code = from.codes[row];
          let own = codes.get(code);
          if (own === undefined) codes.set(code, (own = to.codeOf(from.dictionary[code])));
          to.codes[end++] = own;
        }
      } else if (from.kind !== 'text' && to.kind === 'values')
        for (let row = 0; row < rows; row++) if (kept[row] !== 0) to.values[end++] = from.values[row];
    }
    let end = this.rows;
    for (let row = 0; row < rows; row++) if (kept[row] !== 0) this.rowNumbers[end++] = rowNumbers[row];
    this.rows = end;
  }

  /** Returns the rows and starts again with none, in the same arrays: the rows are valid until more are added. */
  take(): { rows: Rows; rowNumbers: Float64Array } {
    const columns = new Map<string, Column>();
    for (const [index, request] of this.requests.entries()) {
      columns.set(request.name, this.columns[index].take(this.rows, request.type));
    }
    const rows = { rows: this.rows, columns };
    const rowNumbers = trimmed(this.rowNumbers, this.rows);
    this.rows = 0;
    this.texts.bytes = 0;
    return { rows, rowNumbers };
  }
}

/** A column of numbers, booleans or times. */
export class ValueBuilder {
  readonly kind = 'values';
  values: Numbers = new Float64Array(0);

  /** Makes this a column of float32. Only while it has no rows. */
  narrow(): void {
    this.values = new Float32Array(this.values.length);
  }

  grow(capacity: number): void {
    this.values = grown(this.values, capacity);
  }

  take(rows: number, type: LogicalType): Column {
    const values = trimmed(this.values, rows);
    const isTime = type === 'date' || type === 'timestamp' || type === 'time';
    return isTime ? { kind: 'time', values: toDoubles(values) } : { kind: 'number', values };
  }
}

/** The bytes of the texts of several columns together. */
type TextSize = { bytes: number };

/** Stands in place of a code for a text with a NUL character, which databases and most tools do not accept. */
export const nulText = -2;
export const nulReason = 'the text holds NUL bytes';

/**
 * A column of texts, dictionary-coded as they come. The dictionary is kept as UTF-8 bytes and searched by their hash,
 * so a text seen before creates no string.
 */
export class TextBuilder {
  readonly kind = 'texts';
  codes = new Int32Array(0);
  private size = 0;
  private bytes = Buffer.alloc(1024);
  private used = 0;
  private isAscii = true;
  /** The end of each code's text in `bytes`; it starts at the end of the text before. */
  private ends = new Float64Array(64);
  private hashes = new Int32Array(64);
  /** Hash table with open addressing and linear probing: code + 1, or 0 in a free slot. */
  private slots = new Int32Array(256);
  private scratch = Buffer.alloc(1024);
  private readonly ofTable: TextSize;

  constructor(ofTable: TextSize) {
    this.ofTable = ofTable;
  }

  grow(capacity: number): void {
    const codes = new Int32Array(capacity);
    codes.set(this.codes);
    this.codes = codes;
  }

  /** The code of the UTF-8 text `source[start, end)`, added when it is new; `nulText` when a new text holds NUL. */
  code(source: Uint8Array, start: number, end: number): number {
    let hash = end - start;
    let high = 0;
    for (let at = start; at < end; at++) {
      const byte = source[at];
      high |= byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 12;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let found = this.slots[slot]; found !== 0; found = this.slots[slot]) {
      if (this.hashes[found - 1] === hash && this.isText(found - 1, source, start, end)) return found - 1;
      slot = (slot + 1) & mask;
    }
    if (high > 127) this.isAscii = false;
    return this.add(source, start, end, hash, slot);
  }

  /** The code of a string, added when it is new; `nulText` when a new text holds NUL. */
  codeOf(text: string): number {
    // One UTF-16 unit is at most three bytes of UTF-8.
    if (text.length * 3 > this.scratch.length) this.scratch = Buffer.alloc(text.length * 6);
    return this.code(this.scratch, 0, this.scratch.write(text, 0));
  }

  take(rows: number, _type: LogicalType): Column {
    const dictionary = new Array<string>(this.size);
    let start = 0;
    for (let code = 0; code < this.size; code++) {
      const end = this.ends[code];
      dictionary[code] = this.isAscii
        ? this.bytes.toString('latin1', start, end)
        : this.bytes.toString('utf8', start, end);
      start = end;
    }
    const codes = trimmed(this.codes, rows);
    this.size = 0;
    this.used = 0;
    this.isAscii = true;
    this.slots.fill(0);
    return { kind: 'text', codes, dictionary };
  }

  private isText(code: number, source: Uint8Array, start: number, end: number): boolean {
    let at = code === 0 ? 0 : this.ends[code - 1];
    if (this.ends[code] - at !== end - start) return false;
    for (let from = start; from < end; from++, at++) if (this.bytes[at] !== source[from]) return false;
    return true;
  }

  private add(source: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const length = end - start;
    if (this.used + length > this.bytes.length) {
      const bytes = Buffer.alloc(Math.max(this.bytes.length * 2, this.used + length));
      bytes.set(this.bytes.subarray(0, this.used));
      this.bytes = bytes;
    }
    for (let at = 0; at < length; at++) {
      const byte = source[start + at];
      if (byte === 0) return nulText;
      this.bytes[this.used + at] = byte;
    }
    this.used += length;
    this.ofTable.bytes += length;
    const code = this.size++;
    if (code === this.ends.length) {
      this.ends = grown(this.ends, code * 2);
      const hashes = new Int32Array(code * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    this.ends[code] = this.used;
    this.hashes[code] = hash;
    this.slots[slot] = code + 1;
    if (this.size * 2 > this.slots.length) this.rehash();
    return code;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    const mask = this.slots.length - 1;
    for (let code = 0; code < this.size; code++) {
      let slot = this.hashes[code] & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = code + 1;
    }
  }
}

export type ColumnBuilder = ValueBuilder | TextBuilder;

function grown<A extends Numbers>(values: A, capacity: number): A {
  const larger = new (values.constructor as new (length: number) => A)(capacity);
  larger.set(values);
  return larger;
}

/** The first `rows` values. They are copied only when more than a quarter of the array would be wasted. */
function trimmed<A extends Numbers | Int32Array>(values: A, rows: number): A {
  return (rows < values.length * 0.75 ? values.slice(0, rows) : values.subarray(0, rows)) as A;
}
