// Describes Parquet files with DuckDB, which also reads their rows.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type DuckDb, openDuckDb, quoteText } from '../duckdb/duckdb.ts';
import { assert, Failure } from '../failure.ts';
import type { LogicalType } from './column.ts';

export type ParquetShape = {
  readonly columns: readonly { readonly name: string; readonly type: LogicalType; readonly duckType: string }[];
  readonly rows: number;
  readonly rowGroupRowsMax: number;
};

/** Reads the footer. Throws Failure 'invalid' when the file is cut short or damaged. */
export async function describeParquet(path: string, name: string): Promise<ParquetShape> {
  const { duckdb, file, done } = await openFor(path);
  try {
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
    const columns = described.map((row) => {
      const [name, duckType] = [String(row[0]), String(row[1])];
      const isText = isWide.test(duckType) && beyond.has(name);
      return { name, type: isText ? ('string' as const) : logicalType(duckType), duckType };
    });
    return { columns, rows: Number(groups![0]), rowGroupRowsMax: Number(groups![1]) };
  } catch (cause) {
    throw damaged(name, cause);
  } finally {
    done();
  }
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
