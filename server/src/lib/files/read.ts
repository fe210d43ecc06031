// Reads Parquet, CSV and JSONL files into columns of the types a contract asks for. Types are never guessed.
import { basename } from 'node:path';
import { assert, Failure } from '../failure.ts';
import type { LogicalType, Rows } from './column.ts';
import { readCsv } from './csv.ts';
import { type CsvDescription, type FileShape, inspectFile } from './inspect.ts';
import { readJsonl } from './jsonl.ts';
import type { FileNotice } from './notices.ts';
import { readParquet } from './parquet.ts';
import { isNested } from './parquet-plan.ts';
import type { Reject } from './rejects.ts';
import { RejectLog } from './rejects.ts';
import type { RowRange, Source, SourceContext } from './source.ts';
import { type ColumnRequest, TableBuilder } from './table.ts';

export type { ColumnRequest } from './table.ts';

/**
 * Most rows of a chunk: a multiple of DuckDB's vector size, and the size of the row groups that this program writes.
 */
const chunkRowsMax = 98_304;

/** Most cells of a chunk, 128 MB of numbers. Tables of more than 170 columns have chunks of fewer rows. */
const chunkCellsMax = 1 << 24;
const chunkRowsMin = 2_048;
/** Most bytes of different texts in a table that is read with `cellsMax`. */
const sampleTextBytesMax = 256 * 1024 * 1024;
/** Most bytes of different texts in a chunk. */
const chunkTextBytesMax = 64 * 1024 * 1024;

export type FileDescription = {
  readonly format: 'parquet' | 'csv' | 'jsonl';
  readonly compression: 'none' | 'gzip';
  /** `isNested`: of Parquet, a column of lists, structures or maps, which cannot be read as a text. */
  readonly columns: readonly { readonly name: string; readonly type: LogicalType; readonly isNested?: true }[];
  readonly csv?: CsvDescription;
  /** The number of rows; only a Parquet file states it without being read. */
  readonly rows?: number;
  readonly rowGroupRowsMax?: number;
  readonly warnings: readonly FileNotice[];
};

export type ReadOptions = {
  /** The name of a file in rejects and messages, when it is stored under another name. Its base name by default. */
  readonly nameOf?: (path: string) => string;
  /** Most rows of a chunk, for `readChunks`; 98,304 by default. Parquet keeps batches of 2,048 rows whole. */
  readonly rowsPerChunk?: number;
  /** Whether `readChunks` keeps every reject. A chunk then ends early when it has many. */
  readonly keepsRejects?: boolean;
  /** Whether `readChunks` returns the float32 numbers of a Parquet file as float32, which halves the bytes to copy. */
  readonly takesFloats?: boolean;
  /** Cells after which `readTable` stops reading, in all its files together; it then holds at most 256 MB of texts. */
  readonly cellsMax?: number;
  /**
   * Which rows of a chunk `readTable` keeps, as 0 or 1 for each; all by default. Memory then grows with the kept rows
   * alone.
   */
  readonly keep?: (rows: Rows) => Uint8Array;
  /** The rows of a Parquet file that `readChunks` reads; all by default. Row groups without any of them are skipped. */
  readonly range?: RowRange;
};

export type ReadTable = {
  readonly rows: Rows;
  /** For each row, its data row in the file, from 1; rejected rows leave gaps. */
  readonly rowNumbers: Float64Array;
  /** The first 1,000 rejects. */
  readonly rejects: readonly Reject[];
  readonly rejectedTotal: number;
  readonly warnings: readonly FileNotice[];
  /** Whether all rows were read; false only with `cellsMax`. */
  readonly isWhole: boolean;
  /** The requested columns that at least one file has, by their requested names. */
  readonly presentColumns: readonly string[];
  /** The columns of the files that were not requested. */
  readonly unknownColumns: readonly string[];
};

export type Chunk = {
  /** The number, from 1, of the chunk's first row among the data rows of the file. */
  readonly firstRow: number;
  readonly rows: Rows;
  /** For each row, its data row in the file; rejected rows leave gaps. */
  readonly rowNumbers: Float64Array;
  /** The first 1,000 rejects since the previous chunk, or all of them with `keepsRejects`. */
  readonly rejects: readonly Reject[];
  readonly rejectedTotal: number;
};

/**
 * Describes a file, by its content first and its extension second.
 * Columns of CSV are all 'string': their types come from a contract. JSONL shows the keys of its first 1,000 lines.
 * Throws Failure 'invalid' (the file is empty, damaged or unknown, or its columns have names that are empty or equal
 * but for case), 'not_found'.
 */
export async function describeFile(path: string, options: ReadOptions = {}): Promise<FileDescription> {
  const { format, compression, columns, csv, parquet, warnings } = await inspectFile(path, nameOf(path, options));
  const nested = new Set(parquet?.columns.flatMap(({ name, duckType }) => (isNested(duckType) ? [name] : [])));
  const plain = columns.map(({ name, type }) => ({ name, type, ...(nested.has(name) && { isNested: true as const }) }));
  return {
    format,
    compression,
    columns: plain,
    ...(csv && { csv }),
    ...(parquet && { rows: parquet.rows, rowGroupRowsMax: parquet.rowGroupRowsMax }),
    warnings,
  };
}

/**
 * Reads files into one table, one after the other and each in its order.
 *
 * A value is missing when it is empty, with quotes or without, when it is `\N` without quotes, or when it is one of the
 * request's `missing` texts; never otherwise. `readValue` defines how text becomes a value. A value that does not
 * convert is missing and makes a reject. A row is left out, with a reject, when it cannot be read or lacks the value of
 * a required column. Text is never trimmed. Column names match exactly, or else by an alias, or whatever their case. A
 * column that a file lacks is missing in all its rows, with a warning; Failure 'invalid' when it is required. Throws
 * what `describeFile` throws.
 */
export async function readTable(
  paths: readonly string[],
  columns: readonly ColumnRequest[],
  options: ReadOptions = {},
): Promise<ReadTable> {
  checkRequests(columns);
  const table = new TableBuilder(columns);
  const rejects = new RejectLog();
  const warnings: FileNotice[] = [];
  const present = new Set<string>();
  const unknown = new Set<string>();
  const bounds = boundsOf(options, columns);
  const { keep } = options;
  const kept = keep ? new TableBuilder(columns) : table;
  const keepRows = (names: ReadonlyMap<string, string>): void => {
    table.markMissing(names, 0);
    const { rows, rowNumbers } = table.take();
    kept.append(rows, rowNumbers, keep!(rows));
  };
  let isWhole = true;
  for (const path of paths) {
    const file = nameOf(path, options);
    const shape = await inspectFile(path, file);
    const names = matchColumns(file, shape, columns, warnings, unknown, present);
    const context = { requests: columns, table, rejects, file, names, ...bounds };
    const first = table.rows;
    for await (const _full of openSource(path, shape, context)) {
      if (keep) keepRows(names);
      else {
        isWhole = false;
        break;
      }
    }
    if (keep) keepRows(names);
    else table.markMissing(names, first);
    if (!isWhole) break;
  }
  return {
    ...kept.take(),
    rejects: rejects.kept,
    rejectedTotal: rejects.total,
    warnings,
    isWhole,
    presentColumns: columns.map((column) => column.name).filter((name) => present.has(name)),
    unknownColumns: [...unknown],
  };
}

/**
 * Reads one file as `readTable` does, at most 98,304 rows at a time, in memory that does not grow with the file. A
 * chunk's arrays are valid until the next chunk is asked for. Each chunk has its own dictionaries. A chunk without rows
 * only carries rejects.
 */
export async function* readChunks(
  path: string,
  columns: readonly ColumnRequest[],
  options: ReadOptions = {},
): AsyncGenerator<Chunk> {
  checkRequests(columns);
  const file = nameOf(path, options);
  const shape = await inspectFile(path, file);
  const names = matchColumns(file, shape, columns, [], new Set(), new Set());
  const table = new TableBuilder(columns);
  assert(options.range === undefined || shape.format === 'parquet', 'only Parquet is read from within');
  let rejects = new RejectLog(options.keepsRejects);
  const rowsThatFit = Math.max(chunkRowsMin, Math.floor(chunkCellsMax / Math.max(1, columns.length)));
  const rowsMax = Math.min(options.rowsPerChunk ?? chunkRowsMax, chunkRowsMax, rowsThatFit);
  const take = (): Chunk => {
    table.markMissing(names, 0);
    const { rows, rowNumbers } = table.take();
    const chunk = {
      firstRow: rowNumbers[0] ?? 0,
      rows,
      rowNumbers,
      rejects: rejects.kept,
      rejectedTotal: rejects.total,
    };
    rejects = new RejectLog(options.keepsRejects);
    return chunk;
  };
  const context: SourceContext = {
    requests: columns,
    table,
    rejects: { add: (reject: Reject) => rejects.add(reject), isFull: () => rejects.isFull() },
    file,
    rowsMax,
    textBytesMax: chunkTextBytesMax,
    names,
    ...(options.range && { range: options.range }),
    ...(options.takesFloats && { takesFloats: true }),
  };
  for await (const _full of openSource(path, shape, context)) yield take();
  if (table.rows > 0 || rejects.total > 0) yield take();
}

function boundsOf({ cellsMax, keep }: ReadOptions, columns: readonly ColumnRequest[]) {
  if (keep) return { rowsMax: chunkRowsMax, textBytesMax: chunkTextBytesMax };
  if (cellsMax === undefined) return { rowsMax: Number.POSITIVE_INFINITY, textBytesMax: Number.POSITIVE_INFINITY };
  return { rowsMax: Math.max(chunkRowsMin, Math.floor(cellsMax / columns.length)), textBytesMax: sampleTextBytesMax };
}

function nameOf(path: string, options: ReadOptions): string {
  return options.nameOf?.(path) ?? basename(path);
}

function checkRequests(columns: readonly ColumnRequest[]): void {
  const names = new Set(columns.map((column) => column.name.toLowerCase()));
  if (names.size < columns.length) throw new Failure('invalid', 'a column is requested twice');
}

function openSource(path: string, shape: FileShape, context: SourceContext): Source {
  const { compression } = shape;
  if (shape.format === 'parquet') return readParquet(path, shape.parquet!, context);
  if (shape.format === 'jsonl') return readJsonl(path, compression, context);
  const { encoding, delimiter } = shape.csv!;
  const header = shape.columns.map((column) => column.name);
  return readCsv(path, { compression, encoding, delimiter, header }, context);
}

/**
 * Finds the requested columns in a file by exact name, or else by an alias, or whatever the case. Adds to `warnings`,
 * `unknown` and `present`. Only the first lines of a JSONL file were inspected, so a missing key may still appear.
 */
function matchColumns(
  file: string,
  shape: FileShape,
  columns: readonly ColumnRequest[],
  warnings: FileNotice[],
  unknown: Set<string>,
  present: Set<string>,
): Map<string, string> {
  warnings.push(...shape.warnings);
  const exact = new Set(shape.columns.map((column) => column.name));
  const folded = new Map(shape.columns.map((column) => [column.name.toLowerCase(), column.name]));
  const names = new Map<string, string>();
  const problems: { at: string; message: string }[] = [];
  for (const { name, required, aliases = [] } of columns) {
    const found = exact.has(name)
      ? name
      : (aliases.find((alias) => exact.has(alias)) ?? folded.get(name.toLowerCase()));
    if (found !== undefined) {
      names.set(name, found);
      present.add(name);
      if (found !== name) warnings.push({ code: 'column_read_as', file, column: found, name });
    } else if (required) {
      problems.push({ at: `${file}, header`, message: `the required column "${name}" is absent` });
    } else if (shape.format === 'jsonl') {
      names.set(name, name);
      warnings.push({ code: 'column_late', file, column: name });
    } else {
      warnings.push({ code: 'column_absent', file, column: name });
    }
  }
  if (problems.length > 0) {
    const wanted = problems
      .map((problem) => problem.message)
      .slice(0, 5)
      .join('; ');
    const have = shape.columns
      .map((column) => `"${column.name}"`)
      .slice(0, 20)
      .join(', ');
    throw new Failure('invalid', `${file}: ${wanted}. The file has ${have || 'no columns'}.`, { problems });
  }
  const requested = new Set(names.values());
  for (const { name } of shape.columns) if (!requested.has(name)) unknown.add(name);
  return names;
}
