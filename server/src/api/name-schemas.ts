import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** Schemas by the titles they had. */
export type NamedSchemas = Map<string, Json>;

/**
 * Returns the document with each schema that has a title replaced by a reference to a component of that name. Adds the
 * schema to `named` without its examples, which operations show. Throws when two different schemas have the same title.
 */
export function nameSchemas<T>(document: T, named: NamedSchemas): T {
  return replaced(document, named) as T;
}

function replaced(value: unknown, named: NamedSchemas): unknown {
  if (Array.isArray(value)) return value.map((part) => replaced(part, named));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(
    // A title within an example does not name a schema.
    Object.entries(value).map(([key, part]) => [key, key.startsWith('example') ? part : replaced(part, named)]),
  );
  const { title, examples: _, ...schema } = parts;
  if (typeof title !== 'string') return parts;
  const known = named.get(title);
  if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas that differ are called ${title}`);
  named.set(title, schema);
  return { $ref: `#/components/schemas/${title}` };
}
