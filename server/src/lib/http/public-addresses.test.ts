import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-addresses.ts';

/**
 * The rows of IANA's registries of special-purpose addresses of IPv4 and IPv6, those of multicast, and what each of
 * IPv6 outside of 2000::/3 is called in RFC 4291 and its followers.
 */
const registries = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29
  192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24
  192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
  255.255.255.255/32 224.0.0.0/4 168.63.129.16/32
  ::1/128 ::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
  2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
  2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8 ::/96
`;
const networks = registries
  .trim()
  .split(/\s+/)
  .map((text): [base: string, bits: number] => [text.split('/')[0]!, Number(text.split('/')[1])]);
const family = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');

const special = new BlockList();
for (const [base, bits] of networks) special.addSubnet(base, bits, family(base));
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
unicast.addSubnet('0.0.0.0', 1, 'ipv4');
unicast.addSubnet('128.0.0.0', 1, 'ipv4');

test.each([
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.32.0.1',
    '192.0.1.1',
    '198.20.0.0',
    '223.255.255.255',
  ],
  ...['2606:4700:4700::1111', '2001:200::1', '2a00::', '2003::1', '3ffe::1', '::ffff:8.8.8.8', '::ffff:808:808'],
])('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each([
  ...['127.0.0.1', '169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', 'fe80::1%eth0', 'fd00:ec2::254', 'fec0::1'],
  ...['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '2002:7f00:1::', '2001:0:7f00:1::', '4000::1', 'ff02::1', '1fff::1'],
  ...['', 'localhost', '8.8.8', '010.0.0.1', '0x08080808', '[::1]', '8.8.8.8/32', '8.8.8.8 '],
])('%j is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
});

/** An address in one of the networks: its first bits, and any others. */
const inSpecial = fc
  .tuple(fc.constantFrom(...networks), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }))
  .map(([[base, bits], noise]) => {
    const width = isIPv6(base) ? 128n : 32n;
    const rest = noise & ((1n << (width - BigInt(bits))) - 1n);
    return written(numberOf(base) | rest, width);
  });

test('no address in a special network is public, nor is its form in IPv6', () => {
  fc.assert(
    fc.property(inSpecial, (ip) => {
      expect(special.check(ip, family(ip))).toBe(true);
      expect(isPublicAddress(ip)).toBe(false);
      if (!isIPv6(ip))
        for (const mapped of ['::ffff:', '::', '64:ff9b::']) expect(isPublicAddress(mapped + ip)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

test("it agrees with Node's own lists about any address, and about those on the edges of networks", () => {
  const near = fc
    .tuple(fc.constantFrom(...networks), fc.constantFrom(-1n, 0n, 1n), fc.boolean())
    .map(([[base, bits], step, isEnd]) => {
      const width = isIPv6(base) ? 128n : 32n;
      const size = 1n << (width - BigInt(bits));
      return written(BigInt.asUintN(Number(width), numberOf(base) + (isEnd ? size : 0n) + step), width);
    });
  // Node's lists know no mapped addresses.
  const isMapped = (ip: string) => isIPv6(ip) && numberOf(ip) >> 32n === 0xffffn;
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near, near), (ip) => {
      fc.pre(!isMapped(ip));
      const expected = unicast.check(ip, family(ip)) && !special.check(ip, family(ip));
      expect(isPublicAddress(ip)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

function numberOf(ip: string): bigint {
  const hex = isIPv6(ip)
    ? fullGroups(new URL(`http://[${ip}]`).hostname.slice(1, -1))
    : ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return BigInt(`0x${hex.join('')}`);
}

/** Eight groups of four digits of an address as URLs write it, without dots. */
function fullGroups(ip: string): string[] {
  const [before, after] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = after === undefined ? [] : Array(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...(after ?? [])].map((group) => group.padStart(4, '0'));
}

function written(number: bigint, width: bigint): string {
  const digits = number.toString(16).padStart(Number(width) / 4, '0');
  if (width === 128n) return digits.match(/.{4}/g)!.join(':');
  return digits
    .match(/.{2}/g)!
    .map((byte) => Number.parseInt(byte, 16))
    .join('.');
}
