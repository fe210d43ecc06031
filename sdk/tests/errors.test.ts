import { expect, test } from 'vitest';
import { readRefusal, retryAfterOf } from '../src/errors.ts';
import { LastroError } from '../src/main.ts';

test.each([
  [400, 'ValidationError'],
  [401, 'AuthenticationError'],
  [403, 'PermissionError'],
  [404, 'NotFoundError'],
  [405, 'ValidationError'],
  [408, 'TimeoutError'],
  [409, 'ConflictError'],
  [410, 'NotFoundError'],
  [412, 'ConflictError'],
  [413, 'ValidationError'],
  [422, 'ValidationError'],
  [429, 'RateLimitError'],
  [500, 'ServiceError'],
  [507, 'ServiceError'],
])('%i is a %s with what the problem document says', async (status, name) => {
  const errors = [{ pointer: '/amount', code: 'invalid_input', detail: 'must be a number' }];
  const problem = {
    type: 'urn:lastro:error:invalid',
    title: '',
    status,
    detail: 'so it is',
    code: 'invalid',
    request_id: 'req_1',
    errors,
  };
  const error = await readRefusal(Response.json(problem, { status, headers: { 'retry-after': '7' } }));
  expect(error).toBeInstanceOf(LastroError);
  expect(error).toMatchObject({
    name,
    status,
    code: 'invalid',
    detail: 'so it is',
    requestId: 'req_1',
    retryAfter: 7,
    errors,
  });
  expect(error.message).toBe(`${status} invalid: so it is (req_1)`);
});

test.each(['', '<html>', 'null', '[]', '{"message":"no"}', '{"code":7}'])(
  'of the body %j only the status is told',
  async (body) => {
    const answer = new Response(body, { status: 502, statusText: 'Bad Gateway', headers: { 'request-id': 'req_2' } });
    const error = await readRefusal(answer);
    expect(error).toMatchObject({
      name: 'ServiceError',
      status: 502,
      code: null,
      detail: 'Bad Gateway',
      requestId: 'req_2',
    });
  },
);

test('Retry-After is seconds or a date', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterOf('120', nowMs)).toBe(120);
  expect(retryAfterOf('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30);
  expect(retryAfterOf('Thu, 01 Jan 2025 00:00:30 GMT', nowMs)).toBe(0);
  expect([retryAfterOf('soon', nowMs), retryAfterOf(null, nowMs)]).toEqual([null, null]);
});
