import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInNetwork, readNetwork } from './networks.ts';

const isIn = (ip: string, text: string): boolean => {
  const network = readNetwork(text);
  if (typeof network === 'string') throw new Error(`${text} ${network}`);
  return isInNetwork(ip, network);
};

test.each([
  ['203.0.113.7', '203.0.113.0/24', true],
  ['203.0.114.7', '203.0.113.0/24', false],
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7/32', false],
  ['255.255.255.255', '0.0.0.0/0', true],
  ['128.0.0.0', '128.0.0.0/1', true],
  ['2001:db8:1::7', '2001:db8::/32', true],
  ['2001:db9::7', '2001:db8::/32', false],
  ['2001:DB8::7', '2001:db8:0:0:0:0:0:7', true],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['::1', '::/0', true],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['::ffff:cb00:7107', '203.0.113.0/24', true],
  ['::FFFF:203.0.114.7', '203.0.113.0/24', false],
  ['203.0.113.7', '::ffff:203.0.113.0/120', true],
  ['203.0.114.7', '::ffff:203.0.113.0/120', false],
  ['::ffff:203.0.113.7', '::/0', false],
  ['203.0.113.7', '::/0', false],
  ['2001:db8::7', '0.0.0.0/0', false],
  ['::cb00:7107', '203.0.113.0/24', false],
  ['unknown', '0.0.0.0/0', false],
])('%s in %s: %s', (ip, text, expected) => {
  expect(isIn(ip, text)).toBe(expected);
});

test.each([
  ['10.0.0.1', '10.0.0.1/32'],
  ['2001:0DB8:0:0::/32', '2001:db8::/32'],
  ['2001:db8:0:1:0:0:0:0/64', '2001:db8:0:1::/64'],
  ['0:0:0:1::/64', '0:0:0:1::/64'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::/0', '::/0'],
  ['::1', '::1/128'],
])('%s is written %s', (text, written) => {
  expect(readNetwork(text)).toMatchObject({ text: written });
});

test.each([
  ...['', 'all', '10.0.0', '010.0.0.1', '256.0.0.0/8', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8'],
  ...[
    '2001:db8::/129',
    ':::/0',
    '1::2::3',
    '2001:db8::1/32',
    '10.0.0.1/8',
    'fe80::1%eth0/64',
    '10.0.0.0 /8',
    '1.2.3.4\n',
  ],
])('%j is no network', (text) => {
  expect(readNetwork(text)).toEqual(expect.any(String));
});

test('a network with bits beyond its length is named', () => {
  expect(readNetwork('10.1.2.3/8')).toContain('10.0.0.0/8');
});

test("it agrees with Node's own lists", () => {
  const near = (ip: string) =>
    fc.tuple(fc.constant(ip), fc.nat({ max: isIPv6(ip) ? 128 : 32 }), fc.oneof(fc.constant(ip), fc.ipV4(), fc.ipV6()));
  const cases = fc.oneof(fc.ipV4(), fc.ipV6()).chain(near);
  fc.assert(
    fc.property(cases, ([ip, length, other]) => {
      const family = (of: string) => (isIPv6(of) ? 'ipv6' : 'ipv4');
      // The network around an address: what is refused names it.
      const said = readNetwork(`${ip}/${length}`);
      const text = typeof said === 'string' ? /within ([^ ]+):/.exec(said)![1]! : said.text;
      fc.pre(family(text.split('/')[0]!) === family(other));
      const list = new BlockList();
      const [base, bits] = text.split('/') as [string, string];
      fc.pre(Number(bits) > 0);
      list.addSubnet(base, Number(bits), family(base));
      expect(isIn(other, text)).toBe(list.check(other, family(other)));
    }),
    { numRuns: 2_000 },
  );
});
