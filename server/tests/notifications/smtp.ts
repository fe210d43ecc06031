/** A mail server that does what a test tells it, and keeps all that it was sent; test support. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { vi } from 'vitest';

export type Arrived = {
  readonly from: string;
  readonly to: readonly string[];
  /** The bytes after DATA. */
  readonly source: string;
};

/** What the server does with the next mail to an address: a refusal of the receiver or of the data, or nothing. */
export type Behaviour =
  | { readonly at: 'rcpt' | 'data'; readonly code: number; readonly text: string }
  | { readonly at: 'data'; readonly hangMs: number };

export type SmtpSink = {
  readonly url: string;
  /** Mails of which all data came, in order, those too that were refused then. */
  readonly arrived: readonly Arrived[];
  /** How many mails were being sent at once at most. */
  readonly atOnceMax: number;
  /** Has the next mails to an address met with these, one each. */
  meet(address: string, ...behaviours: readonly Behaviour[]): void;
  to(address: string): readonly Arrived[];
  /** Waits until so many mails have arrived at an address. */
  arrivals(address: string, count: number): Promise<readonly Arrived[]>;
  close(): Promise<void>;
};

export async function openSmtpSink(): Promise<SmtpSink> {
  const arrived: Arrived[] = [];
  const planned = new Map<string, Behaviour[]>();
  const next = (address: string, at: Behaviour['at']): Behaviour | undefined => {
    const [first] = planned.get(address) ?? [];
    if (first?.at !== at) return undefined;
    planned.get(address)!.shift();
    return first;
  };
  let atOnce = 0;
  const sink = { atOnceMax: 0 };
  const server = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true, logger: false },
    onRcptTo({ address }, _, done) {
      const behaviour = next(address, 'rcpt');
      done(behaviour && 'code' in behaviour ? refusal(behaviour) : null);
    },
    onData(stream, { envelope }, done) {
      atOnce++;
      sink.atOnceMax = Math.max(sink.atOnceMax, atOnce);
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const behaviour = next(to[0], 'data');
        arrived.push({ from, to, source: Buffer.concat(parts).toString('utf8') });
        if (behaviour && 'hangMs' in behaviour) await new Promise((ended) => setTimeout(ended, behaviour.hangMs));
        atOnce--;
        done(behaviour && 'code' in behaviour ? refusal(behaviour) : null);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const to = (address: string) => arrived.filter((mail) => mail.to.includes(address));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    get atOnceMax() {
      return sink.atOnceMax;
    },
    meet: (address, ...behaviours) => void planned.set(address, [...behaviours]),
    to,
    arrivals: (address, count) =>
      vi.waitUntil(() => (to(address).length >= count ? to(address) : null), { timeout: 60_000, interval: 20 }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal({ code, text }: { readonly code: number; readonly text: string }): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** A mail as another program reads it. */
export const parseMail = ({ source }: Arrived) => simpleParser(source);

/** A mail server that takes connections and never says a word. */
export async function openSilentServer(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
