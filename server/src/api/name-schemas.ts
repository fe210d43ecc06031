import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** Schemas by the titles that they had. */
export type NamedSchemas = Map<string, Json>;

/**
 * The same document with each schema that has a title replaced by a reference to a component of that name. The schema
 * itself is added to `named`, without its examples, which operations show. Throws where two that differ have one title.
 */
export function nameSchemas<T>(document: T, named: NamedSchemas): T {
  return replaced(document, named) as T;
}

function replaced(value: unknown, named: NamedSchemas): unknown {
  if (Array.isArray(value)) return value.map((part) => replaced(part, named));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(
    // What an example has for a title names no schema.
    Object.entries(value).map(([key, part]) => [key, key.startsWith('example') ? part : replaced(part, named)]),
  );
  const { title, examples: _, ...schema } = parts;
  if (typeof title !== 'string') return parts;
  const known = named.get(title);
  if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas that differ are called ${title}`);
  named.set(title, schema);
  return { $ref: `#/components/schemas/${title}` };
}
