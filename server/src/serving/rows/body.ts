import { refuse } from '../../errors.ts';
import type { Problem } from '../../lib/failure.ts';
import type { Column, LogicalType, Rows } from '../../lib/files/column.ts';
import { fits, mismatch, readValue, shorten } from '../../lib/files/values.ts';
import { encodeVector, vectorFormat, vectorOf, vectorProblems } from '../../ml/version/given-vectors.ts';
import type { Field } from '../../ml/version/schema.ts';
import { dayInput, echoed, echoedLengthMax } from '../../ml/version/schema.ts';

/** Most fields that a refusal names. */
const fieldsTold = 20;

/** What a JSON body asks for: one row to predict, and its reference date as it stands in the body, not yet checked. */
type AskedBody = { readonly rows: Rows; readonly day: unknown };

/**
 * Reads a JSON body for a version with these inputs. A field that the body lacks or has as null is missing.
 * Throws Failure 'unknown_input', 'missing_input', 'invalid_input', each naming every field concerned.
 */
export function readBody(body: Readonly<Record<string, unknown>>, inputs: readonly Field[]): AskedBody {
  const { [dayInput]: day, ...given } = body;
  return {
    rows: readRow(
      given,
      inputs.filter(({ name }) => name !== dayInput),
    ),
    day,
  };
}

function readRow(body: Readonly<Record<string, unknown>>, inputs: readonly Field[]): Rows {
  const types = new Map<string, LogicalType>(inputs.map(({ name, type }) => [name, type]));
  for (const name of echoed) types.set(name, 'string');
  const unknown = Object.keys(body).filter((name) => !types.has(name));
  if (unknown.length > 0)
    throw refuse(
      'unknown_input',
      `this version has no input ${listed(unknown)}; it takes ${listed([...types.keys(), dayInput])}`,
      {
        problems: unknown
          .slice(0, fieldsTold)
          .map((name) => ({ at: pointer(name), message: 'is not an input of this version' })),
      },
    );
  const isGiven = (name: string) => Object.hasOwn(body, name) && body[name] !== undefined && body[name] !== null;
  const missing = inputs.filter(({ name, required }) => required && !isGiven(name));
  if (missing.length > 0)
    throw refuse('missing_input', `${listed(missing.map(({ name }) => name))}: required by this version`, {
      problems: missing
        .slice(0, fieldsTold)
        .map(({ name }) => ({ at: pointer(name), message: 'is required by this version' })),
    });
  const columns = new Map<string, Column>();
  const problems: Problem[] = [];
  for (const name of echoed) {
    const value = body[name];
    if (typeof value === 'string' && value.length > echoedLengthMax)
      problems.push({
        at: pointer(name),
        message: `must have at most ${echoedLengthMax} characters, and has ${value.length}`,
      });
  }
  const isVector = (name: string) => inputs.some((field) => field.name === name && field.format === vectorFormat);
  for (const [name, value] of Object.entries(body)) {
    const given = Array.isArray(value) && isVector(name) ? packList(value) : { text: value };
    const column = 'problem' in given ? given.problem : columnOf(types.get(name)!, given.text);
    if (typeof column === 'string') problems.push({ at: pointer(name), message: column });
    else columns.set(name, column);
  }
  const rows = { rows: 1, columns };
  for (const { column, message } of problems.length > 0 ? [] : vectorProblems(rows, inputs))
    problems.push({ at: pointer(column), message });
  if (problems.length > 0)
    throw refuse('invalid_input', `${problems[0].at.slice(1)}: ${problems[0].message}`, { problems });
  return rows;
}

function listed(names: readonly string[]): string {
  const told = names.slice(0, fieldsTold).map(shorten);
  return names.length > fieldsTold ? `${told.join(', ')} and ${names.length - fieldsTold} more` : told.join(', ');
}

function pointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Encodes a list of numbers as the text that a file would hold. */
function packList(list: readonly unknown[]): { readonly text: string } | { readonly problem: string } {
  const vector = vectorOf(list);
  return typeof vector === 'string' ? { problem: vector } : { text: encodeVector(vector) };
}

const emptyText: Column = { kind: 'text', codes: Int32Array.of(-1), dictionary: [] };
const firstCode = Int32Array.of(0);

/** A column of one value; a text says what is wrong with the value. */
function columnOf(type: LogicalType, value: unknown): Column | string {
  const isTime = type === 'date' || type === 'timestamp' || type === 'time';
  const kind = isTime ? 'time' : 'number';
  if (value === null) return type === 'string' ? emptyText : { kind, values: Float64Array.of(Number.NaN) };
  if (type === 'string') {
    if (typeof value !== 'string') return misfit(type, value);
    return { kind: 'text', codes: firstCode, dictionary: [value] };
  }
  let number = Number.NaN;
  if (typeof value === 'boolean' && type === 'boolean') number = Number(value);
  else if (typeof value === 'number' && !isTime) number = value;
  else if (typeof value === 'string' && isTime) {
    const bytes = Buffer.from(value);
    number = readValue(type, bytes, 0, bytes.length);
  }
  if (!fits(type, number)) return misfit(type, value);
  return { kind, values: Float64Array.of(number) };
}

/**
 * Why a value of a JSON body is not of a type. A value that is no string is named by its kind and shown without quotes.
 */
function misfit(type: LogicalType, value: unknown): string {
  if (typeof value === 'string') return mismatch(type, value);
  const text = JSON.stringify(value);
  const kind = typeof value === 'number' ? 'the number ' : Array.isArray(value) ? 'the list ' : '';
  return mismatch(type, text, `${kind}${shorten(text)}`);
}
