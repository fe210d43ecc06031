/** A DNS server on this machine that knows texts and addresses; test support (RFC 1035, RFC 3596). */
import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

export type Dns = {
  /** For the setting DNS_SERVERS. */
  readonly address: string;
  /** Texts by name. */
  readonly texts: Map<string, readonly string[]>;
  /** Addresses by name, or what gives them for each query anew. */
  readonly addresses: Map<string, Addresses | ((type: 'A' | 'AAAA') => Addresses)>;
  /** The names that were asked for, with their types, in order. */
  readonly asked: string[];
  /** Whether it answers at all. */
  isDown: boolean;
  close(): Promise<void>;
};

/** Addresses of either family, a failure of the server, or no answer at all. */
export type Addresses = readonly string[] | 'broken' | 'silent';

const types: Readonly<Record<number, 'A' | 'TXT' | 'AAAA'>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };
/** For the questions of hundreds of requests at once. */
const bufferBytes = 4_000_000;
const serverFailure = 2;
const nameError = 3;

export async function openDns(): Promise<Dns> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: bufferBytes });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const dns: Dns = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    addresses: new Map(),
    asked: [],
    isDown: false,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, { port, address }) => {
    const reply = dns.isDown ? null : answer(query, dns);
    if (reply) socket.send(reply, port, address);
  });
  return dns;
}

function answer(query: Buffer, dns: Dns): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  const number = query.readUInt16BE(at + 1);
  const type = types[number];
  if (type === undefined) return null;
  dns.asked.push(`${name} ${type}`);
  const found = type === 'TXT' ? dns.texts.get(name)?.map(textOf) : addressesOf(dns, name, type);
  if (found === 'silent') return null;
  const records = found === 'broken' ? [] : (found ?? []);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // An answer, with recursion; the name is not there unless it is known.
  head.writeUInt16BE(0x8180 | (found === 'broken' ? serverFailure : found ? 0 : nameError), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, at + 5), ...records.map((data) => recordOf(number, data))]);
}

function addressesOf(dns: Dns, name: string, type: 'A' | 'AAAA'): Buffer[] | 'broken' | 'silent' | undefined {
  const known = dns.addresses.get(name);
  const addresses = typeof known === 'function' ? known(type) : known;
  if (typeof addresses === 'string' || addresses === undefined) return addresses;
  const family = type === 'AAAA' ? 6 : 4;
  return addresses.filter((address) => isIP(address) === family).map(bytesOf);
}

/** A record about the name of the question, which is not to be kept for later. */
function recordOf(type: number, data: Buffer): Buffer {
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function textOf(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')]);
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // URLs write the last groups of an address without dots.
  const groups = (part: string) => part.split(':').filter(Boolean);
  const [before, after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').map(groups);
  const zeros = after ? Array.from({ length: 8 - before!.length - after.length }, () => '0') : [];
  const hex = [...before!, ...zeros, ...(after ?? [])].map((group) => group.padStart(4, '0')).join('');
  return Buffer.from(hex, 'hex');
}
