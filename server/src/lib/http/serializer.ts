import buildSerializer from 'fast-json-stringify';

type Schema = { readonly [keyword: string]: unknown };

/** Returns what writes answers of a schema as JSON. */
export function serializerOf(schema: object): (answer: unknown) => string {
  return buildSerializer(withNullable(schema) as object);
}

/**
 * The schema with `nullable` where it has a choice between a type and null: which of the two a value is shows by
 * itself. For any other choice a validator is compiled at the first answer: one for each value that may be null makes
 * the first answers of all routes take seven seconds of a processor instead of one.
 */
function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = schema as Schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, withNullable(value)]));
  if (!Array.isArray(anyOf)) return inner;
  const [type, ...others] = anyOf.filter((each: Schema) => each.type !== 'null');
  const isPlain = anyOf.length === 2 && others.length === 0 && typeof type?.type === 'string';
  return isPlain
    ? { ...inner, ...(withNullable(type) as Schema), nullable: true }
    : { ...inner, anyOf: anyOf.map(withNullable) };
}
