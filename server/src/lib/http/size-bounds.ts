// How much a value may hold, counted before each part of it is held against the schema.
import type { TSchema } from 'typebox';
import type { Problem } from '../failure.ts';

/** Keyword of a schema: most bytes of a value written as JSON. For objects whose fields a caller chooses. */
export const bytesMax = 'x-max-bytes';

/** The problems of a value that holds too much, at most a few; `at` is its JSON pointer. */
export type SizeCheck = (value: unknown, at: string) => readonly Problem[];

/** Most unknown fields of an object that the check of its schema is left to name. */
const unknownMax = 20;

const none: readonly Problem[] = [];

type Sized = {
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly TSchema[];
  readonly [bytesMax]?: number;
};

/**
 * Returns the check of what a schema bounds in number or bytes: items of arrays, fields of objects, and `bytesMax`. A
 * schema that bounds nothing gives null. Its cost follows from the bounds and not from the value: a list that is too
 * long is refused by its length.
 */
export function sizeCheckOf(schema: TSchema): SizeCheck | null {
  const sized = schema as Sized;
  const checks = [ofAlternatives(sized), ofList(sized), ofFields(sized), ofBytes(sized)].filter(
    (check) => check !== null,
  );
  if (checks.length === 0) return null;
  return (value, at) => {
    for (const check of checks) {
      const found = check(value, at);
      if (found.length > 0) return found;
    }
    return none;
  };
}

/** A value may hold what one of the alternatives lets it hold. */
function ofAlternatives({ anyOf }: Sized): SizeCheck | null {
  const checks = anyOf?.map(sizeCheckOf);
  if (checks === undefined || checks.every((check) => check === null)) return null;
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return none;
    const found = checks.filter((check) => check !== null).map((check) => check(value, at));
    return found.find((problems) => problems.length > 0) ?? none;
  };
}

function ofList({ maxItems, items }: Sized): SizeCheck | null {
  const each = items === undefined ? null : sizeCheckOf(items);
  if (maxItems === undefined && each === null) return null;
  return (value, at) => {
    if (!Array.isArray(value)) return none;
    if (maxItems !== undefined && value.length > maxItems)
      return [{ at, message: `must not have more than ${maxItems} items, and has ${value.length}` }];
    if (each === null) return none;
    for (const [position, item] of value.entries()) {
      const found = each(item, `${at}/${position}`);
      if (found.length > 0) return found;
    }
    return none;
  };
}

function ofFields({ maxProperties, properties = {}, additionalProperties }: Sized): SizeCheck | null {
  const known = Object.keys(properties);
  const isClosed = additionalProperties === false;
  const checks = known.flatMap((name) => {
    const check = sizeCheckOf(properties[name]);
    return check === null ? [] : [{ name, check }];
  });
  if (maxProperties === undefined && !isClosed && checks.length === 0) return null;
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return none;
    const names = Object.keys(value);
    if (maxProperties !== undefined && names.length > maxProperties)
      return [{ at, message: `must not have more than ${maxProperties} fields, and has ${names.length}` }];
    // A few unknown fields are told by the check of the schema, with whatever else is wrong.
    if (isClosed && names.length > known.length + unknownMax)
      return names
        .filter((name) => !Object.hasOwn(properties, name))
        .slice(0, unknownMax)
        .map((name) => ({ at: `${at}/${pointerPart(name)}`, message: 'is not a field here' }));
    for (const { name, check } of checks) {
      const found = check((value as Readonly<Record<string, unknown>>)[name], `${at}/${name}`);
      if (found.length > 0) return found;
    }
    return none;
  };
}

function ofBytes({ [bytesMax]: most }: Sized): SizeCheck | null {
  if (most === undefined) return null;
  return (value, at) => {
    const bytes = value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
    return bytes > most ? [{ at, message: `must not be more than ${most} bytes of JSON, and is ${bytes}` }] : none;
  };
}

/** A name as part of a JSON pointer. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
