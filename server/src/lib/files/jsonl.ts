// JSONL: one object per line. Its values convert by the same rules as the texts of a CSV file.
import { ByteWindow, type Compression, lineBytesMax } from './bytes.ts';
import type { LogicalType } from './column.ts';
import { LostBytes, sizeWord } from './density.ts';
import { isAbsent, jsonMismatch, readJsonValue } from './json-value.ts';
import type { Reject } from './rejects.ts';
import { tellRowReason } from './row-reasons.ts';
import { isFull, missing, type Source, type SourceContext } from './source.ts';
import { type ColumnBuilder, type MissingTexts, missingTexts, nulReason, nulText } from './table.ts';
import type { ValueForm } from './values.ts';

const newline = 10;
/**
 * Matches lines with a whole number of more digits than float64 keeps. Such a number is kept as text: as a number, an
 * identifier would change.
 */
const manyDigits = /[:[,]\s*-?\d{16,}\s*[,}\]]/;

/** Levels of lists and objects in a value: what writes a deeper one as text would run out of its stack. */
export const nestingMax = 100;
const tooDeep = `the value nests deeper than ${nestingMax} levels`;
const tooLong = `the line is longer than ${sizeWord(lineBytesMax)}`;

type ReadJob = {
  readonly key: string;
  readonly name: string;
  readonly type: LogicalType;
  readonly isRequired: boolean;
  /** Whether a value that does not convert rejects its row. */
  readonly isStrict: boolean;
  readonly missing: MissingTexts | null;
  readonly form: ValueForm | undefined;
  readonly takesLists: boolean;
  readonly column: ColumnBuilder;
};

/** Reads the rows of a JSONL file. Keys that a line lacks, and nulls, are missing. */
export async function* readJsonl(path: string, compression: Compression, context: SourceContext): Source {
  const { rejects, file } = context;
  const window = new ByteWindow(path, compression, 'utf-8', file);
  const addRow = rowAdder(context);
  const lost = new LostBytes(file);
  let row = 0;
  let isInLostLine = false;
  try {
    for (;;) {
      if (rejects.isFull()) yield;
      const { position } = window;
      const found = window.buffer.subarray(position, window.limit).indexOf(newline);
      if (found === -1 && !window.isLast) {
        if (isInLostLine) {
          lost.add(window.limit - position, row, tooLong);
          window.position = window.limit;
        } else if (window.limit - position > lineBytesMax) {
          row++;
          rejects.add({
            file,
            row,
            column: null,
            reason: tooLong,
            value: window.buffer.toString('utf8', position, position + 160),
          });
          isInLostLine = true;
          continue;
        }
        await window.more();
        continue;
      }
      if (position >= window.limit) return;
      const end = found === -1 ? window.limit : position + found;
      window.position = found === -1 ? window.limit : end + 1;
      if (isInLostLine) {
        isInLostLine = false;
        continue;
      }
      const line = window.buffer.toString('utf8', position, end);
      if (line.trim() === '') continue;
      row++;
      const problem = window.isSuspect ? window.problem(position, end) : null;
      if (problem !== null) {
        rejects.add({ file, row, column: null, ...tellRowReason(problem), value: line });
        continue;
      }
      const parsed = parseLine(line);
      if (typeof parsed === 'string') {
        rejects.add({ file, row, column: null, reason: parsed, value: line });
        continue;
      }
      if (isFull(context)) yield;
      addRow(parsed, row);
    }
  } finally {
    await window.close();
  }
}

/** The object on a line, or the reason why there is none. */
export function parseLine(line: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = manyDigits.test(line) ? parseExactly(line) : JSON.parse(line);
  } catch (error) {
    return error instanceof RangeError ? 'the line nests too deep' : 'the line is not valid JSON';
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'the line is not a JSON object';
  return value as Record<string, unknown>;
}

/** Parses JSON, keeping as text the whole numbers that float64 would round. */
function parseExactly(line: string): unknown {
  // The third parameter is ECMAScript's "JSON.parse source text access", which TypeScript's library lacks.
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context!.source
      : value;
  return JSON.parse(line, reviver as (key: string, value: unknown) => unknown);
}

function rowAdder(context: SourceContext) {
  const { table, rejects, file } = context;
  const jobs: ReadJob[] = [];
  for (const [index, request] of context.requests.entries()) {
    const { name, type, required, isStrict, form, takesLists = false } = request;
    const key = context.names.get(name)!;
    const isRequired = required === true;
    jobs.push({
      key,
      name,
      type,
      isRequired,
      isStrict: isRequired || isStrict === true,
      missing: missingTexts(request),
      form,
      takesLists,
      column: table.columns[index],
    });
  }
  // Values come first: a row rejected for a value then leaves no text in a dictionary.
  jobs.sort((a, b) => Number(a.type === 'string') - Number(b.type === 'string'));
  const required = jobs.filter((job) => job.isRequired);

  return function addRow(object: Record<string, unknown>, row: number): void {
    const at = table.rows;
    if (at >= table.rowNumbers.length) table.reserve(at + 1);
    const add = (column: string, why: Pick<Reject, 'reason' | 'because'>, value: string | null) => {
      rejects.add({ file, row, column, ...why, value });
    };
    const misfit = (column: string, type: LogicalType, cell: unknown, form?: ValueForm) => {
      if (nestsDeeper(cell, nestingMax)) return add(column, { reason: tooDeep }, null);
      const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
      add(column, jsonMismatch(type, cell, form), text);
    };
    for (const { key, name, type, missing: absent } of required) {
      const cell = cellOf(object, key);
      if (isAbsent(cell, absent)) {
        add(name, missing, null);
        return;
      }
      if (type === 'string' && typeof cell === 'object') {
        misfit(name, type, cell);
        return;
      }
    }
    for (const { key, name, type, isStrict, missing, form, takesLists, column } of jobs) {
      const cell = cellOf(object, key);
      const isMissing = isAbsent(cell, missing);
      if (column.kind === 'texts') {
        const isList = takesLists && Array.isArray(cell) && !nestsDeeper(cell, nestingMax);
        const isNested = typeof cell === 'object' && cell !== null && !isList;
        if (isNested) {
          misfit(name, type, cell);
          if (isStrict) return;
        }
        const code = isMissing || isNested ? -1 : column.codeOf(isList ? JSON.stringify(cell) : String(cell));
        column.codes[at] = code === nulText ? -1 : code;
        if (code === nulText) {
          add(name, { reason: nulReason }, String(cell));
          if (isStrict) return;
        }
        continue;
      }
      const value = isMissing ? Number.NaN : readJsonValue(type, cell, form);
      column.values[at] = value;
      if (!isMissing && Number.isNaN(value)) {
        misfit(name, type, cell, form);
        if (isStrict) return;
      }
    }
    table.rowNumbers[at] = row;
    table.rows = at + 1;
  };
}

/** Whether lists and objects lie in one another more than `levels` deep. Looks no deeper. */
function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}

/** The value of a key of the line itself; every object also inherits keys such as `constructor`. */
function cellOf(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
