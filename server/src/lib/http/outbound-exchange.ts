import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { assert, type Failure } from '../failure.ts';
import { connectionFailed, cutShort, failed } from './outbound-failures.ts';
import type { Target } from './outbound-target.ts';

export type OutboundMessage = {
  /** GET or POST, which is GET by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

export type OutboundAnswer = {
  /** 200 to 599. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
};

export type OutboundLimits = {
  /** From looking up the name to the last byte of the answer. */
  readonly timeMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly requestBytes: number;
};

export type ExchangeOptions = {
  readonly limits: OutboundLimits;
  readonly signal: AbortSignal;
  /** Certificates of the authorities that are trusted, in PEM; those that Node trusts by default. */
  readonly ca: string | undefined;
};

/** How long one of several addresses may take to accept a connection before the next is tried. */
const attemptMs = 1_000;
/** Answers of status 1xx before the one that counts. */
const informationalMax = 8;
/** Headers about a connection, which are not the caller's to set. */
const connectionHeaders = ['connection', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Sends one message to a target and reads the whole answer. */
export async function exchange(
  message: OutboundMessage,
  target: Target,
  options: ExchangeOptions,
): Promise<OutboundAnswer> {
  const { url } = target;
  const head = headOf(message, url, options.limits);
  try {
    const answer = await begin(url, { ...head, ...connectionTo(target), ...boundsOf(options) }, message.body);
    try {
      const headers = headersOf(answer, url);
      const body = await readBody(answer, url, options.limits.bodyBytes);
      return { status: answer.statusCode!, headers, body };
    } finally {
      answer.destroy();
    }
  } catch (error) {
    throw connectionFailed(url, error);
  }
}

function headOf(message: OutboundMessage, url: URL, { requestBytes }: OutboundLimits): RequestOptions {
  const { method = 'GET', body } = message;
  assert(method === 'GET' || method === 'POST', `${method} is no method of an outbound request`);
  const headers = new Headers(message.headers);
  for (const name of connectionHeaders) headers.delete(name);
  if (!headers.has('user-agent')) headers.set('user-agent', 'Lastro');
  headers.set('host', url.host);
  // What is packed may be any size once it is unpacked.
  headers.set('accept-encoding', 'identity');
  const length = Buffer.byteLength(body ?? '');
  if (length > requestBytes) throw failed(url, `is not sent more than ${requestBytes} bytes`);
  headers.delete('content-length');
  if (body !== undefined) headers.set('content-length', String(length));
  return { method, path: `${url.pathname}${url.search}`, headers: Object.fromEntries(headers) };
}

/** Connects to the addresses that were checked, and asks for the certificate of the name. */
function connectionTo({ url, host, addresses }: Target): RequestOptions & Partial<TcpNetConnectOpts> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  // Not called for an address, which is connected to as it is.
  const pinned: LookupFunction = (_, { all }, back) =>
    process.nextTick(() => (all ? back(null, found) : back(null, found[0].address, found[0].family)));
  const { protocol } = url;
  return {
    ...{ protocol, host, port: Number(url.port) || (protocol === 'https:' ? 443 : 80), lookup: pinned },
    // Connections are never kept, and no agent of the process, which may go by a proxy, makes them.
    agent: false,
    servername: isIP(host) ? '' : host,
    autoSelectFamilyAttemptTimeout: attemptMs,
  };
}

function boundsOf({ limits, ca, signal }: ExchangeOptions): RequestOptions {
  return {
    signal,
    maxHeaderSize: limits.headerBytes,
    // Stated because variables and flags of the process could change their defaults.
    ...{ rejectUnauthorized: true, minVersion: 'TLSv1.2', insecureHTTPParser: false },
    ...(ca === undefined ? {} : { ca }),
  };
}

/** Sends a request and waits for the head of its answer. */
function begin(url: URL, options: RequestOptions, body: string | Uint8Array | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options);
    let informational = 0;
    request.on('information', () => {
      if (++informational > informationalMax) request.destroy(failed(url, 'goes on answering with status 1xx'));
    });
    // What switches to another protocol, unasked, is closed by Node without an error.
    request.on('close', () => reject(failed(url, cutShort)));
    request.on('error', reject).on('response', resolve).end(body);
  });
}

/** The headers of an answer, which must be one whose body can be read, and seen to be whole. */
function headersOf(answer: IncomingMessage, url: URL): Headers {
  const { statusCode = 0, rawHeaders } = answer;
  if (statusCode < 200 || statusCode > 599) throw failed(url, `answered with status ${statusCode}`);
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at], rawHeaders[at + 1]);
  const packing = headers.get('content-encoding') ?? 'identity';
  const framing = headers.get('transfer-encoding') ?? 'chunked';
  if (packing.toLowerCase() !== 'identity' || framing.toLowerCase() !== 'chunked')
    throw failed(url, 'answered with a body that is compressed, which it was asked not to be');
  return headers;
}

async function readBody(answer: IncomingMessage, url: URL, bodyBytesMax: number): Promise<Buffer> {
  const { headers } = answer;
  const tooLarge = (): Failure => failed(url, `answered with more than ${bodyBytesMax} bytes`);
  if (Number(headers['content-length']) > bodyBytesMax) throw tooLarge();
  const isDelimited = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bodyBytesMax) throw tooLarge();
    // Such a body ends where its connection does, also when that is cut (RFC 9112 §8).
    if (!isDelimited) throw failed(url, 'answered with a body that is neither of a Content-Length nor chunked');
    chunks.push(chunk);
  }
  if (!answer.complete) throw failed(url, cutShort);
  return Buffer.concat(chunks, length);
}
