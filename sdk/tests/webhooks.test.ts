/** Webhooks as receivers verify them, against what the `standardwebhooks` package signs. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../src/main.ts';

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = secretOf();
const other = secretOf();
const now = new Date('2026-03-02T12:00:00Z');
const event = {
  ...{ id: 'evt_1', type: 'batch-lifecycle', timestamp: now.toISOString(), workspace_id: 'ws_1' },
  ...{ api_version: '2026-11-01', sequence: 3, data: { id: 'bat_1', status: 'succeeded', note: 'São Paulo 🏦' } },
};
const body = JSON.stringify(event);
const nowMs = now.getTime();

function headersOf(text = body, by = secret, at = now): Record<string, string> {
  const signature = new Webhook(by).sign('evt_1', at, text);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  };
}

test.each([
  ['a text', body],
  ['bytes', new TextEncoder().encode(body)],
  ['a buffer of Node', Buffer.from(body)],
  ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
])('an event whose body is %s is read', async (_, sent) => {
  expect(await verifyWebhook(sent, headersOf(), secret, { nowMs })).toEqual(event);
});

test('headers are read as fetch and Node have them, in any case', async () => {
  const headers = headersOf();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const one of [new Headers(headers), headers, upper])
    expect(await verifyWebhook(body, one, secret, { nowMs })).toEqual(event);
});

test('after a rotation either secret verifies, and either signature', async () => {
  const both = `${headersOf()['webhook-signature']} ${headersOf(body, other)['webhook-signature']}`;
  const headers = { ...headersOf(), 'webhook-signature': `v2,AAAA v1,%% ${both}` };
  for (const one of [secret, other, [secretOf(), other]])
    expect(await verifyWebhook(body, headers, one, { nowMs })).toEqual(event);
});

test('the type tells what the event has', async () => {
  const read = await verifyWebhook(body, headersOf(), secret, { nowMs });
  if (read.type !== 'batch-lifecycle') throw new Error('it is of another type');
  const status: 'queued' | 'running' | 'succeeded' | 'failed' = read.data.status;
  expect(status).toBe('succeeded');
});

const minutes = (count: number) => new Date(nowMs + count * 60_000);

test.each<[string, string, Record<string, string | undefined>, RegExp]>([
  ['another body', body.replace('evt_1', 'evt_2'), headersOf(), /not signed/],
  ['another id', body, { ...headersOf(), 'webhook-id': 'evt_2' }, /not signed/],
  ['another secret', body, headersOf(body, other), /not signed/],
  ['no signature', body, { ...headersOf(), 'webhook-signature': undefined }, /webhook-signature is missing/],
  [
    'a signature cut off',
    body,
    { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature'].slice(0, -8) },
    /not signed/,
  ],
  ['a time that is none', body, { ...headersOf(), 'webhook-timestamp': 'soon' }, /no number/],
  ['a time too long ago', body, headersOf(body, secret, minutes(-6)), /360 s from now/],
  ['a time to come', body, headersOf(body, secret, minutes(6)), /360 s from now/],
])('%s is refused', async (_, sent, headers, reason) => {
  const read = verifyWebhook(sent, headers, secret, { nowMs });
  await expect(read).rejects.toThrow(reason);
  await expect(read).rejects.toBeInstanceOf(WebhookVerificationError);
});

test('the tolerance is the caller’s', async () => {
  const headers = headersOf(body, secret, minutes(-6));
  expect(await verifyWebhook(body, headers, secret, { nowMs, toleranceSeconds: 400 })).toEqual(event);
});

test('a secret that is none is a mistake of the caller', async () => {
  for (const none of ['', 'whsec_', 'whsec_%%'])
    await expect(verifyWebhook(body, headersOf(), none, { nowMs })).rejects.toThrow(TypeError);
});
