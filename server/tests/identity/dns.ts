/** A DNS server on this machine that knows TXT records; test support (RFC 1035). */
import { createSocket } from 'node:dgram';

export type Dns = {
  /** For the setting DNS_SERVERS. */
  readonly address: string;
  /** Texts by name. */
  readonly texts: Map<string, readonly string[]>;
  /** Whether it answers at all. */
  isDown: boolean;
  close(): Promise<void>;
};

const typeTxt = 16;
const nameError = 3;

export async function openDns(): Promise<Dns> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const dns: Dns = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    isDown: false,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, { port, address }) => {
    if (!dns.isDown) socket.send(answer(query, dns.texts), port, address);
  });
  return dns;
}

function answer(query: Buffer, texts: Dns['texts']): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const found = query.readUInt16BE(at + 1) === typeTxt ? texts.get(labels.join('.').toLowerCase()) : undefined;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // An answer, with recursion; the name is not there unless it has records.
  head.writeUInt16BE(0x8180 | (found ? 0 : nameError), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found?.length ?? 0, 6);
  const records = (found ?? []).map((text) => {
    const record = Buffer.alloc(12);
    // The name is that of the question.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(typeTxt, 2);
    record.writeUInt16BE(1, 4);
    const data = Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')]);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, question, ...records]);
}
