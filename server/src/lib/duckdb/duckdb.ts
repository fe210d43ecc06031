// The only module that uses DuckDB. An instance can reach the folders it was given and nothing else: no network, no
// extensions.
import type { DuckDBAppender, DuckDBVarCharVector } from '@duckdb/node-api';
import type { Connection, Database, DataChunk } from '@duckdb/node-bindings';

/** Rows of one DuckDB vector, and so of one appended chunk. */
export const vectorRowsMax = 2048;
/** DuckDB writes whole vectors: this is the largest row group under 100,000 rows whose size it keeps exactly. */
export const rowGroupRows = 98_304;

/**
 * How much of a result DuckDB may prepare ahead of the reader. Its own default of 1 MB holds one batch of wide rows;
 * much more than this only fills memory.
 */
const streamBufferMb = 8;

export type DuckDbOptions = {
  /** Folders whose files may be read and written. None by default. */
  readonly folders?: readonly string[];
  readonly threads?: number;
  /** Limit of DuckDB's own buffers, lowered to the cap of this process; the process needs about 150 MB more. */
  readonly memoryLimitMb?: number;
  /** A database file, created when absent. In memory by default. */
  readonly database?: string;
  /** Folder for data that do not fit in memory. None by default: the statement then fails. */
  readonly spillFolder?: string;
};

/** The most that `memoryLimitMb` may be in this process. It is the process that has a memory, and not its callers. */
let memoryCapMb = Number.POSITIVE_INFINITY;

/** Lowers the memory limit of every DuckDB that this process opens from now on to at most `megabytes`. */
export function capDuckDbMemory(megabytes: number): void {
  memoryCapMb = megabytes;
}

/** A row as JavaScript values: 64-bit integers arrive as bigint, dates and decimals as text where SQL casts them so. */
export type SqlRow = Record<string, unknown>;

/**
 * Opens an isolated DuckDB: 2 threads and 1,024 MB unless told otherwise, time zone UTC, configuration locked.
 * Throws what DuckDB throws when the database file cannot be opened.
 */
export async function openDuckDb(options: DuckDbOptions = {}): Promise<DuckDb> {
  // The 70 MB library is loaded when the first database opens, so processes that only predict never load it. The
  // package `@duckdb/node-api` around the bindings has two hundred more files, and asks every vector for its type: only
  // the methods that need it load it.
  const { default: bindings } = await import('@duckdb/node-bindings');
  const config = bindings.create_config();
  for (const [name, value] of Object.entries({
    threads: options.threads ?? 2,
    memory_limit: `${Math.min(options.memoryLimitMb ?? 1024, memoryCapMb)}MB`,
    temp_directory: options.spillFolder ?? '',
    autoinstall_known_extensions: false,
    autoload_known_extensions: false,
    allow_community_extensions: false,
  }))
    bindings.set_config(config, name, String(value));
  const instance = await bindings.open(options.database ?? ':memory:', config);
  const connection = await bindings.connect(instance);
  const folders = (options.folders ?? []).map((folder) => quoteText(folder)).join(', ');
  const settings = [
    // Old Parquet writers omit the mark that a byte array is text.
    'set binary_as_string = true',
    "set timezone = 'UTC'",
    // Files are read once, so a cache gains nothing, and it could mistake a file for another that has taken its place.
    'set enable_external_file_cache = false',
    `set streaming_buffer_size = '${streamBufferMb}MB'`,
    `set allowed_directories = [${folders}]`,
    'set enable_external_access = false',
    'set lock_configuration = true',
  ];
  await bindings.query(connection, settings.join(';'));
  return new DuckDb(bindings, instance, connection);
}

type Api = typeof import('@duckdb/node-api');
type Bindings = typeof import('@duckdb/node-bindings');

/** One DuckDB instance with one connection. Statements run one after the other; close it when done. */
export class DuckDb {
  private readonly bindings: Bindings;
  private readonly instance: Database;
  private readonly connection: Connection;

  constructor(bindings: Bindings, instance: Database, connection: Connection) {
    this.bindings = bindings;
    this.instance = instance;
    this.connection = connection;
  }

  /** Runs a statement for its effect. */
  async run(sql: string): Promise<void> {
    await this.bindings.query(this.connection, sql);
  }

  /**
   * Runs a query whose columns are all VARCHAR and returns its rows; a missing value is null. For results known to be
   * small.
   */
  async texts(sql: string): Promise<(string | null)[][]> {
    const rows: (string | null)[][] = [];
    for await (const batch of this.stream(sql)) {
      const columns = batch.columns.map((column) => batch.texts(column));
      for (let row = 0; row < batch.rows; row++)
        rows.push(columns.map(({ validity, text }) => (isValid(validity, row) ? text(row) : null)));
    }
    return rows;
  }

  /** Runs a query and returns all its rows, of whatever types. For results known to be small. */
  async rows(sql: string): Promise<SqlRow[]> {
    const api = await import('@duckdb/node-api');
    const reader = await new api.DuckDBConnection(this.connection).runAndReadAll(sql);
    return reader.getRowObjectsJS();
  }

  /**
   * Streams the result of a query whose columns are all FLOAT, DOUBLE or VARCHAR, in its order, in batches of at most
   * 2,048 rows. A batch is valid until the next one is asked for.
   */
  async *stream(sql: string): AsyncGenerator<Batch> {
    const { bindings } = this;
    const prepared = await bindings.prepare(this.connection, sql);
    const result = await bindings
      .execute_prepared_streaming(prepared)
      .finally(() => bindings.destroy_prepare_sync(prepared));
    const types = Array.from({ length: bindings.column_count(result) }, (_, column) =>
      bindings.column_type(result, column),
    );
    // DuckDB computes the next batch while the caller uses this one.
    let next = bindings.fetch_chunk(result);
    try {
      for (;;) {
        const chunk = await next;
        if (chunk === null || bindings.data_chunk_get_size(chunk) === 0) return;
        next = bindings.fetch_chunk(result);
        yield new Batch(bindings, chunk, types);
      }
    } finally {
      await next.catch(() => null);
    }
  }

  /** Opens an appender to a table whose columns are all DOUBLE or VARCHAR, as `types` says. */
  async appender(table: string, types: readonly ('double' | 'text')[]): Promise<Appender> {
    const api = await import('@duckdb/node-api');
    return new Appender(api, await new api.DuckDBConnection(this.connection).createAppender(table), types);
  }

  /** Interrupts the running statement, which then throws. */
  interrupt(): void {
    this.bindings.interrupt(this.connection);
  }

  close(): void {
    this.bindings.disconnect_sync(this.connection);
    this.bindings.close_sync(this.instance);
  }
}

/** A validity mask: bit `row % 32` of word `row / 32` is 1 when the row has a value. Null when all rows have one. */
export type Validity = Uint32Array | null;

/**
 * Bytes per cell of a VARCHAR vector: 4 of length, then the text of up to 12 bytes, or 4 bytes of prefix and a pointer.
 */
export const textCellBytes = 16;
export const inlineTextBytesMax = 12;

/**
 * VARCHAR cells in DuckDB's memory layout. `text(row)` decodes a cell that has a value; long texts are not in `cells`.
 */
export type TextCells = {
  readonly cells: Uint8Array;
  readonly validity: Validity;
  readonly text: (row: number) => string;
};

/** Whether a row has a value. */
export function isValid(validity: Validity, row: number): boolean {
  return validity === null || ((validity[row >>> 5] >>> (row & 31)) & 1) === 1;
}

/** At most 2,048 rows of a streamed result. */
export class Batch {
  readonly rows: number;
  /** The numbers of the columns. */
  readonly columns: readonly number[];
  private readonly bindings: Bindings;
  private readonly chunk: DataChunk;
  private readonly types: readonly number[];

  constructor(bindings: Bindings, chunk: DataChunk, types: readonly number[]) {
    this.bindings = bindings;
    this.chunk = chunk;
    this.types = types;
    this.rows = bindings.data_chunk_get_size(chunk);
    this.columns = [...types.keys()];
  }

  /** A DOUBLE column. A value is undefined where the validity bit is 0. */
  doubles(column: number): { readonly values: Float64Array; readonly validity: Validity } {
    const { bytes, validity } = this.cells(column, 'DOUBLE', 8);
    return { values: new Float64Array(bytes.buffer, bytes.byteOffset, this.rows), validity };
  }

  /** A FLOAT column. A value is undefined where the validity bit is 0. */
  floats(column: number): { readonly values: Float32Array; readonly validity: Validity } {
    const { bytes, validity } = this.cells(column, 'FLOAT', 4);
    return { values: new Float32Array(bytes.buffer, bytes.byteOffset, this.rows), validity };
  }

  /** A VARCHAR column. */
  texts(column: number): TextCells {
    const { bindings } = this;
    const { bytes, validity } = this.cells(column, 'VARCHAR', textCellBytes);
    const lengths = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const text = (row: number) => {
      const cell = row * textCellBytes;
      const length = lengths.getUint32(cell, true);
      const found =
        length <= inlineTextBytesMax
          ? bytes.subarray(cell + 4, cell + 4 + length)
          : // The second half of a long text's cell is a pointer to the text.
            bindings.get_data_from_pointer(bytes.buffer as ArrayBuffer, bytes.byteOffset + cell + 8, length);
      return Buffer.from(found.buffer, found.byteOffset, length).toString();
    };
    return { cells: bytes, validity, text };
  }

  /** The memory of a column, in DuckDB's layout. */
  private cells(
    column: number,
    type: 'DOUBLE' | 'FLOAT' | 'VARCHAR',
    bytes: number,
  ): { readonly bytes: Uint8Array; readonly validity: Validity } {
    const { bindings } = this;
    const found = this.types[column];
    if (found !== bindings.Type[type]) throw new Error(`column ${column} is ${bindings.Type[found!]}, not ${type}`);
    const vector = bindings.data_chunk_get_vector(this.chunk, column);
    const mask = bindings.vector_get_validity(vector, Math.ceil(this.rows / 64) * 8) as Uint8Array | null;
    return {
      bytes: bindings.vector_get_data(vector, this.rows * bytes),
      validity: mask && new Uint32Array(mask.buffer, mask.byteOffset, mask.length / 4),
    };
  }
}

/** Buffers rows and adds them to a table. */
export class Appender {
  private readonly api: Api;
  private readonly appender: DuckDBAppender;
  private readonly types: readonly ('double' | 'text')[];

  constructor(api: Api, appender: DuckDBAppender, types: readonly ('double' | 'text')[]) {
    this.api = api;
    this.appender = appender;
    this.types = types;
  }

  /**
   * Adds `rows` rows, at most 2,048. `columns` hold, per column, the numbers (NaN stays NaN) or the texts (null is
   * null).
   */
  append(rows: number, columns: readonly (Float64Array | readonly (string | null)[])[]): void {
    const { DOUBLE, VARCHAR, DuckDBDataChunk } = this.api;
    const types = this.types.map((type) => (type === 'double' ? DOUBLE : VARCHAR));
    const chunk = DuckDBDataChunk.create(types, rows);
    for (const [index, values] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      if (values instanceof Float64Array) {
        // The package's types hide this memory, and its own setter takes one call per cell.
        (vector as unknown as { readonly items: Float64Array }).items.set(values);
      } else {
        const texts = vector as DuckDBVarCharVector;
        for (let row = 0; row < rows; row++) texts.setItem(row, values[row]);
      }
      vector.flush();
    }
    this.appender.appendDataChunk(chunk);
  }

  /** Moves the buffered rows into the table, which can spill to disk. */
  flush(): void {
    this.appender.flushSync();
  }

  close(): void {
    this.appender.closeSync();
  }
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as an SQL literal, for the statements that take no parameters. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
