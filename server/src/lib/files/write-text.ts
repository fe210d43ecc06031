import { open, rm } from 'node:fs/promises';
import { assert } from '../failure.ts';
import type { Column, Rows } from './column.ts';
import { type CsvOptions, type CsvSigns, signsOf } from './csv-dialect.ts';
import { escapeFormula } from './formulas.ts';
import { PendingText } from './pending-text.ts';
import { valueText } from './value-text.ts';
import { finish, sourceOf, type WriteColumn, type Writer } from './writer.ts';

/** Bytes of text that wait to be written. Memory use is this, and what the operating system buffers. */
const pendingBytesMax = 1 << 20;

/**
 * Opens a CSV or JSONL file for writing; it is called `partial` until it is closed.
 */
export async function openText(
  path: string,
  partial: string,
  format: 'csv' | 'jsonl',
  columns: readonly WriteColumn[],
  { formulas = 'raw', dialect = 'standard' }: CsvOptions,
): Promise<Writer> {
  const file = await open(partial, 'wx');
  const safe = formulas === 'escape' ? escapeFormula : (text: string) => text;
  const signs = signsOf[format === 'csv' ? dialect : 'standard'];
  const formatters = columns.map((column) => cellFormatter(format, column, columns.length === 1, safe, signs));
  const pending = new PendingText(pendingBytesMax + (pendingBytesMax >> 2));
  if (format === 'csv') {
    const names = columns.map((column) => quoteHeader(safe(column.name)));
    pending.add(`${signs.start}${names.join(signs.delimiter)}\n`);
  }
  const [start, end] = format === 'csv' ? ['', '\n'] : ['{', '}\n'];

  async function write(rows: Rows): Promise<void> {
    if (rows.rows === 0) return;
    const sources = columns.map((column) => sourceOf(rows, column));
    const line = planLine(formatters, sources, { start, end, delimiter: signs.delimiter });
    for (let row = 0; row < rows.rows; ) {
      row = addLines(line, row, rows.rows, pending);
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

type AddCell = (row: number, to: PendingText) => void;

/** Adds lines from row `from` on, until there is enough text to write. Returns the row after the last one added. */
function addLines({ cells, texts }: Line, from: number, end: number, to: PendingText): number {
  let row = from;
  while (row < end && to.length < pendingBytesMax) {
    to.addBytes(texts[0]);
    for (let k = 0; k < cells.length; k++) {
      cells[k](row, to);
      to.addBytes(texts[k + 1]);
    }
    row++;
  }
  return row;
}

/**
 * The plan for the lines of a piece: the varying cells of a row, and the constant texts before, between and after them.
 * Cells that are the same in all rows are part of the texts.
 */
type Line = { readonly cells: readonly AddCell[]; readonly texts: readonly Uint8Array[] };

function planLine(
  formatters: readonly ((piece: Column) => AddCell)[],
  sources: readonly Column[],
  { start, end, delimiter }: { readonly start: string; readonly end: string; readonly delimiter: string },
): Line {
  const cells: AddCell[] = [];
  const texts: Uint8Array[] = [];
  const text = new PendingText(lineBytes);
  text.add(start);
  for (const [index, source] of sources.entries()) {
    if (index > 0) text.add(delimiter);
    const cell = formatters[index](source);
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

/** The usual bytes of constant text in a row. */
const lineBytes = 1024;

/** Whether all rows hold the same value. There must be at least one row. */
function isSame(column: Column): boolean {
  const values = column.kind === 'text' ? column.codes : column.values;
  const first = values[0];
  // A loop, since a function call per cell would take longer than most cells take to write.
  for (let row = 1; row < values.length; row++) if (!Object.is(values[row], first)) return false;
  return true;
}

/** Returns, for one column of the file, a function that makes from a piece the function that adds the cell of a row. */
function cellFormatter(
  format: 'csv' | 'jsonl',
  column: WriteColumn,
  isOnly: boolean,
  safe: (text: string) => string,
  signs: CsvSigns,
): (piece: Column) => AddCell {
  const { name, type } = column;
  const isCsv = format === 'csv';
  const prefix = isCsv ? '' : `${JSON.stringify(name)}:`;
  // An empty line would be no row, so in a file of one column a missing value is written as `""`.
  const missing = isCsv ? (isOnly ? '""' : '') : `${prefix}null`;
  if (type === 'string')
    return textFormatter(
      (text) => (isCsv ? quoteField(safe(text), signs.delimiter) : prefix + JSON.stringify(text)),
      missing,
    );
  if (type === 'number' || type === 'integer')
    return numberFormatter(name, valueText(type), prefix, missing, signs.decimal);
  const quote = isCsv || type === 'boolean' ? '' : '"';
  return valueFormatter(name, valueText(type, column.isLocal), prefix + quote, quote, missing);
}

function numberFormatter(
  name: string,
  format: (value: number) => string,
  prefix: string,
  missing: string,
  decimal: string,
): (piece: Column) => AddCell {
  const sign = decimal.charCodeAt(0);
  return (piece) => {
    assert(piece.kind !== 'text', `column "${name}" holds values`);
    const { values } = piece;
    return (row, to) => {
      const value = values[row];
      if (Number.isNaN(value)) return to.add(missing);
      if (prefix !== '') to.add(prefix);
      if (!to.addPlain(value, sign)) to.add(format(value).replace('.', decimal));
    };
  };
}

/** Formats booleans, dates and times, which are often those of the row before. */
function valueFormatter(
  name: string,
  format: (value: number) => string,
  before: string,
  after: string,
  missing: string,
): (piece: Column) => AddCell {
  let last = Number.NaN;
  let lastText = missing;
  return (piece) => {
    assert(piece.kind !== 'text', `column "${name}" holds values`);
    const { values } = piece;
    return (row, to) => {
      const value = values[row];
      if (!Object.is(value, last)) {
        last = value;
        lastText = Number.isNaN(value) ? missing : before + format(value) + after;
      }
      to.add(lastText);
    };
  };
}

function textFormatter(quote: (text: string) => string, missing: string): (piece: Column) => AddCell {
  let dictionary: readonly string[] = [];
  let texts: string[] = [];
  return (piece) => {
    assert(piece.kind === 'text', 'a text column holds codes');
    // Pieces of one table share a dictionary, so each entry is quoted once.
    if (piece.dictionary !== dictionary) {
      dictionary = piece.dictionary;
      texts = [];
    }
    const { codes } = piece;
    return (row, to) => {
      const code = codes[row];
      to.add(code < 0 ? missing : (texts[code] ??= quote(dictionary[code])));
    };
  };
}

function quoteField(text: string, delimiter: string): string {
  return text === '' || text === '\\N' || text.includes(delimiter) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Quotes a name that holds any common delimiter: unquoted, it would mislead readers that detect the delimiter. */
function quoteHeader(name: string): string {
  return /[",;\t|\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
