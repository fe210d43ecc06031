/** What every refusal over HTTP keeps to; test support. */
import { expect } from 'vitest';
import { type ErrorCode, errorCodes } from '../src/errors.ts';
import { failureStatus } from '../src/lib/http/problem.ts';
import type { Reply } from './service.ts';

/** Holds an answer of 400 and above against RFC 9457 and the closed list of codes. */
export function checkProblem({ status, headers, body, text }: Reply): void {
  expect(headers.get('content-type'), text).toBe('application/problem+json; charset=utf-8');
  expect(body, text).toEqual({
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
  for (const error of body.errors)
    expect(error, text).toEqual({ pointer: expect.any(String), code: body.code, detail: expect.stringMatching(/./) });
}

/** Expects a refusal with a code and, where they are given, at these places. */
export function expectRefusal(reply: Reply, status: number, code: ErrorCode, ...pointers: string[]): void {
  expect(reply.status, reply.text).toBe(status);
  checkProblem(reply);
  expect(reply.body.code, reply.text).toBe(code);
  if (pointers.length === 0) return;
  const told = reply.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(told.sort(), reply.text).toEqual(pointers.sort());
}
