import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Bytes of a header of version 2 before its addresses, and those that its addresses may have. */
const headBytes = 16;
const addressesMax = 536;
/** Bytes of a line of version 1, with its end. */
const lineMax = 107;
/** The bytes of one address, by family and transport: TCP over IPv4 and IPv6. */
const addressBytes: Readonly<Record<number, number>> = { 17: 4, 33: 16 };

/** What a header says, and how many bytes it has. `ip`: null where the proxy speaks for itself. */
type Told = { readonly ip: string | null; readonly bytes: number };

/**
 * Reads what a proxy says before all else of the client that it connects, in version 1 or 2 of the PROXY protocol
 * (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt §2), and leaves what follows to be read. Returns the
 * address of the client, or null where the proxy speaks for itself. Throws what is wrong with another beginning.
 */
export async function readProxyHeader(socket: Socket): Promise<string | null> {
  let read = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error('hung up before its header was whole');
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
      continue;
    }
    read = Buffer.concat([read, chunk]);
    const told = parseProxyHeader(read);
    if (told === null) continue;
    if (read.length > told.bytes) socket.unshift(read.subarray(told.bytes));
    return told.ip;
  }
}

/** Returns null for the beginning of a header. Throws for what cannot become one. */
export function parseProxyHeader(bytes: Buffer): Told | null {
  const length = Math.min(bytes.length, signature.length);
  if (bytes.subarray(0, length).equals(signature.subarray(0, length)))
    return bytes.length < headBytes ? null : parseBinary(bytes);
  const line = bytes.subarray(0, lineMax).toString('latin1');
  if (!line.startsWith('PROXY '.slice(0, line.length))) throw new Error('begins with no PROXY header');
  const end = line.indexOf('\r\n');
  if (end >= 0) return { ip: clientOf(line.slice(0, end)), bytes: end + 2 };
  if (bytes.length >= lineMax) throw new Error('has a PROXY header that does not end');
  return null;
}

function parseBinary(bytes: Buffer): Told | null {
  const [command, family] = [bytes[12]!, bytes[13]!];
  const length = bytes.readUInt16BE(14);
  if (command !== 0x20 && command !== 0x21) throw new Error('has a PROXY header of another version');
  if (length > addressesMax) throw new Error('has a PROXY header that is too long');
  if (bytes.length < headBytes + length) return null;
  const size = addressBytes[family];
  if (command === 0x20 || size === undefined) return { ip: null, bytes: headBytes + length };
  if (length < 2 * size + 4) throw new Error('has a PROXY header without its addresses');
  const address = bytes.subarray(headBytes, headBytes + size);
  return { ip: size === 4 ? address.join('.') : groupsOf(address), bytes: headBytes + length };
}

/** IPv6 as eight groups. */
function groupsOf(address: Buffer): string {
  return Array.from({ length: 8 }, (_, at) => address.readUInt16BE(2 * at).toString(16)).join(':');
}

function clientOf(line: string): string | null {
  const [, family, ip = '', ...others] = line.split(' ');
  if (family === 'UNKNOWN') return null;
  if (isIP(ip) !== (family === 'TCP6' ? 6 : 4) || others.length !== 3) throw new Error('has a broken PROXY header');
  return ip;
}
