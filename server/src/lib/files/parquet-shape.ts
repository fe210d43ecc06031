// Describes Parquet files with DuckDB, which also reads their rows.
import { open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type DuckDb, openDuckDb, quoteText } from '../duckdb/duckdb.ts';
import { assert, Failure } from '../failure.ts';
import type { LogicalType } from './column.ts';
import { beyondLimit, checkColumns, checkDensity, parquetDensityMax, sizeWord } from './density.ts';

export type ParquetShape = {
  readonly columns: readonly {
    readonly name: string;
    readonly type: LogicalType;
    readonly duckType: string;
    /** For lists, the most values of one row group, nested ones counted; 0 for other columns. */
    readonly listed: number;
  }[];
  readonly rows: number;
  readonly rowGroupRowsMax: number;
};

/**
 * Reads the footer. Throws Failure 'invalid' when the file is cut short or damaged, or when its footer says that it has
 * more columns, more row groups or denser rows than are read.
 */
export async function describeParquet(path: string, name: string): Promise<ParquetShape> {
  const bytes = await checkFooter(path, name);
  const { duckdb, file, done } = await openFor(path);
  try {
    const [counted] = await duckdb.texts(
      `select num_row_groups::varchar, (select count(*) from parquet_schema(${file}) where num_children is null)::varchar
       from parquet_file_metadata(${file})`,
    );
    checkGroups(Number(counted![0]), name);
    checkColumns(Number(counted![1]), name);
    const described = await duckdb.texts(
      `select column_name, column_type from (describe select * from read_parquet(${file}))`,
    );
    const [groups] = await duckdb.texts(
      `select coalesce(sum(rows), 0)::varchar, coalesce(max(rows), 0)::varchar from (
        select any_value(row_group_num_rows) as rows from parquet_metadata(${file}) group by row_group_id)`,
    );
    const beyond = described.some(([, type]) => isWide.test(String(type)))
      ? new Set((await duckdb.texts(beyondExact(file))).map(([path]) => path))
      : new Set<string | null>();
    const listed = described.some(([, type]) => String(type).endsWith(']'))
      ? new Map((await duckdb.texts(valuesInLists(file))).map(([path, values]) => [path, Number(values)]))
      : new Map<string | null, number>();
    const columns = described.map((row) => {
      const [name, duckType] = [String(row[0]), String(row[1])];
      const isText = isWide.test(duckType) && beyond.has(name);
      return {
        name,
        type: isText ? ('string' as const) : logicalType(duckType),
        duckType,
        listed: listed.get(name) ?? 0,
      };
    });
    const rows = Number(groups![0]);
    const unpacked = rows * columns.length * Float64Array.BYTES_PER_ELEMENT;
    const what = `its ${rows.toLocaleString('en')} rows unpack`;
    checkDensity(bytes, unpacked, parquetDensityMax, name, what);
    return { columns, rows, rowGroupRowsMax: Number(groups![1]) };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw damaged(name, cause);
  } finally {
    done();
  }
}

/** Bytes of a footer, which is held in memory several times over. */
export const footerBytesMax = 64 * 1024 * 1024;
const magic = 'PAR1';
const trailerBytes = 8;

/** Returns the size of the file. Throws Failure 'invalid' when its footer is too large, or lies outside of it. */
async function checkFooter(path: string, name: string): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const trailer = Buffer.alloc(trailerBytes);
    await file.read(trailer, 0, trailerBytes, Math.max(0, size - trailerBytes));
    const footer = trailer.readUInt32LE(0);
    const isWhole = trailer.toString('latin1', 4) === magic && footer <= size - trailerBytes - magic.length;
    if (!isWhole) throw damaged(name, new Error('no footer'));
    if (footer <= footerBytesMax) return size;
    const message = `${name}: has a footer of ${sizeWord(footer)}: at most ${sizeWord(footerBytesMax)} are read`;
    throw beyondLimit(`${message}. Write it with fewer row groups or columns, or split it.`);
  } finally {
    await file.close();
  }
}

/** Row groups of a file: the format gives each a number of 16 bits. */
export const rowGroupsMax = 32_767;

function checkGroups(count: number, name: string): void {
  if (count <= rowGroupsMax) return;
  const message = `${name}: has ${count.toLocaleString('en')} row groups: at most ${rowGroupsMax.toLocaleString('en')} are read`;
  throw beyondLimit(`${message}. Write it with about 100,000 rows in each.`);
}

/** The SQL for the most values of a row group in the columns that hold lists, by the name of the column. */
function valuesInLists(file: string): string {
  return `select split_part(path_in_schema, ', ', 1), max(num_values)::varchar from parquet_metadata(${file})
    where path_in_schema like '%, %' group by 1`;
}

/** Types of whole numbers that float64 may not hold exactly. */
const isWide = /^U?BIGINT$/;

/**
 * The SQL for the columns of whole numbers whose statistics in the footer go beyond what float64 holds exactly. They
 * are identifiers, and are read as texts.
 */
function beyondExact(file: string): string {
  const exact = Number.MAX_SAFE_INTEGER;
  return `select path_in_schema from parquet_metadata(${file}) where type = 'INT64' group by path_in_schema
    having max(try_cast(stats_max_value as hugeint)) > ${exact} or min(try_cast(stats_min_value as hugeint)) < -${exact}`;
}

/** The logical type of a column of DuckDB's type, when the caller asks for no other. */
export function logicalType(duckType: string): LogicalType {
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

/** DuckDBs that are open and idle, by folder: opening one costs 20 ms, as much as reading a hundred thousand rows. */
const idle = new Map<string, DuckDb>();
/** One for tables and one for the rows to predict. */
const idleMax = 2;

/**
 * Opens a DuckDB that can read one file, which statements refer to as `file`; `done` gives it back. It may read the
 * folder in which the file really lies, with links resolved: a link would lead out of the folder it is allowed.
 */
export async function openFor(path: string): Promise<{ duckdb: DuckDb; file: string; done: () => void }> {
  const real = await realpath(path);
  const folder = dirname(real);
  const kept = idle.get(folder);
  idle.delete(folder);
  // DuckDB decodes while the caller uses the rows before; a second thread would only wait, and cost CPU.
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

/** The error for a file that cannot be read: Failure 'invalid', or `cause` itself when the fault is this machine's. */
export function damaged(name: string, cause: unknown): unknown {
  assert(!String(cause).includes('Permission Error'), `DuckDB may read ${name}`);
  if (/Out of Memory Error|Cannot open file|Too many open files|No space left/.test(String(cause))) return cause;
  const message = `${name}: the Parquet data is damaged or cut short. Write and upload the file again.`;
  return new Failure('invalid', message, { cause });
}
