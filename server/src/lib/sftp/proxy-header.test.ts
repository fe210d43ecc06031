import { expect, test } from 'vitest';
import { parseProxyHeader } from './proxy-header.ts';

/** A header of version 2 as §2.2 has it, byte by byte. */
function binary(command: number, family: number, addresses: readonly number[]): Buffer {
  const quit = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];
  return Buffer.from([...quit, command, family, addresses.length >> 8, addresses.length & 255, ...addresses]);
}

const ipv4 = [203, 0, 113, 7, 10, 0, 0, 1, 0xd4, 0x31, 0x07, 0xe6];
const ipv6 = [0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 1, ...Array(16).fill(0), 1, 2, 3, 4];

test('headers of both versions tell the client, whatever follows them', () => {
  const headers = [
    [Buffer.from('PROXY TCP4 203.0.113.7 10.0.0.1 54321 2022\r\n'), '203.0.113.7'],
    [Buffer.from('PROXY TCP6 2001:db8::1 ::1 54321 2022\r\n'), '2001:db8::1'],
    [Buffer.from('PROXY UNKNOWN\r\n'), null],
    [binary(0x21, 0x11, ipv4), '203.0.113.7'],
    [binary(0x21, 0x21, ipv6), '2001:db8:0:0:0:0:0:1'],
    // With a field of its own behind the addresses, as balancers of clouds add.
    [binary(0x21, 0x11, [...ipv4, 0x03, 0, 1, 0xff]), '203.0.113.7'],
    // Whether somebody is there; and what is no TCP.
    [binary(0x20, 0x00, []), null],
    [binary(0x21, 0x31, Array(216).fill(1)), null],
  ] as const;
  for (const [header, ip] of headers) {
    expect(parseProxyHeader(Buffer.concat([header, Buffer.from('SSH-2.0-x\r\n')]))).toEqual({
      ip,
      bytes: header.length,
    });
    for (let length = 0; length < header.length; length++)
      expect(parseProxyHeader(header.subarray(0, length))).toBeNull();
  }
});

test.each([
  ['another protocol', Buffer.from('SSH-2.0-OpenSSH\r\n'), 'begins with no PROXY header'],
  ['a name for an address', Buffer.from('PROXY TCP4 host 10.0.0.1 1 2\r\n'), 'broken'],
  ['an address of the other family', Buffer.from('PROXY TCP6 203.0.113.7 10.0.0.1 1 2\r\n'), 'broken'],
  ['too few fields', Buffer.from('PROXY TCP4 203.0.113.7\r\n'), 'broken'],
  ['a line without end', Buffer.from(`PROXY ${'x'.repeat(200)}`), 'does not end'],
  ['another version', binary(0x31, 0x11, ipv4), 'another version'],
  ['addresses cut off', binary(0x21, 0x21, ipv4), 'without its addresses'],
  ['very long', binary(0x21, 0x11, Array(600).fill(0)), 'too long'],
])('%s is refused', (_, bytes, said) => expect(() => parseProxyHeader(bytes)).toThrow(said));
