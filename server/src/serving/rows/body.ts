import { refuse } from '../../errors.ts';
import type { Problem } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import { isAbsent, jsonMismatch, readJsonValue } from '../../lib/files/json-value.ts';
import { type ColumnRequest, missingTexts } from '../../lib/files/table.ts';
import { shorten } from '../../lib/files/values.ts';
import { encodeVector, vectorFormat, vectorOf, vectorProblems } from '../../ml/version/given-vectors.ts';
import { tellInputReason } from '../../ml/version/input-reasons.ts';
import { formOf, type MissingInputs } from '../../ml/version/input-requests.ts';
import { aheadProblems, formatProblems, rangeProblems } from '../../ml/version/input-values.ts';
import { namesOf } from '../../ml/version/other-names.ts';
import type { Field } from '../../ml/version/schema.ts';
import { dayInput, echoed, echoedLengthMax } from '../../ml/version/schema.ts';

/** Most fields that a refusal names. */
const fieldsTold = 20;

type Body = Readonly<Record<string, unknown>>;

/** What a JSON body asks for: one row to predict, and its reference date as it stands in the body, not yet checked. */
type AskedBody = {
  readonly rows: Rows;
  readonly day: unknown;
  /** The body as it is to be kept: a number that came as a text is a number, by which an erasure finds it. */
  readonly kept: Body;
};

/**
 * Reads a JSON body for a version with these inputs. Values convert as those of a file do: a number, a date or a
 * boolean may be a text, and a number stands for its text. A field that the body lacks is missing; so is null, an empty
 * text, and what `missing` lists for the input. A required input that is nullable must be there, and may be missing in
 * this sense: it is not known then. What dates a new row must not lie after `today`, which is the last microsecond of
 * the day it is, and is required unless there is a reference date. Throws Failure 'unknown_input', 'missing_input',
 * 'invalid_input', 'reference_date_in_future', each naming every field concerned. A field may have another name of its
 * input, and is kept under the input's own; an input under two names is 'invalid_input'.
 */
export function readBody(asked: Body, inputs: readonly Field[], missing: MissingInputs, today: number): AskedBody {
  const { body, sentAs } = underOwnNames(asked, inputs);
  const { [dayInput]: day, ...given } = body;
  const rows = readRow(
    given,
    inputs.filter(({ name }) => name !== dayInput),
    missing,
    { isDayGiven: day !== undefined && day !== null, today, pointer: (name) => pointerTo(sentAs.get(name) ?? name) },
  );
  return { rows, day, kept: keptOf(body, rows) };
}

/** The body with its fields under the own names of the inputs; `sentAs` has the others as they were sent. */
function underOwnNames(body: Body, inputs: readonly Field[]): { body: Body; sentAs: ReadonlyMap<string, string> } {
  const sentAs = new Map<string, string>();
  for (const input of inputs) {
    const { name } = input;
    const sent = namesOf(input).filter((one) => Object.hasOwn(body, one));
    if (sent.length > 1)
      throw refuse('invalid_input', `${listed(sent)} are names of one input: send one of them`, {
        problems: sent.map((one) => ({
          at: pointerTo(one),
          message: `is a name of ${shorten(name)}, which is given twice`,
        })),
      });
    if (sent.length === 1 && sent[0] !== name) sentAs.set(name, sent[0]);
  }
  if (sentAs.size === 0) return { body, sentAs };
  const ownOf = new Map(Array.from(sentAs, ([own, sent]) => [sent, own]));
  return {
    body: Object.fromEntries(Object.entries(body).map(([name, value]) => [ownOf.get(name) ?? name, value])),
    sentAs,
  };
}

function keptOf(body: Body, { columns }: Rows): Body {
  const numbers: Record<string, number> = {};
  for (const [name, column] of columns)
    if (column.kind === 'number' && typeof body[name] === 'string' && !Number.isNaN(column.values[0]))
      numbers[name] = column.values[0];
  return { ...body, ...numbers };
}

function readRow(
  body: Body,
  inputs: readonly Field[],
  missing: MissingInputs,
  {
    isDayGiven,
    today,
    pointer,
  }: { readonly isDayGiven: boolean; readonly today: number; readonly pointer: (name: string) => string },
): Rows {
  const requests = new Map<string, ColumnRequest>(
    inputs.map((input) => [input.name, { name: input.name, type: input.type, ...formOf(input) }]),
  );
  for (const name of echoed) requests.set(name, { name, type: 'string' });
  const unknown = Object.keys(body).filter((name) => !requests.has(name));
  if (unknown.length > 0)
    throw refuse(
      'unknown_input',
      `this version has no input ${listed(unknown)}; it takes ${listed([...requests.keys(), dayInput])}`,
      {
        problems: unknown
          .slice(0, fieldsTold)
          .map((name) => ({ at: pointer(name), message: 'is not an input of this version' })),
      },
    );
  /** The value of a field; null where it is missing. */
  const givenFor = (name: string): unknown => {
    const value = Object.hasOwn(body, name) ? (body[name] ?? null) : null;
    // What is copied to the answer is not read: an empty text is copied too.
    if (isEchoed(name)) return value;
    const texts = Object.hasOwn(missing, name) ? { ...requests.get(name)!, missing: missing[name] } : null;
    return isAbsent(value, texts && missingTexts(texts)) ? null : value;
  };
  const isGiven = ({ name, nullable }: Field) =>
    nullable ? Object.hasOwn(body, name) && body[name] !== undefined : givenFor(name) !== null;
  const lacking = inputs.filter((input) => input.required && !isGiven(input) && !(input.dates_row && isDayGiven));
  if (lacking.length > 0) {
    const nullable = lacking.filter(({ nullable }) => nullable).map(({ name }) => name);
    const dating = lacking.filter(({ dates_row }) => dates_row).map(({ name }) => name);
    const hint =
      (nullable.length === 0 ? '' : `; send null for what is not known of ${listed(nullable)}`) +
      (dating.length === 0 ? '' : `; ${listed(dating)} dates the row, or ${dayInput} does`);
    throw refuse('missing_input', `${listed(lacking.map(({ name }) => name))}: required by this version${hint}`, {
      problems: lacking.slice(0, fieldsTold).map((input) => ({ at: pointer(input.name), message: lackOf(input) })),
    });
  }
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
  for (const name of Object.keys(body)) {
    const value = givenFor(name);
    const given = Array.isArray(value) && isVector(name) ? packList(value) : { text: value };
    const column = 'problem' in given ? { message: given.problem } : columnOf(requests.get(name)!, given.text);
    if ('message' in column) problems.push({ at: pointer(name), ...column });
    else columns.set(name, column);
  }
  const rows = { rows: 1, columns };
  if (problems.length === 0)
    for (const { column, reason } of [vectorProblems, rangeProblems, formatProblems].flatMap((of) => of(rows, inputs)))
      problems.push({ at: pointer(column), ...tellInputReason(reason) });
  if (problems.length > 0)
    throw refuse('invalid_input', `${problems[0].at.slice(1)}: ${problems[0].message}`, { problems });
  const [ahead] = aheadProblems(rows, inputs, today);
  if (ahead) {
    const { column } = ahead;
    const told = tellInputReason(ahead.reason);
    throw refuse('reference_date_in_future', `${column}: ${told.message}`, {
      problems: [{ at: pointer(column), ...told }],
    });
  }
  return rows;
}

function lackOf({ nullable, dates_row }: Field): string {
  if (nullable) return 'is required by this version; null says that it is not known';
  return dates_row
    ? `is required by this version: it dates the row, unless ${dayInput} is given`
    : 'is required by this version';
}

function isEchoed(name: string): boolean {
  return (echoed as readonly string[]).includes(name);
}

function listed(names: readonly string[]): string {
  const told = names.slice(0, fieldsTold).map(shorten);
  return names.length > fieldsTold ? `${told.join(', ')} and ${names.length - fieldsTold} more` : told.join(', ');
}

export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Encodes a list of numbers as the text that a file would hold. */
function packList(list: readonly unknown[]): { readonly text: string } | { readonly problem: string } {
  const vector = vectorOf(list);
  return typeof vector === 'string' ? { problem: vector } : { text: encodeVector(vector) };
}

const emptyText: Column = { kind: 'text', codes: Int32Array.of(-1), dictionary: [] };
const firstCode = Int32Array.of(0);

/** A column of one value, or what is wrong with the value. */
function columnOf({ type, form }: ColumnRequest, value: unknown): Column | Pick<Problem, 'message' | 'because'> {
  const kind = type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number';
  if (value === null) return type === 'string' ? emptyText : { kind, values: Float64Array.of(Number.NaN) };
  if (type === 'string') {
    if (typeof value === 'object') return tellInputReason(jsonMismatch(type, value).because);
    // What is larger than any number reads as infinite.
    const isRounded = typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
    if (isRounded && !Number.isSafeInteger(value))
      return { message: `${jsonMismatch(type, value).reason}, which JSON has rounded: send it as a text` };
    return { kind: 'text', codes: firstCode, dictionary: [String(value)] };
  }
  const number = readJsonValue(type, value, form);
  return Number.isNaN(number)
    ? tellInputReason(jsonMismatch(type, value, form).because)
    : { kind, values: Float64Array.of(number) };
}
