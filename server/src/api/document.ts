import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../errors.ts';
import type { RequestHeader, Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;
type Document = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components?: Json & { readonly schemas?: Json };
};

const problemType = 'application/problem+json';
const problemContent = { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } };
const refusal = { description: 'A refusal: `code` says which, `errors` where.', content: problemContent };

/** A refusal over HTTP (RFC 9457), as JSON Schema. */
const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
  properties: {
    type: { type: 'string', description: 'urn:lastro:error: and the code.' },
    title: { type: 'string', description: 'What the status means.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, where, and what to do. May change: switch on the code.' },
    code: { type: 'string', enum: Object.keys(errorCodes) },
    request_id: { type: 'string', description: 'That of Request-Id; say it when you report a fault.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON pointer into the body, or /path/… or /query/….' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

const headerTexts = {
  'Idempotency-Key': 'Up to 255 characters; the same request again with the same key has one effect and one answer.',
  'Content-MD5': 'As declared; Content-Type too.',
  'If-Match': 'ETags, or *: change it only if it is one of these.',
  'If-None-Match': 'ETags, or *: go on only if it is none of these.',
  Range: 'One range of bytes.',
  'If-Range': 'The ETag that the range is of.',
} as const satisfies Readonly<Record<RequestHeader, string>>;

/** Completes the OpenAPI document that was made of the schemas of routes with what else is known of these. */
export function completeDocument(document: Document, routes: readonly Route[]): Document {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const method = route.method.toLowerCase();
    const known = document.paths[route.path][method];
    paths[route.path] = { ...paths[route.path], [method]: completeOperation(known, route) };
  }
  const { components } = document;
  return {
    ...document,
    paths,
    components: { ...components, schemas: { ...components?.schemas, Problem: problemSchema } },
  };
}

function completeOperation(known: Json, route: Route): Json {
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
      required: name === 'Content-MD5',
      schema: { type: 'string' },
    })),
  ];
  return {
    ...known,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.streams ? { requestBody: { required: true, content: { '*/*': {} } } } : {}),
    responses: {
      ...Object.fromEntries(Object.keys(route.answers).map((status) => [status, answerOf(known, route, status)])),
      default: refusal,
    },
  };
}

function answerOf(known: Json, route: Route, status: string): Json {
  const description = STATUS_CODES[status]!;
  if (Number(status) >= 400) return { description, content: problemContent };
  const { content } = (known.responses as Record<string, Json>)[status] ?? {};
  if (route.answers[Number(status)]) return { description, content };
  const hasBody = route.produces !== undefined && Number(status) < 300 && Number(status) !== 204;
  return { description, ...(hasBody ? { content: { [route.produces!]: {} } } : {}) };
}
