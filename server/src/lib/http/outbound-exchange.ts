import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { assert } from '../failure.ts';
import { connectionFailed, cutShort, failed, type OutboundFailure } from './outbound-failures.ts';
import type { PhaseLimits, Phases } from './outbound-phases.ts';
import type { Target } from './outbound-target.ts';

export type OutboundMessage = {
  /** GET or POST, which is GET by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Asked once it is connected: with true the message is sent, otherwise it comes to nothing, as `busy`. */
  readonly ready?: () => Promise<boolean>;
};

export type OutboundAnswer = {
  /** 200 to 599. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
};

export type OutboundLimits = PhaseLimits & {
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly requestBytes: number;
};

/**
 * Which bodies are taken: `whole`, which says by its length or chunks where it ends, and is not compressed; or `any`,
 * compressed (and left so) or ended by its connection too.
 */
export type Taken = 'whole' | 'any';

/** What is known so far about an exchange, also of one that fails. */
export type Progress = {
  remoteAddress: string | null;
  head: { readonly status: number; readonly headers: Headers } | null;
  /** What has come of the body, at most as many bytes as its limit. */
  readonly body: Buffer[];
};

export type ExchangeOptions = {
  readonly limits: OutboundLimits;
  readonly takes: Taken;
  readonly phases: Phases;
  readonly progress: Progress;
  /** Certificates of the authorities that are trusted, in PEM; those that Node trusts by default. */
  readonly ca: string | undefined;
};

/** How long one of several addresses may take to accept a connection before the next is tried. */
const attemptMs = 1_000;
/** Answers of status 1xx before the one that counts. */
const informationalMax = 8;
/** How many bytes may come for each of a body: chunks, their extensions and trailers come beside it. */
const framingFactor = 8;
/** Headers about a connection, which are not the caller's to set. */
const connectionHeaders = ['connection', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Sends one message to a target and reads the answer into `progress`. */
export async function exchange(message: OutboundMessage, target: Target, options: ExchangeOptions): Promise<void> {
  const { url } = target;
  const head = headOf(message, url, options.limits);
  try {
    const answer = await begin(url, { ...head, ...connectionTo(target), ...boundsOf(options) }, message, options);
    try {
      options.progress.head = { status: answer.statusCode!, headers: headersOf(answer, url, options.takes) };
      await readBody(answer, url, options);
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
  if (length > requestBytes) throw failed(url, 'request_too_large', `is not sent more than ${requestBytes} bytes`);
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
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
  };
}

function boundsOf({ limits, ca, phases }: ExchangeOptions): RequestOptions {
  return {
    signal: phases.signal,
    maxHeaderSize: limits.headerBytes,
    // Stated because variables and flags of the process could change their defaults.
    ...{ rejectUnauthorized: true, minVersion: 'TLSv1.2', insecureHTTPParser: false },
    ...(ca === undefined ? {} : { ca }),
  };
}

/** Sends a request and waits for the head of its answer. */
function begin(
  url: URL,
  options: RequestOptions,
  { body, ready }: OutboundMessage,
  { phases, progress, limits }: ExchangeOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options);
    const send = (): void => {
      if (phases.signal.aborted) return;
      phases.enter('firstByte', 'headMs');
      request.end(body);
    };
    const connected = (): void => {
      if (ready) phases.enter('wait', null);
      const late = (): void => phases.abort(failed(url, 'busy', 'could not be sent the request in time'));
      if (ready) ready().then((isTime) => (isTime ? send() : late()), late);
      else send();
    };
    watch(request, url, {
      phases,
      progress,
      connected,
      bytesMax: informationalMax * limits.headerBytes + framingFactor * limits.bodyBytes,
    });
    let informational = 0;
    request.on('information', () => {
      if (++informational > informationalMax)
        phases.abort(failed(url, 'invalid_response', 'goes on answering with status 1xx'));
    });
    // What switches to another protocol, unasked, is closed by Node without an error.
    request.on('close', () => reject(failed(url, 'connection_reset', cutShort)));
    let answer: IncomingMessage | undefined;
    // Of what is no HTTP behind its head, an answer says only that it was cut; bytes after its end do not count.
    request.on('error', (error) => answer?.complete || phases.abort(connectionFailed(url, error)));
    request.on('response', (response) => resolve((answer = response)));
  });
}

type Watching = {
  readonly phases: Phases;
  readonly progress: Progress;
  readonly bytesMax: number;
  readonly connected: () => void;
};

/** Follows the phases of a request at its connection, and ends what sends bytes that are part of no body for ever. */
function watch(request: ClientRequest, url: URL, { phases, progress, bytesMax, connected }: Watching): void {
  const isSecure = url.protocol === 'https:';
  phases.enter('connect', 'connectMs');
  request.once('socket', (socket: Socket) => {
    socket.once('connect', () => {
      progress.remoteAddress = socket.remoteAddress ?? null;
      if (isSecure) phases.enter('tls');
      else connected();
    });
    if (isSecure) socket.once('secureConnect', connected);
    socket.once('data', () => phases.enter('rest'));
    let received = 0;
    socket.on('data', (bytes) => {
      received += bytes.length;
      if (received > bytesMax)
        phases.abort(failed(url, 'response_too_large', `answered with more than ${bytesMax} bytes`));
    });
  });
  request.once('response', () => phases.enter('rest', null));
}

/** The headers of an answer, which must be one whose body can be read, and where it must be whole, seen to be. */
function headersOf(answer: IncomingMessage, url: URL, takes: Taken): Headers {
  const { statusCode = 0, rawHeaders } = answer;
  if (statusCode < 200 || statusCode > 599) throw failed(url, 'invalid_response', `answered with status ${statusCode}`);
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at], rawHeaders[at + 1]);
  if (takes === 'any') return headers;
  const packing = headers.get('content-encoding') ?? 'identity';
  const framing = headers.get('transfer-encoding') ?? 'chunked';
  if (packing.toLowerCase() !== 'identity' || framing.toLowerCase() !== 'chunked')
    throw failed(url, 'invalid_response', 'answered with a body that is compressed, which it was asked not to be');
  return headers;
}

async function readBody(answer: IncomingMessage, url: URL, options: ExchangeOptions): Promise<void> {
  const { headers } = answer;
  const { bodyBytes: bodyBytesMax } = options.limits;
  const tooLarge = (): OutboundFailure =>
    failed(url, 'response_too_large', `answered with more than ${bodyBytesMax} bytes`);
  const isDelimited = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (options.takes === 'whole' && Number(headers['content-length']) > bodyBytesMax) throw tooLarge();
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    options.progress.body.push(chunk.subarray(0, bodyBytesMax - length));
    length += chunk.length;
    if (length > bodyBytesMax) throw tooLarge();
    // Such a body ends where its connection does, also when that is cut (RFC 9112 §8).
    if (!isDelimited && options.takes === 'whole')
      throw failed(url, 'invalid_response', 'answered with a body that is neither of a Content-Length nor chunked');
  }
  if (!answer.complete) throw failed(url, 'connection_reset', cutShort);
}
