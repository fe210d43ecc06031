// Tells by its content what a file is: format, compression, columns, and the dialect of CSV.

import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { Failure } from '../failure.ts';
import {
  type Compression,
  detectEncoding,
  type Encoding,
  latin1ToUtf8,
  lineBytesMax,
  readBlocks,
  startsWithBom,
} from './bytes.ts';
import type { LogicalType } from './column.ts';
import { CsvScanner, fieldText } from './csv.ts';
import { checkColumns, sizeWord } from './density.ts';
import { parseLine } from './jsonl.ts';
import type { FileNotice } from './notices.ts';
import { describeParquet, type ParquetShape } from './parquet-shape.ts';

export type CsvDescription = {
  readonly delimiter: string;
  readonly quote: string;
  readonly encoding: Encoding;
  readonly bom: boolean;
};

export type FileShape = {
  readonly format: 'parquet' | 'csv' | 'jsonl';
  readonly compression: Compression;
  readonly columns: readonly { readonly name: string; readonly type: LogicalType }[];
  readonly csv?: CsvDescription;
  readonly parquet?: ParquetShape;
  readonly warnings: readonly FileNotice[];
};

/** The most bytes inspected to tell format, delimiter and header: room for the longest line. */
const sampleBytesMax = lineBytesMax + (1 << 20);
const sampleBytesUsual = 1 << 18;
/** Rows inspected to tell the delimiter, and lines inspected to tell the keys of JSONL. */
const delimiterRows = 50;
const keyLines = 1_000;
const newline = 10;
const delimiters = [',', ';', '\t', '|'];

/**
 * Inspects a file. Its path says what it is called, and only where that has no ending `name`, which messages call it: a
 * copy in another format may stand for what has this name. Throws Failure 'invalid', whose message names the file, what
 * was expected and what to do.
 */
export async function inspectFile(path: string, name = basename(path)): Promise<FileShape> {
  const head = await readSample(path, 'none', 4, name);
  const compression: Compression = head[0] === 0x1f && head[1] === 0x8b ? 'gzip' : 'none';
  const sample = await readSample(path, compression, sampleBytesUsual, name);
  if (sample.length === 0) {
    throw new Failure('invalid', `${name}: the file is empty. Expected Parquet, CSV with a header, or JSONL.`);
  }
  const magic = sample.toString('latin1', 0, 4);
  const called = endingOf(path) ?? endingOf(name);
  if (magic === 'PAR1') {
    if (compression === 'gzip') {
      throw new Failure(
        'invalid',
        `${name}: a Parquet file inside gzip. Parquet is compressed already: upload it as it is.`,
      );
    }
    const parquet = await describeParquet(path, name);
    checkNames(
      parquet.columns.map((column) => column.name),
      name,
    );
    const warnings = called === undefined || called === 'parquet' ? [] : [calledOtherwise(name, called, 'Parquet')];
    return { format: 'parquet', compression, columns: parquet.columns, parquet, warnings };
  }
  refuseOthers(sample, magic, called, name);
  const isJson = looksLikeJson(sample);
  const isCsv = called === 'csv' || called === 'tsv';
  if (isJson || called === 'jsonl' || called === 'ndjson') {
    const warnings = isCsv ? [calledOtherwise(name, called, 'JSONL')] : [];
    const isCut = sample.length === sampleBytesUsual && !sample.includes(newline);
    const lines = isCut ? await readSample(path, compression, sampleBytesMax, name) : sample;
    return { format: 'jsonl', compression, columns: jsonlColumns(lines, name), warnings };
  }
  return await inspectCsv(path, name, compression, sample);
}

function calledOtherwise(file: string, ending: string, format: 'Parquet' | 'JSONL'): FileNotice {
  return { code: 'called_otherwise', file, ending, format };
}

/** The ending that tells a format, in small letters. */
function endingOf(name: string): string | undefined {
  return /\.(parquet|csv|tsv|jsonl|ndjson)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
}

/** The first bytes of a file, decompressed. */
async function readSample(path: string, compression: Compression, bytes: number, name: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let length = 0;
  for await (const block of readBlocks(path, compression, name)) {
    blocks.push(block);
    length += block.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(blocks).subarray(0, bytes);
}

function refuseOthers(sample: Buffer, magic: string, called: string | undefined, name: string): void {
  const expected = 'Expected Parquet, CSV with a header, or JSONL';
  if (magic.startsWith('PK')) {
    throw new Failure(
      'invalid',
      `${name}: a ZIP archive or an Excel workbook. ${expected}: save the sheet as CSV (UTF-8).`,
    );
  }
  if (magic.startsWith('\xff\xfe') || magic.startsWith('\xfe\xff')) {
    throw new Failure('invalid', `${name}: the text is UTF-16. Save it as UTF-8.`);
  }
  if (/^(\xef\xbb\xbf)?\s*\[\s*(\{|\[|$)/.test(sample.toString('latin1', 0, 1024))) {
    throw new Failure('invalid', `${name}: a JSON array. ${expected}: one object on each line.`);
  }
  if (called === 'parquet') {
    throw new Failure(
      'invalid',
      `${name}: called .parquet but does not start with the mark of a Parquet file. Write it again, or name it for what it is.`,
    );
  }
  let nuls = 0;
  for (const byte of sample) if (byte === 0) nuls++;
  // A stray NUL only rejects a row. A file with more than 1% NUL, or with one in its first line, is not text.
  const firstLine = sample.subarray(0, Math.max(sample.indexOf(10), 0) || sample.length);
  if (nuls * 100 > sample.length || firstLine.includes(0)) {
    throw new Failure('invalid', `${name}: the file holds NUL bytes, so it is not text. ${expected}.`);
  }
}

function looksLikeJson(sample: Buffer): boolean {
  return /^(\xef\xbb\xbf)?\s*\{\s*("|\})/.test(sample.toString('latin1', 0, 1024));
}

/** The keys of the first lines in order of first appearance, each with the type that its values share. */
function jsonlColumns(sample: Buffer, name: string): { name: string; type: LogicalType }[] {
  const types = new Map<string, LogicalType | null>();
  const text = sample.toString('utf8', startsWithBom(sample) ? 3 : 0);
  const lines = text.split('\n', keyLines);
  let objects = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const object = parseLine(line);
    if (typeof object === 'string') continue;
    objects++;
    for (const [key, value] of Object.entries(object)) {
      const known = types.get(key) ?? null;
      const type = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
      if (value === null) types.set(key, known);
      else types.set(key, known === null || known === type ? type : 'string');
    }
  }
  // A single line may be longer than the sample; reading the file then rejects or reads it.
  if (objects === 0 && lines.length > 1) {
    throw new Failure(
      'invalid',
      `${name}: expected JSONL, one JSON object on each line, and found none in the first lines.`,
    );
  }
  if (objects > 0 && types.size === 0) {
    throw new Failure('invalid', `${name}: the objects of the first lines are empty. Expected columns as keys.`);
  }
  checkNames([...types.keys()], name);
  return [...types].map(([key, type]) => ({ name: key, type: type ?? 'string' }));
}

async function inspectCsv(path: string, name: string, compression: Compression, usual: Buffer): Promise<FileShape> {
  const bom = startsWithBom(usual);
  const encoding: Encoding = bom ? 'utf-8' : await detectEncoding(path, compression, name);
  const decode = (bytes: Buffer) => (encoding === 'latin-1' ? latin1ToUtf8(bytes) : bytes.subarray(bom ? 3 : 0));
  const isWhole = usual.length < sampleBytesUsual;
  let sample = decode(usual);
  let delimiter = detectDelimiter(sample, isWhole);
  let header = readHeader(sample, delimiter, isWhole);
  if (header === null && !isWhole) {
    // The header does not fit the usual sample: a thousand long names, or a first line that never ends.
    const large = await readSample(path, compression, sampleBytesMax, name);
    sample = decode(large);
    delimiter = detectDelimiter(sample, large.length < sampleBytesMax);
    header = readHeader(sample, delimiter, large.length < sampleBytesMax);
  }
  if (header === null) {
    const message = `${name}: the first line is not a CSV header: a quote is lost, or the line is longer than ${sizeWord(lineBytesMax)}.`;
    throw new Failure('invalid', `${message} Expected the names of the columns.`);
  }
  if (encoding === 'utf-8' && !isUtf8(Buffer.from(header.join(','), 'utf8'))) {
    throw new Failure('invalid', `${name}: the header is not valid UTF-8.`);
  }
  checkNames(header, name);
  const columns = header.map((column) => ({ name: column, type: 'string' as const }));
  return { format: 'csv', compression, columns, csv: { delimiter, quote: '"', encoding, bom }, warnings: [] };
}

/**
 * The delimiter with the largest share of rows that have as many fields as the header; of equals, the one with most
 * fields.
 */
function detectDelimiter(sample: Buffer, isWhole: boolean): string {
  let best = { delimiter: ',', share: 0, fields: 1 };
  for (const delimiter of delimiters) {
    const scanner = new CsvScanner(delimiter, 0);
    const counts: number[] = [];
    let position = 0;
    while (position < sample.length && counts.length < delimiterRows) {
      const outcome = scanner.scan(sample, position, sample.length, isWhole);
      if (outcome === 'partial') break;
      if (outcome === 'bad' && scanner.next === -1) break;
      if (outcome !== 'blank') counts.push(outcome === 'bad' ? 0 : scanner.fields);
      position = scanner.next;
    }
    const fields = counts[0] ?? 0;
    if (fields < 2) continue;
    const share = counts.filter((count) => count === fields).length / counts.length;
    if (share > best.share || (share === best.share && fields > best.fields)) best = { delimiter, share, fields };
  }
  return best.delimiter;
}

/** The names in the first row that is not blank, trimmed; null when the row cannot be read. */
function readHeader(sample: Buffer, delimiter: string, isWhole: boolean): string[] | null {
  const counter = new CsvScanner(delimiter, 0);
  let position = 0;
  for (;;) {
    const outcome = counter.scan(sample, position, sample.length, isWhole);
    if (outcome === 'partial' || outcome === 'bad') return null;
    if (outcome === 'row') break;
    position = counter.next;
    if (position >= sample.length) return null;
  }
  const scanner = new CsvScanner(delimiter, counter.fields);
  scanner.scan(sample, position, sample.length, isWhole);
  return Array.from({ length: scanner.fields }, (_, field) =>
    fieldText(sample, scanner.starts[field], scanner.ends[field], scanner.kinds[field]).trim(),
  );
}

/**
 * Refuses too many names, names that are empty or hold NUL, and names that are equal but for case: columns are matched
 * whatever their case.
 */
function checkNames(names: readonly string[], file: string): void {
  checkColumns(names.length, file);
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name === '') {
      throw new Failure(
        'invalid',
        `${file}: column ${index + 1} of ${names.length} has no name. Name every column in the header.`,
      );
    }
    if (name.includes('\0')) throw new Failure('invalid', `${file}: the name of column ${index + 1} holds NUL bytes.`);
    const key = name.toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) {
      const both = names[first] === name ? `"${name}"` : `"${names[first]}" and "${name}"`;
      const message = `${file}: columns ${first + 1} and ${index + 1} are both called ${both}`;
      throw new Failure('invalid', `${message}, and case does not tell names apart. Rename one of them.`);
    }
    seen.set(key, index);
  }
}
