import { quoteName } from '../duckdb/duckdb.ts';
import { Failure } from '../failure.ts';
import type { LogicalType } from './column.ts';
import { isOfNumbers } from './date-forms.ts';
import { beyondLimit } from './density.ts';
import { logicalType, type ParquetShape } from './parquet-shape.ts';
import type { SourceContext } from './source.ts';
import { type ColumnBuilder, type ColumnRequest, type MissingTexts, missingTexts } from './table.ts';
import { dateFormIn, type ValueForm, zoneOf } from './values.ts';

/** How to read one requested column. */
export type ReadJob = {
  readonly name: string;
  readonly type: LogicalType;
  readonly isRequired: boolean;
  /** Whether a value that does not convert rejects its row. */
  readonly isStrict: boolean;
  readonly missing: MissingTexts | null;
  readonly form: ValueForm | undefined;
  readonly column: ColumnBuilder;
  /** The SQL expression of the column, of type FLOAT, DOUBLE or VARCHAR. */
  readonly sql: string;
  readonly carries: 'float' | 'double' | 'text';
  /** The SQL expression of how many bytes the text may have; null for what is short in every row. */
  readonly bytesSql: string | null;
  /** Whether every value that DuckDB may return is valid for the type, so that no value has to be checked. */
  readonly isSafe: boolean;
  /** Whether the file holds numbers that mean moments in the form of the column. */
  readonly isCoded: boolean;
  /** The zone whose clocks are read, where the file holds instants and the form of the column has one. */
  readonly zone: string | undefined;
};

/**
 * Plans how to read the requested columns that a file has. Throws Failure 'invalid' for a column that cannot be read as
 * its type.
 */
export function planJobs(shape: ParquetShape, context: SourceContext): ReadJob[] {
  const jobs: ReadJob[] = [];
  const columns = new Map(shape.columns.map((column) => [column.name, column]));
  for (const [index, request] of context.requests.entries()) {
    const found = columns.get(context.names.get(request.name) ?? '');
    if (found === undefined) continue;
    const { name, type, form } = request;
    const column = quoteName(found.name);
    const isList = request.takesLists === true && isNumbers.test(found.duckType);
    if (isList) checkLists(found, context.file);
    const reading = isList ? castList(column) : castTo(request, column, found.duckType);
    if (reading === null) {
      const message = `${context.file}: column "${found.name}" holds ${found.duckType}, which cannot be read as ${type}`;
      throw new Failure('invalid', `${message}. Write it as a plain column of that type.`);
    }
    const isRequired = request.required === true;
    const isStrict = isRequired || request.isStrict === true;
    const missing = missingTexts(request);
    const into = context.table.columns[index];
    const isFloats = reading.carries === 'float' && type === 'number';
    if (context.takesFloats && isFloats && into.kind === 'values') into.narrow();
    jobs.push({
      name,
      type,
      isRequired,
      isStrict,
      missing,
      form,
      column: into,
      isCoded: false,
      zone: undefined,
      ...reading,
    });
  }
  return jobs;
}

/** Lists of numbers, the only lists that are read. */
const isNumbers = /^(FLOAT|DOUBLE|DECIMAL\(.*\)|HUGEINT|U?(TINY|SMALL|BIG)INT|U?INTEGER)\[\d*\]$/;

/** Numbers in the lists of one column of one row group. DuckDB unpacks 2,048 lists at once, whatever they hold. */
export const listNumbersMax = 1 << 27;

function checkLists({ name, listed }: ParquetShape['columns'][number], file: string): void {
  if (listed <= listNumbersMax) return;
  const message = `${file}: column "${name}" has ${listed.toLocaleString('en')} values in the lists of one row group`;
  throw beyondLimit(
    `${message}: at most ${listNumbersMax.toLocaleString('en')} are read. Write it with smaller row groups.`,
  );
}

type Reading = Pick<ReadJob, 'sql' | 'carries' | 'isSafe' | 'bytesSql'> & Partial<Pick<ReadJob, 'isCoded' | 'zone'>>;

/** Casts a list to text: DuckDB writes a list of finite numbers as JSON does, each in at most 26 bytes. */
function castList(name: string): Reading {
  return { sql: `${name}::varchar`, carries: 'text', isSafe: false, bytesSql: `len(${name}) * 26` };
}

const instants = 'TIMESTAMP WITH TIME ZONE';
const isText = /^(VARCHAR|UUID|ENUM.*)$/;

/** Whether a column holds lists, structures or maps, which are no plain values. */
export function isNested(duckType: string): boolean {
  return logicalType(duckType) === 'string' && duckType !== 'BLOB' && !isText.test(duckType);
}

/** How a column of DuckDB's type is read as a logical type; null when it cannot be. */
function castTo({ type, form, keepsClocks }: ColumnRequest, name: string, duckType: string): Reading | null {
  const found = logicalType(duckType);
  const isFloat = duckType === 'FLOAT' || duckType === 'DOUBLE';
  const text = (sql: string, bytesSql: string | null = null) => ({
    sql,
    carries: 'text' as const,
    isSafe: false,
    bytesSql,
  });
  const double = (sql: string, isSafe: boolean) => ({ sql, carries: 'double' as const, isSafe, bytesSql: null });
  // What is no printable ASCII of a BLOB becomes four bytes.
  if (duckType === 'BLOB') return text(`${name}::varchar`, `octet_length(${name}) * 4`);
  if (isText.test(duckType)) return text(`${name}::varchar`, duckType === 'VARCHAR' ? `strlen(${name})` : null);
  if (found === 'string') return null;
  if (type === 'string') {
    // A float that holds a whole number is written without ".0": many tools turn integer columns with gaps into floats.
    if (isFloat) return text(`case when isfinite(${name}) then regexp_replace(${name}::varchar, '\\.0$', '') end`);
    const mark = keepsClocks === true && duckType !== instants ? '' : 'Z';
    if (duckType.startsWith('TIMESTAMP')) return text(`strftime((${name})::timestamp, '%Y-%m-%dT%H:%M:%S.%f${mark}')`);
    return text(`${name}::varchar`);
  }
  if (found === 'time') return type === 'time' ? double(`epoch_us(${name}::time)::double`, true) : null;
  if (found === 'date' || found === 'timestamp') {
    if (type !== 'date' && type !== 'timestamp') return null;
    const moment = `(${name})::timestamp`;
    const isSafe = type === 'timestamp' || found === 'date';
    const read = double(`case when isfinite(${moment}) then epoch_us(${moment})::double end`, isSafe);
    return type === 'timestamp' && duckType === instants ? { ...read, zone: zoneOf(form) } : read;
  }
  if (found === 'boolean') {
    return type === 'date' || type === 'timestamp' || type === 'time' ? null : double(`${name}::double`, true);
  }
  if (type === 'date' || type === 'timestamp' || type === 'time') {
    // A FLOAT has fewer digits than any of these numbers.
    if (!isOfNumbers(dateFormIn(form)) || duckType === 'FLOAT') return null;
    return { ...double(`${name}::double`, false), isCoded: true };
  }
  const isSmall = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER)$/.test(duckType);
  const isSafe = type === 'number' ? found === 'integer' || !isFloat : type === 'integer' && isSmall;
  // A FLOAT is widened after it is handed over: widened by DuckDB, it would take twice the bytes.
  if (duckType === 'FLOAT') return { sql: name, carries: 'float', isSafe, bytesSql: null };
  return double(duckType === 'DOUBLE' ? name : `${name}::double`, isSafe);
}
