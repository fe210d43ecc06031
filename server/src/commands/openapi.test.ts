import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { permissionNames } from '../access/authorize.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { formType } from '../lib/http/form.ts';
import { multipartType } from '../lib/http/multipart.ts';
import { failureStatus } from '../lib/http/problem.ts';
import { bytesMax } from '../lib/http/size-bounds.ts';
import { allows } from '../lib/http/validate.ts';
import { makeReference } from './openapi.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const made = await makeReference();
// biome-ignore lint/suspicious/noExplicitAny: the test finds out what the document has
type Json = any;
const document: Json = JSON.parse(made['openapi.json']);
const operations: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
);

test.each(Object.keys(made))('%s is what npm run openapi makes of the source', (name) => {
  expect(readFileSync(`${root}${name}`, 'utf8') === made[name], `${name} is old: run npm run openapi`).toBe(true);
});

test('the document is one of OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.security).toEqual([{ key: [] }, { session: [] }]);
  expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
  for (const path of Object.keys(document.paths)) expect(path).toMatch(/^(\/([a-z0-9_-]+|\{[a-z_]+\}))+$/);
  for (const schema of Object.values(document.components.schemas)) expectSchema(schema);
});

test('the document refers to all of its components and to nothing else', () => {
  const { schemas, responses, examples } = document.components;
  const kept = Object.entries({ schemas, responses, examples }).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...new Set(referencesIn(document))].sort()).toEqual(kept.sort());
});

test('what a refusal may carry is the closed list of codes', () => {
  expect(document.components.schemas.ErrorCode.enum).toEqual(Object.keys(errorCodes));
  expect(document.components.schemas.Problem.properties.code).toEqual({ $ref: '#/components/schemas/ErrorCode' });
});

/** The verbs of operation names, so that `batches.create` becomes `client.batches.create(…)` in generated clients. */
const verbs = [
  ...['accept', 'activate', 'add', 'adopt', 'archive', 'begin', 'check', 'confirm', 'count', 'create', 'deactivate'],
  ...['download', 'end', 'export', 'find', 'get', 'interrupt', 'leave', 'list', 'mark', 'reauthenticate', 'receive'],
  ...['delete', 'reject', 'replay', 'reveal', 'send'],
  ...['remove', 'rename', 'request', 'resend', 'revoke', 'rotate', 'score', 'set', 'unarchive', 'update', 'upload'],
  ...['unsubscribe', 'verify', 'watch'],
];

test('an operation is called once by what it is of and by a verb, in camelCase', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  const style = new RegExp(`^[a-z][a-zA-Z0-9]*\\.(${verbs.join('|')})([A-Z][a-zA-Z0-9]*)?$`);
  for (const id of ids) expect(id).toMatch(style);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an object that comes twice has a name, and is referred to by it', () => {
  const named = Object.values<Json>(document.components.schemas);
  const inlined = [...named.flatMap((schema) => within(schema)), ...within(document.paths)].flatMap(objectsIn);
  const twice = inlined.filter(
    (schema, at) =>
      named.some((other) => isSameSchema(schema, other)) ||
      inlined.slice(0, at).some((other) => isSameSchema(schema, other)),
  );
  expect(twice).toEqual([]);
});

describe.each(operations)('%s', (name, operation) => {
  test('is an operation', () => {
    const optional = ['description', 'tags', 'parameters', 'requestBody', 'deprecated', 'security'];
    expectMembers(operation, ['operationId', 'summary', 'responses', 'x-permission'], optional);
    const permission = operation['x-permission'];
    const isOpen = permission === 'public' || permission === 'signed';
    const known: readonly string[] = ['user', ...permissionNames];
    expect(isOpen || [permission].flat().every((name: string) => known.includes(name))).toBe(true);
    const ofPerson = [{ session: [] }];
    if (isOpen || permission === 'user') expect(operation.security).toEqual(isOpen ? [] : ofPerson);
    else expect([undefined, ofPerson]).toContainEqual(operation.security);
    expectParameters(name, operation.parameters ?? []);
  });

  test('shows what it takes and what it answers', () => {
    const answers = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) < 300);
    for (const { content = {} } of [operation.requestBody ?? {}, ...answers.map(([, answer]) => answer)])
      for (const [type, media] of Object.entries<Json>(content)) expectExample(type, media);
  });

  test('says by which codes it refuses', () => {
    const { default: other, ...responses } = operation.responses;
    expect(other).toEqual({ $ref: '#/components/responses/Refusal' });
    const codes = Object.entries<Json>(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) => codesOf(response).map((code) => ({ code, status: Number(status) })));
    for (const { code, status } of codes) expect(failureStatus[errorCodes[code][0]].status, code).toBe(status);
    expect(codes.map(({ code }) => code)).toEqual(expect.arrayContaining(['internal', 'unavailable']));
  });
});

function expectMembers(value: Json, required: readonly string[], optional: readonly string[]): void {
  const known = Object.keys(value);
  expect(known).toEqual(expect.arrayContaining([...required]));
  expect(known.filter((name) => !required.includes(name) && !optional.includes(name))).toEqual([]);
}

function expectParameters(name: string, parameters: readonly Json[]): void {
  const inPath = [...name.matchAll(/\{([a-z_]+)\}/g)].map(([, parameter]) => parameter);
  expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(inPath);
  expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length);
  for (const parameter of parameters) {
    expectMembers(parameter, ['name', 'in', 'schema'], ['required', 'description', 'example']);
    expect(['path', 'query', 'header']).toContain(parameter.in);
    if (parameter.in === 'path') expect(parameter.required).toBe(true);
    expectSchema(parameter.schema);
  }
}

/** Checks a media type: JSON has a named schema and a fitting example, text has an example, and bytes have neither. */
function expectExample(type: string, media: Json): void {
  if (type !== 'application/json' && type !== formType && type !== multipartType) {
    const isText = type.startsWith('text/') || type.endsWith('+xml');
    return void expect(media).toEqual(isText ? { example: expect.stringMatching(/./) } : {});
  }
  const name = media.schema.$ref.split('/').at(-1);
  expect(media).toEqual({
    schema: { $ref: `#/components/schemas/${name}` },
    examples: { [name]: { $ref: `#/components/examples/${name}` } },
  });
  const { value } = document.components.examples[name];
  const schema = resolved(media.schema);
  expect([...Compile(schema as TSchema).Errors(value)], JSON.stringify(value)).toEqual([]);
  expect(undeclared(schema, value), `${name} has no such fields`).toEqual([]);
}

/** Returns the fields of an example that its schema does not declare. */
function undeclared(schema: Json, value: Json): string[] {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) return schema.items ? value.flatMap((part) => undeclared(schema.items, part)) : [];
  if (typeof value !== 'object' || value === null) return [];
  const properties = Object.assign({}, schema.properties, ...parts.map((part) => part.properties));
  const isOpen = Object.keys(properties).length === 0 || (schema.additionalProperties ?? false) !== false;
  return Object.entries(value).flatMap(([name, part]) =>
    Object.hasOwn(properties, name) ? undeclared(properties[name], part) : isOpen ? [] : [name],
  );
}

function codesOf(response: Json): ErrorCode[] {
  const { schema } = at(response).content['application/problem+json'];
  return schema.allOf[1].properties.code.enum;
}

/** Resolves a reference; returns any other value unchanged. */
function at(value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const parts: string[] = value.$ref.split('/').slice(1);
  return parts.reduce((within: Json, part) => within[part], document);
}

/** Returns a schema with its references resolved. */
function resolved(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries<Json>(at(schema)).map(([name, part]) => [name, resolved(part)]));
}

const within = (value: Json): Json[] =>
  Object.values<Json>(value).filter((part) => typeof part === 'object' && part !== null);

/** Returns every object with its own fields within a value, including the value itself. */
function objectsIn(value: Json): Json[] {
  const inner = within(value).flatMap(objectsIn);
  return value.type === 'object' && value.properties ? [value, ...inner] : inner;
}

/** Whether two schemas are equal apart from their descriptions. */
function isSameSchema({ description: _, ...one }: Json, { description: __, ...other }: Json): boolean {
  return isDeepStrictEqual(one, other);
}

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];
const keywords = [
  ...['type', 'description', 'title', 'examples', 'default', 'enum', 'const', '$ref', 'anyOf', 'allOf', 'oneOf'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'format', 'pattern'],
  'contentMediaType',
  ...['minimum', 'exclusiveMinimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'],
  // Extensions of ours to JSON Schema: what a pattern allows, in words, and how many bytes an object may have.
  allows,
  bytesMax,
];

/**
 * Checks that a schema only uses the keywords of JSON Schema 2020-12 that we use, and none that only OpenAPI 3.0 has.
 */
function expectSchema(schema: Json): void {
  expect(Object.keys(schema).filter((name) => !keywords.includes(name))).toEqual([]);
  if (schema.type !== undefined) expect(types).toContain(schema.type);
  for (const name of schema.required ?? []) expect(Object.keys(schema.properties)).toContain(name);
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  for (const part of inner) expectSchema(part);
}

function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).flatMap(([name, part]) => (name === '$ref' ? [part] : referencesIn(part)));
}
