/** Whatever a request may bring has a bound that the API document tells. */
import { expect, test } from 'vitest';
import { documentApi } from '../src/http.ts';

// biome-ignore lint/suspicious/noExplicitAny: as deep as the document is
type Json = any;

/** The places of a schema at which a caller may send as much as they like. */
function unbounded(schema: Json, at: string, schemas: Json): string[] {
  if (schema.$ref !== undefined) return unbounded(schemas[schema.$ref.split('/').at(-1)], at, schemas);
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  if (parts.length > 0) return parts.flatMap((part) => unbounded(part, at, schemas));
  const has = (...names: string[]) => names.some((name) => schema[name] !== undefined);
  switch (schema.type) {
    case 'string':
      // The bytes of a file have no bound; they are stored as they come.
      return has('maxLength', 'pattern', 'enum', 'const', 'contentMediaType') ? [] : [`${at}: a text of any length`];
    case 'array':
      return [
        ...(has('maxItems') ? [] : [`${at}: a list of any length`]),
        ...unbounded(schema.items, `${at}/0`, schemas),
      ];
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
        unbounded(field, `${at}/${name}`, schemas),
      );
      const isOfFiles = schema.additionalProperties?.contentMediaType !== undefined;
      const isBounded =
        schema.additionalProperties === false || ((has('x-max-bytes') || isOfFiles) && has('maxProperties'));
      return isBounded ? fields : [...fields, `${at}: an object of any size`];
    }
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return [];
    default:
      return has('enum', 'const') ? [] : [`${at}: anything`];
  }
}

function unboundedOf({ paths, components }: Json): string[] {
  return Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).flatMap(([method, { parameters = [], requestBody }]) => [
      ...parameters
        // All headers together have 16 kB.
        .filter((parameter: Json) => parameter.in !== 'header' || parameter.name === 'Idempotency-Key')
        .flatMap((parameter: Json) =>
          unbounded(parameter.schema, `${method} ${path} ${parameter.in} ${parameter.name}`, components.schemas),
        ),
      ...Object.values<Json>(requestBody?.content ?? {}).flatMap(({ schema }) =>
        schema === undefined ? [] : unbounded(schema, `${method} ${path} body `, components.schemas),
      ),
    ]),
  );
}

test('every text, list and object of a request has a bound', async () => {
  expect(unboundedOf(await documentApi())).toEqual([]);
});

test('what has no bound is found', () => {
  const properties = { a: { type: 'array', items: { type: 'string' } }, b: {}, c: { type: 'object' } };
  const schema = { type: 'object', additionalProperties: false, properties };
  const paths = { '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } } };
  expect(unboundedOf({ paths, components: { schemas: {} } })).toEqual([
    'post /x body /a: a list of any length',
    'post /x body /a/0: a text of any length',
    'post /x body /b: anything',
    'post /x body /c: an object of any size',
  ]);
});
