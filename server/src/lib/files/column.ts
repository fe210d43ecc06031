/**
 * Columns, in which the contents of files reach the rest of the program.
 *
 * Numbers, booleans (0 or 1) and times are float64 with NaN for missing; a time is microseconds since
 * 1970-01-01T00:00Z. Numbers are float32 when the file holds float32 and the reader was asked to keep it. Text is
 * dictionary-coded: `codes[row]` is an index into `dictionary`, -1 is missing. A dictionary lists the distinct values
 * in order of first appearance in the file.
 */
export type Numbers = Float64Array | Float32Array;
export type NumberColumn = { readonly kind: 'number'; readonly values: Numbers };
export type TimeColumn = { readonly kind: 'time'; readonly values: Float64Array };
export type TextColumn = { readonly kind: 'text'; readonly codes: Int32Array; readonly dictionary: readonly string[] };
export type Column = NumberColumn | TimeColumn | TextColumn;

/** The type of a column's values, in the terms of the Open Data Contract Standard. */
export type LogicalType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp' | 'time';

/**
 * Rows of one table. `columns` are parallel arrays of length `rows`. A `date` is the start of its day, a `timestamp`
 * without an offset is read as UTC, and a `time` (of day) is microseconds since midnight. All three are time columns.
 */
export type Rows = { readonly rows: number; readonly columns: ReadonlyMap<string, Column> };

/** The numbers as float64. Returns the same array when it is float64 already. */
export function toDoubles(values: Numbers): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

/** A column of one text per row; null is missing. */
export function textColumn(values: readonly (string | null)[]): TextColumn {
  const codeOf = new Map<string, number>();
  const codes = Int32Array.from(values, (value) => {
    if (value === null) return -1;
    let code = codeOf.get(value);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(value, code);
    }
    return code;
  });
  return { kind: 'text', codes, dictionary: [...codeOf.keys()] };
}

/** A column of the same text in every row. */
export function sameText(rows: number, text: string): TextColumn {
  return { kind: 'text', codes: new Int32Array(rows), dictionary: [text] };
}

/** The rows at `positions`, in that order. */
export function pickRows({ columns }: Rows, positions: readonly number[]): Rows {
  const pick = (column: Column): Column =>
    column.kind === 'text'
      ? { ...column, codes: Int32Array.from(positions, (row) => column.codes[row]) }
      : { ...column, values: Float64Array.from(positions, (row) => column.values[row]) };
  return { rows: positions.length, columns: new Map([...columns].map(([name, column]) => [name, pick(column)])) };
}
