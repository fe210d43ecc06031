import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { multipartType } from '../lib/http/multipart.ts';
import { failureStatus } from '../lib/http/problem.ts';
import { type NamedSchemas, nameSchemas } from './name-schemas.ts';
import { problemContent } from './problem-schema.ts';
import type { RequestHeader, Route } from './route.ts';
import { problemsOf } from './route-problems.ts';
import { idempotencyKeyLengthMax } from './texts.ts';

type Json = Readonly<Record<string, unknown>>;
type Document = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components?: Json & { readonly schemas?: Json };
};
/** Components to which operations refer. */
type Shared = { readonly examples: Record<string, Json>; readonly responses: Record<string, Json> };

const headerTexts = {
  'Idempotency-Key': 'The same request again with the same key has one effect and one answer.',
  'Content-MD5': 'As declared; Content-Type too.',
  'If-Match': 'ETags, or *: change it only if it is one of these.',
  'If-None-Match': 'ETags, or *: go on only if it is none of these.',
  Range: 'One range of bytes.',
  'If-Range': 'The ETag that the range is of.',
  'Last-Event-ID': 'The id of the last event that arrived: the stream goes on after it.',
  'Tus-Resumable': 'The version of tus, 1.0.0, where the client speaks it.',
  'Upload-Length': 'How many bytes the file has, unless it was declared with them.',
  'Upload-Offset': 'The place in the file at which the part begins: as many bytes as have arrived.',
} as const satisfies Readonly<Record<RequestHeader, string>>;

const refusal = {
  description: 'Any other refusal: `code` says which, `errors` where.',
  content: problemContent(),
};

/**
 * Adds what the schemas of routes do not contain to the OpenAPI document: headers, bodies of bytes, refusals. A schema
 * with a title becomes a component of that name. Its first example is shown by each operation that takes or answers it.
 */
export function completeDocument(document: Document, routes: readonly Route[]): Document {
  const paths: Record<string, Record<string, Json>> = {};
  const shared: Shared = { examples: {}, responses: { Refusal: refusal } };
  for (const route of routes) {
    const method = route.method.toLowerCase();
    const known = document.paths[route.path][method];
    paths[route.path] = { ...paths[route.path], [method]: completeOperation(known, route, shared) };
  }
  const schemas: NamedSchemas = new Map();
  const named = nameSchemas({ paths, responses: sorted(shared.responses) }, schemas);
  return {
    ...document,
    paths: named.paths,
    components: {
      ...document.components,
      schemas: sorted({ ...document.components?.schemas, ...Object.fromEntries(schemas) }),
      responses: named.responses,
      examples: sorted(shared.examples),
    },
  };
}

function completeOperation(known: Json, route: Route, shared: Shared): Json {
  const headers: readonly RequestHeader[] = [
    ...(route.creates ? (['Idempotency-Key'] as const) : []),
    ...(route.headers ?? []),
  ];
  const parameters = [
    ...((known.parameters as Json[] | undefined) ?? []),
    ...headers.map((name) => ({
      in: 'header',
      name,
      description: headerTexts[name],
      required: name === 'Content-MD5' || name === 'Upload-Offset',
      schema: { type: 'string', ...(name === 'Idempotency-Key' && { maxLength: idempotencyKeyLengthMax }) },
    })),
  ];
  return {
    ...known,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: withParts(withExample(known.requestBody as Json, route.body, shared), route, shared) }
      : {}),
    ...(route.streams ? { requestBody: { required: true, content: { '*/*': {} } } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.keys(route.answers)
          .filter((status) => Number(status) < 400)
          .map((status) => [status, responseOf(known, route, status, shared)]),
      ),
      ...Object.fromEntries(
        [...problemsOf(route)].map(([status, codes]) => [status, refusalOf(status, codes, shared)]),
      ),
      default: { $ref: '#/components/responses/Refusal' },
    },
  };
}

function responseOf(known: Json, route: Route, status: string, shared: Shared): Json {
  const description = STATUS_CODES[status];
  const schema = route.answers[Number(status)];
  const { content } = (known.responses as Record<string, Json>)[status] ?? {};
  if (schema) return withExample({ description, content }, schema, shared);
  const hasBody = route.produces !== undefined && Number(status) < 300 && Number(status) !== 204;
  const { example } = route;
  return {
    description,
    ...(hasBody ? { content: { [route.produces!]: example === undefined ? {} : { example } } } : {}),
  };
}

/** A JSON body with only the first example of its schema. */
function withExample(body: Json, schema: TSchema, { examples }: Shared): Json {
  // A body is of one type: JSON, or a form.
  const [[type, media]] = Object.entries(body.content as Record<string, Json>);
  const { example: _, examples: __, ...rest } = media;
  const { title, examples: [example] = [] } = schema as { title?: string; examples?: readonly unknown[] };
  if (title === undefined || example === undefined) return { ...body, content: { [type]: rest } };
  examples[title] = { value: example };
  const named = { [title]: { $ref: `#/components/examples/${title}` } };
  return { ...body, content: { [type]: { ...rest, examples: named } } };
}

/** The body of a request, which may also be of parts. */
function withParts(body: Json, { parts }: Route, shared: Shared): Json {
  if (parts === undefined) return body;
  const { content } = withExample({ content: { [multipartType]: { schema: parts } } }, parts, shared);
  return { ...body, content: { ...(body.content as Json), ...(content as Json) } };
}

/** The response for the refusals of one status. With a single code it is a shared component named after the code. */
function refusalOf(status: number, codes: readonly ErrorCode[], { responses }: Shared): Json {
  const response = {
    description: `${failureStatus[errorCodes[codes[0]][0]].title}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    content: problemContent(codes),
  };
  if (codes.length > 1) return response;
  const name = codes[0].replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  responses[name] = { ...response, description: `${status}: ${errorCodes[codes[0]][1]}` };
  return { $ref: `#/components/responses/${name}` };
}

function sorted<T>(parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
