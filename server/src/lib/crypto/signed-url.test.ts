import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signUrl, verifySignedUrl } from './signed-url.ts';

const secret = new Uint8Array(32).fill(7);
const expires = new Date('2026-03-01T12:00:00Z');
const before = new Date('2026-03-01T11:59:59Z');
const after = new Date('2026-03-01T12:00:01Z');
const claims = { file: 'file_1', md5: 'a/b+c==', content_type: 'text/csv; charset=utf-8' };
const url = signUrl({ path: '/v2/api/files/f%20x/content', method: 'PUT', expires, claims }, secret);

test('a signed URL gives its claims back until it expires', () => {
  expect(verifySignedUrl({ method: 'PUT', url }, secret, before)).toEqual({ status: 'ok', claims, expires });
  expect(verifySignedUrl({ method: 'PUT', url }, secret, expires)).toEqual({ status: 'ok', claims, expires });
  expect(verifySignedUrl({ method: 'PUT', url }, secret, after)).toEqual({ status: 'expired' });
});

test('the signature is the HMAC-SHA-256 of method, path and sorted parameters as JSON', () => {
  const signed = signUrl({ path: '/p', method: 'GET', expires: new Date(9000), claims: { b: '2', a: '1' } }, secret);
  const text = '["GET","/p",[["a","1"],["b","2"],["expires","9"]]]';
  expect(signed).toBe(
    `/p?b=2&a=1&expires=9&signature=${createHmac('sha256', secret).update(text).digest('base64url')}`,
  );
});

test('the order of parameters and the way they are encoded do not matter', () => {
  const [path, query] = url.split('?');
  const turned = query.split('&').reverse().join('&').replaceAll('%2F', '/').replaceAll('+', '%20');
  expect(verifySignedUrl({ method: 'PUT', url: `${path}?${turned}` }, secret, before).status).toBe('ok');
});

test('a URL to read also answers HEAD, and nothing else', () => {
  const read = signUrl({ path: '/p', method: 'GET', expires, claims: {} }, secret);
  const check = (method: string) => verifySignedUrl({ method, url: read }, secret, before).status;
  expect(['GET', 'HEAD', 'PUT', 'get'].map(check)).toEqual(['ok', 'ok', 'tampered', 'tampered']);
});

test('a URL to put also puts parts and tells what has arrived, and a URL for a part nothing more', () => {
  const check = (url: string) => (method: string) => verifySignedUrl({ method, url }, secret, before).status;
  const methods = ['PUT', 'PATCH', 'HEAD', 'GET', 'POST', 'DELETE'];
  expect(methods.map(check(url))).toEqual(['ok', 'ok', 'ok', 'ok', 'tampered', 'tampered']);
  const part = signUrl({ path: '/p', method: 'PATCH', expires, claims: {} }, secret);
  expect(methods.map(check(part))).toEqual(['tampered', 'ok', ...Array(4).fill('tampered')]);
});

test.each<[string, (url: string) => string]>([
  ['another path', (u) => u.replace('/content', '/contents')],
  ['a decoded path', (u) => u.replace('%20', ' ')],
  ['a claim changed', (u) => u.replace('file_1', 'file_2')],
  ['a claim removed', (u) => u.replace('file=file_1&', '')],
  ['a claim added', (u) => `${u}&extra=1`],
  ['a claim repeated', (u) => `${u}&file=file_1`],
  ['an empty parameter added', (u) => `${u}&x`],
  ['a later expiry', (u) => u.replace(/expires=\d+/, 'expires=99999999999')],
  ['no expiry', (u) => u.replace(/&expires=\d+/, '')],
  ['no signature', (u) => u.replace(/&signature=.*/, '')],
  ['an empty signature', (u) => u.replace(/signature=.*/, 'signature=')],
  ['two signatures', (u) => `${u}&signature=x`],
  ['a signature with its last character changed', (u) => u.slice(0, -1) + (u.endsWith('A') ? 'B' : 'A')],
  ['no query', (u) => u.slice(0, u.indexOf('?'))],
])('%s is tampered with', (_, change) => {
  expect(change(url)).not.toBe(url);
  expect(verifySignedUrl({ method: 'PUT', url: change(url) }, secret, before)).toEqual({ status: 'tampered' });
});

test('another method or another secret is tampered with, even when expired', () => {
  expect(verifySignedUrl({ method: 'POST', url }, secret, after).status).toBe('tampered');
  expect(verifySignedUrl({ method: 'PUT', url }, new Uint8Array(32), after).status).toBe('tampered');
});
