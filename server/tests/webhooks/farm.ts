/**
 * Receivers of webhooks in this process, each at an address of its own, which keep every request and answer as badly as
 * they are told to; test support. They listen on 127.0.0.1, by http and by TLS. On 127.0.0.2, at the same ports, is the
 * canary: it stands for what webhooks must never reach.
 */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { makeSelfSigned } from '../../src/lib/crypto/self-signed.ts';
import {
  clientCertificate,
  expiredCertificate,
  receiverCertificate,
  receiverKey,
  weakCertificate,
  weakKey,
} from './certificates.ts';

/** A request as it came. */
export type Received = {
  readonly method: string;
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** When its head came, of `performance.now()`. */
  readonly atMs: number;
};

/** How a receiver answers once it has read a request; `times` counts those before. */
export type Behaviour = (request: Received, answer: Answering, times: number) => void | Promise<void>;
export type Answering = {
  readonly response: ServerResponse;
  /** To write what is no HTTP, or to hang up. */
  readonly socket: Socket;
};

export type Receiver = {
  /** By http. */
  readonly url: string;
  /** By TLS, with a certificate of `receiverAuthority`; `host` is one of its names, which a DNS server must know. */
  secureUrl(host?: string): string;
  readonly path: string;
  /** What has come so far, in order. */
  readonly requests: readonly Received[];
  /** Waits until so many requests have come, and returns all that have. */
  received(count: number): Promise<readonly Received[]>;
  /** Answers otherwise from now on. */
  behave(behaviour: Behaviour): void;
};

export type Certificate =
  | 'good'
  | 'expired'
  | 'self-signed'
  | 'old TLS'
  | 'of clients'
  | 'weak'
  /** It asks for a certificate of the client. */
  | 'mutual';

export type Farm = {
  /** A receiver that answers 200 unless it is told otherwise. */
  receiver(behaviour?: Behaviour): Receiver;
  readonly port: number;
  /** Of servers with certificates good and bad. */
  readonly securePorts: Readonly<Record<Certificate, number>>;
  /** A port of 127.0.0.1 on which nobody listens. */
  readonly closedPort: number;
  /** Connections that are open. */
  open(): number;
  readonly canary: {
    readonly address: '127.0.0.2';
    /** What it answers to whoever gets through. */
    readonly secret: string;
    /** How many connections it has had. */
    hits(): number;
  };
  close(): Promise<void>;
};

const waitMs = 60_000;
const canaryAddress = '127.0.0.2';
const canarySecret = 'SECRET-OF-THE-CANARY';
const portTries = 20;

export async function openFarm(): Promise<Farm> {
  const receivers = new Map<string, Answerer>();
  const opened: Listening[] = [];
  let hits = 0;
  const canary = (port: number) => {
    const server = createTcp((socket) => {
      hits++;
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${canarySecret.length}\r\n\r\n${canarySecret}`);
    });
    return listen(server, canaryAddress, port);
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const answerer = receivers.get(/^\/\d+/.exec(request.url!)?.[0] ?? '');
    if (answerer) void answerer.answer(request, response);
    else response.writeHead(404).end();
  };
  const secure = { cert: receiverCertificate, key: receiverKey };
  const own = await makeSelfSigned('hooks.example', 30);
  const overTls = (options: object) => () =>
    createHttps({ ...tolerant, ...secure, ...options }, take) as unknown as Server;
  const servers: Record<Certificate | 'http', () => Server> = {
    http: () => createHttp(tolerant, take),
    good: overTls({}),
    expired: overTls({ cert: expiredCertificate }),
    'self-signed': overTls({ cert: own.certificate, key: own.key }),
    'old TLS': overTls(oldTls),
    'of clients': overTls({ cert: clientCertificate }),
    weak: overTls({ cert: weakCertificate, key: weakKey, ciphers: lowestSecurity }),
    mutual: overTls({ requestCert: true, rejectUnauthorized: true }),
  };
  const ports: Record<string, number> = {};
  for (const [name, server] of Object.entries(servers)) {
    const { receiving, guarding } = await listenAtBoth(server, canary);
    opened.push(receiving, guarding);
    ports[name] = receiving.port;
  }
  const closed = await listen(createTcp(), '127.0.0.1', 0);
  await closed.close();
  const { http, ...securePorts } = ports as Record<Certificate | 'http', number>;
  return {
    receiver(behaviour = ok) {
      const path = `/${receivers.size + 1}`;
      const answerer = openAnswerer(behaviour);
      receivers.set(path, answerer);
      return {
        path,
        url: `http://127.0.0.1:${http}${path}`,
        secureUrl: (host = '127.0.0.1') => `https://${host}:${securePorts.good}${path}`,
        requests: answerer.requests,
        received: answerer.received,
        behave: answerer.behave,
      };
    },
    port: http,
    securePorts,
    closedPort: closed.port,
    open: () => opened.reduce((sum, { sockets }) => sum + sockets.size, 0),
    canary: { address: canaryAddress, secret: canarySecret, hits: () => hits },
    async close() {
      await Promise.all(opened.map((listening) => listening.close()));
    },
  };
}

/** Receivers take whatever time and headers a test needs. */
const tolerant = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 1_000_000 };
/** OpenSSL offers what is old or weak at its lowest level of security only. */
const lowestSecurity = 'DEFAULT@SECLEVEL=0';
const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: lowestSecurity } as const;

type Answerer = Pick<Receiver, 'requests' | 'received' | 'behave'> & {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
};

function openAnswerer(first: Behaviour): Answerer {
  let behaviour = first;
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  return {
    requests,
    behave(next) {
      behaviour = next;
    },
    received(count) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${requests.length} of ${count} requests came within ${waitMs / 1_000} seconds`));
        }, waitMs);
        const look = () => {
          if (requests.length < count) return;
          clearTimeout(late);
          waiting.delete(look);
          resolve([...requests]);
        };
        waiting.add(look);
        look();
      });
    },
    async answer(request, response) {
      const atMs = performance.now();
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
      } catch {
        // The sender has hung up before its request was whole, which no test counts as one.
        return;
      }
      const { method = '', url = '', headers, rawHeaders } = request;
      const received: Received = {
        ...{ method, path: url, rawHeaders, atMs, body: Buffer.concat(chunks) },
        headers: headers as Record<string, string>,
      };
      const times = requests.push(received) - 1;
      for (const look of [...waiting]) look();
      await behaviour(received, { response, socket: request.socket }, times);
    },
  };
}

type Listening = { readonly port: number; readonly sockets: Set<Socket>; close(): Promise<void> };

async function listen(server: Server, host: string, port: number): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening, refused) => {
    server.once('error', refused);
    server.listen(port, host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

/** A server on a port of 127.0.0.1 that the canary has on 127.0.0.2, too. */
async function listenAtBoth(
  open: () => Server,
  canary: (port: number) => Promise<Listening>,
): Promise<{ receiving: Listening; guarding: Listening }> {
  for (let tries = 1; ; tries++) {
    const receiving = await listen(open(), '127.0.0.1', 0);
    try {
      return { receiving, guarding: await canary(receiving.port) };
    } catch (error) {
      await receiving.close();
      if (tries === portTries) throw error;
    }
  }
}

/** 200, with a short text. */
export const ok: Behaviour = (_, { response }) => void response.end('ok');

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_, { response }) =>
    void response.writeHead(code, headers).end(body);

/** The first so many requests have another answer than those after them. */
export const first =
  (count: number, before: Behaviour, after: Behaviour = ok): Behaviour =>
  (request, answer, times) =>
    (times < count ? before : after)(request, answer, times);

/** Answers after a while; who has hung up is not answered. */
export const late =
  (ms: number, then: Behaviour = ok): Behaviour =>
  (request, answer, times) => {
    const timer = setTimeout(() => void then(request, answer, times), ms);
    answer.socket.on('close', () => clearTimeout(timer));
  };

/** Says nothing, and keeps the connection. */
export const silent: Behaviour = () => {};

/** Hangs up without an answer: with a reset, or else as one who has said all. */
export const hangUp =
  (how: 'reset' | 'end'): Behaviour =>
  (_, { socket }) =>
    void (how === 'reset' ? socket.resetAndDestroy() : socket.end());

/** Writes what it likes and then resets the connection, ends it, or keeps it open. */
export const raw =
  (text: string | Buffer, then: 'reset' | 'end' | 'keep' = 'end'): Behaviour =>
  (_, { socket }) =>
    void socket.write(text, () => {
      // What is reset at once may take the bytes before it along.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 20);
      if (then === 'end') socket.end();
    });

/** Writes a beginning, and then the same again and again: at once, or every so often. */
export const endless =
  (start: string, more: string | Buffer, everyMs = 0): Behaviour =>
  (_, { socket }) => {
    const go = (): void => {
      if (!socket.destroyed) socket.write(more, () => (everyMs === 0 ? setImmediate(go) : setTimeout(go, everyMs)));
    };
    socket.write(start, go);
  };
