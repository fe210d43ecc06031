import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Failure, type Problem } from '../failure.ts';
import { nearestWord } from '../nearest-word.ts';
import { pointerPart, sizeCheckOf } from './size-bounds.ts';

export const problemsMax = 20;
Settings.Set({ maxErrors: problemsMax });

/**
 * Why a value that parses as JSON cannot be stored or passed on: NUL, or half of a surrogate pair; null when it can.
 * `text` is the JSON text.
 */
export function unkeepable(value: unknown, text: string): Failure | null {
  // In UTF-8 text, NUL and halves of surrogate pairs need an escape: texts without one need no walk.
  if (!/\\u(0000|[dD][89a-fA-F])/.test(text)) return null;
  const open: { value: unknown; at: string }[] = [{ value, at: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at } = next;
    const fault = typeof value === 'string' ? faultOf(value) : null;
    if (fault) return refusal(at, fault);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const fault = faultOf(name);
      if (fault) return refusal(at, `has a name that ${fault}`);
      open.push({ value: inner, at: `${at}/${pointerPart(name)}` });
    }
  }
  return null;
}

function faultOf(text: string): string | null {
  if (text.includes('\0')) return 'has the character NUL';
  return text.isWellFormed() ? null : 'has half of a surrogate pair, which is no character';
}

function refusal(at: string, message: string): Failure {
  const problems = [{ at, message }];
  return new Failure('malformed', `${at || 'the body'} ${message}`, { reason: 'malformed_json', problems });
}

/**
 * Returns the check of one part of a request. Numbers and booleans of paths and queries are read from their text first.
 */
export function validatorOf(schema: TSchema, part: string) {
  const validator = Compile(schema);
  const checkSize = part === 'body' ? sizeCheckOf(schema) : null;
  return (data: unknown): { value: unknown } | { error: Error } => {
    const value = part === 'body' ? data : readTexts(schema, (data ?? {}) as Texts);
    const place = part === 'body' ? '' : `/${part === 'querystring' ? 'query' : 'path'}`;
    // Naming what is wrong with each of a million items takes seconds, and holds everybody else meanwhile.
    const tooMuch = checkSize?.(value, '') ?? (part === 'querystring' ? repeatedIn(schema, data, place) : []);
    const isFit = tooMuch.length === 0 && validator.Check(value);
    const problems = isFit
      ? nulsIn(value, part, place)
      : tooMuch.length > 0
        ? tooMuch
        : pointersOf(schema, validator.Errors(value) as Iterable<Told>, place);
    if (isFit && problems.length === 0) return { value };
    const message = tellFirst(problems);
    return {
      error:
        part === 'body'
          ? new Failure('invalid', message, { problems, reason: 'schema_mismatch' })
          : new Failure('malformed', message, { problems, reason: 'invalid_parameter' }),
    };
  };
}

/** The first problem, and how many there are besides. */
function tellFirst([first, ...others]: readonly Problem[]): string {
  if (first === undefined) return 'the request does not fit its schema';
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see errors)`;
  return `${first.at || 'the body'}: ${first.message}${more}`;
}

type Texts = Readonly<Record<string, unknown>>;

/**
 * Converts parameters, which arrive as text: texts of parameters that are numbers or booleans are read as such when
 * they have that form.
 */
function readTexts(schema: TSchema, texts: Texts): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { readonly type?: unknown }>> };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = Object.hasOwn(properties, name) ? properties[name].type : undefined;
      if (typeof text !== 'string') return [name, text];
      // A whole number beyond this range would not be read as the one that was sent.
      if (type === 'integer' && !Number.isSafeInteger(Number(text))) return [name, text];
      if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return [name, Number(text)];
      if (type === 'boolean' && /^(true|false)$/.test(text)) return [name, text === 'true'];
      return [name, text];
    }),
  );
}

/** The parameters that came several times and take one value. */
function repeatedIn(schema: TSchema, given: unknown, place: string): Problem[] {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { readonly type?: unknown }>> };
  return Object.entries((given ?? {}) as Texts)
    .filter(([name, texts]) => Array.isArray(texts) && Object.hasOwn(properties, name))
    .filter(([name]) => properties[name].type !== 'array')
    .map(([name, texts]) => ({
      at: `${place}/${name}`,
      message: `came ${(texts as unknown[]).length} times: give it once`,
    }));
}

/** The parameters with a percent-encoded NUL, which no database stores. */
function nulsIn(value: unknown, part: string, place: string): Problem[] {
  if (part === 'body') return [];
  return Object.entries(value as object)
    .filter(([, text]) => typeof text === 'string' && text.includes('\0'))
    .map(([name]) => ({ at: `${place}/${name}`, message: 'has the character NUL' }));
}

/**
 * Annotation of a text's schema: what its pattern allows, in words that follow 'must be'. Messages show them in place
 * of the pattern.
 */
export const allows = 'x-allows';

type Told = {
  readonly keyword: string;
  /** The place in the schema, as a JSON pointer after `#`. */
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/**
 * The problems of a value as JSON pointers: one per place, and one per missing or unknown field. Fields that seem to be
 * misspelt come first, because others may be missing for that.
 */
function pointersOf(schema: TSchema, errors: Iterable<Told>, place: string): Problem[] {
  const found = new Map<string, Problem>();
  const allowed = new Map<string, unknown[]>();
  const types = new Map<string, Set<unknown>>();
  const misspelt = new Set<string>();
  const say = (at: string, message: string): void => {
    if (!found.has(at)) found.set(at, { at, message });
  };
  for (const { keyword, schemaPath, instancePath, message, params } of errors) {
    const at = `${place}${instancePath}`;
    // A field that is not in the schema is also reported as failing against `false`.
    if (keyword === 'additionalProperties') continue;
    if (keyword === 'const') allowed.set(at, [...(allowed.get(at) ?? []), params.allowedValue]);
    else if (keyword === 'enum') say(at, `must be one of ${(params.allowedValues as unknown[]).join(', ')}`);
    else if (keyword === 'anyOf' && allowed.has(at)) say(at, `must be one of ${allowed.get(at)!.join(', ')}`);
    // Of alternatives, the one of the value's type reports what is wrong within it. When none is of that type, the
    // message names the types of all.
    else if (keyword === 'anyOf' && [...found.keys()].some((other) => other.startsWith(`${at}/`))) found.delete(at);
    else if (keyword === 'anyOf' && types.has(at))
      found.set(at, { at, message: `must be ${[...types.get(at)!].join(' or ')}` });
    else if (keyword === 'type') {
      types.set(at, (types.get(at) ?? new Set()).add(params.type));
      say(at, message);
    } else if (keyword === 'required')
      for (const name of params.requiredProperties as string[]) say(`${at}/${pointerPart(name)}`, 'is required');
    else if (keyword === 'boolean') {
      const name = instancePath.slice(instancePath.lastIndexOf('/') + 1);
      const known = nearestField(name, fieldsAt(schema, schemaPath));
      if (known !== null) misspelt.add(at);
      say(at, known === null ? notAField : `${notAField}; did you mean ${known}?`);
    } else if (keyword === 'pattern') say(at, wordsOf(schema, schemaPath) ?? message);
    else say(at, message);
    if (found.size >= problemsMax) break;
  }
  const problems = [...found.values()];
  return [...problems.filter(({ at }) => misspelt.has(at)), ...problems.filter(({ at }) => !misspelt.has(at))];
}

const notAField = 'is not a field here';

/** The names that an object may have which takes no others; `path` is the place of what it says of others. */
function fieldsAt(schema: TSchema, path: string): readonly string[] {
  const { properties = {} } = (partAt(schema, path.split('/').slice(1, -1)) ?? {}) as { properties?: object };
  return Object.keys(properties);
}

/** The field that was probably meant: one written alike, or one that has the name as a word (`task`: `task_id`). */
function nearestField(name: string, fields: readonly string[]): string | null {
  return nearestWord(name, fields) ?? fields.find((field) => field.split('_').includes(name)) ?? null;
}

/** The words of `allows` at a place of the schema; null when there are none. */
function wordsOf(schema: TSchema, path: string): string | null {
  const words = (partAt(schema, path.split('/').slice(1)) as Record<string, unknown> | undefined)?.[allows];
  return typeof words === 'string' ? `must be ${words}` : null;
}

function partAt(schema: TSchema, names: readonly string[]): unknown {
  return names.reduce<unknown>((within, name) => (within as Record<string, unknown> | undefined)?.[name], schema);
}
