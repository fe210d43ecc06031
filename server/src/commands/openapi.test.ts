import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { permissionNames } from '../access/authorize.ts';
import { errorCodes } from '../errors.ts';
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

test('the document is one of OpenAPI 3.1', () => {
  expectMembers(document, ['openapi', 'info'], ['paths', 'components', 'security', 'tags', 'servers']);
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expectMembers(document.info, ['title', 'version'], ['summary', 'description', 'contact', 'license']);
  expect(document.security).toEqual([{ key: [] }]);
  expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(errorCodes));
  for (const path of Object.keys(document.paths)) expect(path).toMatch(/^(\/([a-z0-9_-]+|\{[a-z_]+\}))+$/);
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const reference of referencesIn(document)) {
    const parts = reference.split('/');
    expect(parts.shift(), reference).toBe('#');
    const target = parts.reduce((at: Json, part) => at?.[part], document);
    expect(target, reference).toBeDefined();
  }
});

describe.each(operations)('%s', (name, operation) => {
  test('is an operation', () => {
    const optional = ['description', 'tags', 'parameters', 'requestBody', 'deprecated', 'security'];
    expectMembers(operation, ['operationId', 'summary', 'responses', 'x-permission'], optional);
    expect(operation.operationId).toMatch(/^[a-zA-Z0-9]+\.[a-zA-Z0-9_]+$/);
    const permission = operation['x-permission'];
    const isOpen = permission === 'public' || permission === 'signed';
    expect(isOpen || permissionNames.includes(permission)).toBe(true);
    expect(operation.security).toEqual(isOpen ? [] : undefined);
    expectParameters(name, operation.parameters ?? []);
    if (operation.requestBody) {
      expectMembers(operation.requestBody, ['content'], ['required', 'description']);
      expectContent(operation.requestBody.content);
    }
  });

  test('says what it answers, and how it refuses', () => {
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      expect(status).toMatch(/^([2345]\d\d|default)$/);
      expectMembers(response, ['description'], ['content', 'headers']);
      expectContent(response.content ?? {});
    }
    expect(operation.responses.default.content['application/problem+json'].schema).toEqual({
      $ref: '#/components/schemas/Problem',
    });
    expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
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

function expectContent(content: Json): void {
  for (const [type, media] of Object.entries<Json>(content)) {
    expect(type).toMatch(/^(\*|[a-z]+)\/(\*|[a-z.+-]+)$/);
    expectMembers(media, [], ['schema', 'example', 'examples']);
    if (media.schema) expectSchema(media.schema);
    if (media.example !== undefined)
      expect(Compile(media.schema as TSchema).Check(media.example), JSON.stringify(media.example)).toBe(true);
  }
}

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];
const keywords = [
  ...['type', 'description', 'title', 'examples', 'default', 'enum', 'const', '$ref', 'anyOf', 'allOf', 'oneOf'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'format', 'pattern'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  // An extension, which JSON Schema leaves to us: what a pattern allows, in words.
  allows,
];

/** JSON Schema 2020-12, as far as ours goes: no word of OpenAPI 3.0 is left in it. */
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
