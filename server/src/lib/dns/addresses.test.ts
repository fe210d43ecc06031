import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dns, openDns } from '../../../tests/dns.ts';
import { openAddresses } from './addresses.ts';

let dns: Dns;
beforeAll(async () => {
  dns = await openDns();
});
afterAll(() => dns.close());

const never = new AbortController().signal;
const lookUp = (name: string, signal = never) => openAddresses([dns.address])(name, signal);

test('a name has addresses of both families, those of IPv4 first', async () => {
  dns.addresses.set('both.example', ['2606:4700::1111', '8.8.8.8', '8.8.4.4']);
  dns.addresses.set('six.example', ['::ffff:8.8.8.8']);
  expect(await lookUp('both.example')).toEqual(['8.8.8.8', '8.8.4.4', '2606:4700::1111']);
  expect(await lookUp('six.example')).toEqual(['::ffff:8.8.8.8']);
  expect(dns.asked).toContain('both.example A');
  expect(dns.asked).toContain('both.example AAAA');
});

test('what does not exist, has no address, or can be no name has none', async () => {
  dns.addresses.set('empty.example', []);
  for (const name of ['none.example', 'empty.example', 'a..b', `${'a'.repeat(64)}.example`])
    expect(await lookUp(name)).toEqual([]);
});

test('every lookup asks anew', async () => {
  let times = 0;
  dns.addresses.set('moving.example', () => [`192.0.2.${++times}`]);
  const seen = new Set([...(await lookUp('moving.example')), ...(await lookUp('moving.example'))]);
  expect(seen.size).toBe(2);
});

test('servers that fail, for both families, are an error', async () => {
  dns.addresses.set('broken.example', 'broken');
  await expect(lookUp('broken.example')).rejects.toThrow('ESERVFAIL');
  dns.addresses.set('half.example', (type) => (type === 'A' ? ['8.8.8.8'] : 'broken'));
  expect(await lookUp('half.example')).toEqual(['8.8.8.8']);
});

test('a silent server is waited for until the signal aborts', async () => {
  dns.addresses.set('silent.example', 'silent');
  const stop = new AbortController();
  const waiting = lookUp('silent.example', stop.signal);
  await expect.poll(() => dns.asked).toContain('silent.example A');
  stop.abort();
  await expect(waiting).rejects.toThrow('ECANCELLED');
});

test('the hosts file comes first', async () => {
  dns.addresses.set('localhost', ['8.8.8.8']);
  expect(await lookUp('LOCALHOST')).toContain('127.0.0.1');
  expect(dns.asked).not.toContain('localhost A');
});
