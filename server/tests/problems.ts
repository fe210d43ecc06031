/** What every refusal over HTTP keeps to; test support. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type ErrorCode, errorCodes } from '../src/errors.ts';
import { failureStatus } from '../src/lib/http/problem.ts';
import type { Reply } from './service.ts';

/** Holds an answer of 400 and above against RFC 9457 and the closed list of codes. */
export function checkProblem({ status, headers, body, text }: Reply): void {
  expect(headers.get('content-type'), text).toBe('application/problem+json; charset=utf-8');
  const { because: why, ...rest } = body;
  if (why !== undefined) expect(why, text).toMatchObject({ code: expect.any(String) });
  expect(rest, text).toEqual({
    type: `urn:lastro:error:${body?.code}`,
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    code: expect.any(String),
    request_id: headers.get('request-id'),
    errors: expect.any(Array),
  });
  expect(headers.get('request-id'), text).toMatch(/^req_[0-9a-f]{32}$/);
  expect(Object.keys(errorCodes), text).toContain(body.code);
  expect(failureStatus[errorCodes[body.code as ErrorCode][0]].status, text).toBe(status);
  for (const { because, ...error } of body.errors) {
    expect(error, text).toEqual({ pointer: expect.any(String), code: body.code, detail: expect.stringMatching(/./) });
    if (because !== undefined) expect(because, text).toMatchObject({ code: expect.any(String) });
  }
}

/** Refusals that come before it is known which operation was meant. */
const beforehand: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed', 'headers_too_large', 'timeout'];

/** Holds a refusal against what the API document says of its operation: a client is told of every code it can meet. */
export function checkDeclared(method: string, path: string, { status, body, text }: Reply): void {
  const operation = operationOf(method, path.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/)[0]);
  if (!operation || beforehand.includes(body.code)) return;
  const name = `${operation.operationId} answered ${text}`;
  const response = operation.responses[status];
  const { content } = response?.$ref
    ? apiDocument.components.responses[response.$ref.split('/').at(-1)]
    : (response ?? {});
  const declared = content?.['application/problem+json'].schema.allOf[1].properties.code.enum;
  expect(declared ?? [], `${name}: add the code to its problems, and run npm run openapi`).toContain(body.code);
}

/** The operation that an address is of, where there is one. */
function operationOf(method: string, path: string) {
  const found = operations.find(({ pattern, methods }) => method.toLowerCase() in methods && pattern.test(path));
  return found ? found.methods[method.toLowerCase()] : null;
}

// biome-ignore lint/suspicious/noExplicitAny: as deep as the document is
const apiDocument: any = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: as deep as the document is
const operations = Object.entries<any>(apiDocument.paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  methods,
}));

/** Expects a refusal with a code and, where they are given, at these places. */
export function expectRefusal(reply: Reply, status: number, code: ErrorCode, ...pointers: string[]): void {
  expect(reply.status, reply.text).toBe(status);
  checkProblem(reply);
  expect(reply.body.code, reply.text).toBe(code);
  if (pointers.length === 0) return;
  const told = reply.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(told.sort(), reply.text).toEqual(pointers.sort());
}
