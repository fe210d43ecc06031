import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formBytesMax, formFieldsMax, formType, parseForm } from './form.ts';
import { type Http, openHttp } from './server.ts';

let http: Http;
let url: string;

beforeAll(async () => {
  http = openHttp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    newRequestId: () => 'req_1',
    document: { info: { title: 'Test', version: '1' } },
  });
  const body = Type.Object({ answer: Type.String(), state: Type.Optional(Type.String()) });
  for (const kind of ['form', 'json'] as const)
    http.add({
      method: 'POST',
      path: `/${kind}`,
      body: kind,
      schema: { body, document: { operationId: kind } },
      handle: async ({ body }) => ({ status: 200, body: JSON.stringify(body) }),
    });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});
afterAll(() => http.close());

async function post(body: string | Uint8Array, { path = '/form', type = formType, headers = {} } = {}) {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: body as never,
  });
  return { status: reply.status, body: (await reply.json()) as { detail?: string } };
}

describe('a posted form', () => {
  test('is handed on as an object of texts', async () => {
    const form = new URLSearchParams({ answer: 'PHg+PC94Pg== é & = + %', state: '' });
    expect(await post(form.toString())).toEqual({ status: 200, body: Object.fromEntries(form) });
    const withCharset = await post('answer=a', { type: 'application/x-www-form-urlencoded; charset=UTF-8' });
    expect(withCharset.status).toBe(200);
  });

  test('is held against the schema of the route', async () => {
    for (const body of ['', 'state=x'])
      expect(await post(body)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/answer' }] } });
  });

  test('is taken only where a route asks for one', async () => {
    const elsewhere = await post('answer=a', { path: '/json' });
    expect(elsewhere).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''])(
    'is the only body that such a route takes, and %j is refused',
    async (type) => {
      const refused = await post('{"answer":"a"}', { type });
      expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      expect(refused.body.detail).toContain(formType);
    },
  );

  test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['with a field twice', 'answer=a&state=x&answer=b', {}, 400, 'malformed'],
    ['with a field twice, written otherwise', 'answer=a&%61nswer=b', {}, 400, 'malformed'],
    ['with half an escape', 'answer=%e', {}, 400, 'malformed'],
    ['with an escape that is no UTF-8', 'answer=%ff', {}, 400, 'malformed'],
    ['with bytes that are no UTF-8', Buffer.from('answer=\xff', 'latin1'), {}, 400, 'malformed'],
    ['with NUL', 'answer=%00', {}, 400, 'malformed'],
    ['that is compressed', 'answer=a', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['with too many fields', `answer=a${'&x=1'.repeat(formFieldsMax)}`, {}, 413, 'limit_exceeded'],
    ['with nothing between many signs', '&'.repeat(formFieldsMax), {}, 413, 'limit_exceeded'],
    ['that is too large', `answer=${'a'.repeat(formBytesMax)}`, {}, 413, 'body_too_large'],
  ])('%s is refused', async (_, body, headers, status, code) => {
    expect(await post(body, { headers })).toMatchObject({ status, body: { code } });
  });

  test('is as large as the limit at most', async () => {
    const answer = 'a'.repeat(formBytesMax - 'answer='.length);
    expect((await post(`answer=${answer}`)).body).toEqual({ answer });
  });

  test('is in the API document under its own media type', async () => {
    const { paths } = (await http.document()) as { paths: Record<string, { post: { requestBody: object } }> };
    expect(paths['/form'].post.requestBody).toMatchObject({ content: { [formType]: { schema: { type: 'object' } } } });
  });
});

test('fields may have any name and no value, and an empty form has none', () => {
  expect(Object.entries(parseForm('__proto__=1&constructor&=x&a=b=c&&'))).toEqual([
    ['__proto__', '1'],
    ['constructor', ''],
    ['', 'x'],
    ['a', 'b=c'],
  ]);
  expect(parseForm('')).toEqual({});
});
