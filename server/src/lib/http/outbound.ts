/** Requests to addresses that customers name, such as those of their identity providers. */
import { exchange, type OutboundAnswer, type OutboundLimits, type OutboundMessage } from './outbound-exchange.ts';
import { failed } from './outbound-failures.ts';
import { findTarget, readUrl, type TargetOptions } from './outbound-target.ts';

export type Outbound = {
  /**
   * Sends one request, on a connection of its own, and reads the whole answer. A redirect is an answer like others, and
   * not followed. Throws Failure 'invalid', which customers may read: `outbound_refused` about an address that is not
   * public or not well formed, `outbound_failed` about an answer that did not come, not whole or not within the limits.
   * Throws the reason of `signal` when it aborts.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** `send` in the form of the global fetch, for packages that take one. Redirects are not followed here either. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
};

type OutboundRequest = OutboundMessage & {
  /** https; http only to the private networks. */
  readonly url: string | URL;
  readonly signal?: AbortSignal | null | undefined;
  readonly limits?: Partial<OutboundLimits>;
};

type Options = TargetOptions & {
  /** Certificates of the authorities that are trusted, in PEM; those that Node trusts by default. */
  readonly ca?: string;
};

const defaultLimits: OutboundLimits = {
  timeMs: 10_000,
  headerBytes: 16_384,
  bodyBytes: 1_000_000,
  requestBytes: 1_000_000,
};
/** Requests to one host at the same time: each may take all of the limits, and anybody may cause some. */
const atOnceMax = 50;
const statusesWithoutBody: readonly number[] = [204, 205, 304];

export function openOutbound(options: Options): Outbound {
  /** How many requests there are now, by host. */
  const underWay = new Map<string, number>();
  const send: Outbound['send'] = (request) => sendWithin(request, options, underWay);
  return {
    send,
    async fetch(url, init = {}) {
      // It knows every form of headers and body; what it would accept as an address is wider than here.
      const request = new Request(readUrl(url), init);
      const { status, headers, body } = await send({
        ...{ url, method: request.method, headers: Object.fromEntries(request.headers), signal: init.signal },
        ...(request.body ? { body: new Uint8Array(await request.arrayBuffer()) } : {}),
      });
      const isEmpty = statusesWithoutBody.includes(status);
      return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
    },
  };
}

async function sendWithin(
  request: OutboundRequest,
  options: Options,
  underWay: Map<string, number>,
): Promise<OutboundAnswer> {
  const { signal } = request;
  const limits = { ...defaultLimits, ...request.limits };
  const url = readUrl(request.url);
  signal?.throwIfAborted();
  const others = underWay.get(url.host) ?? 0;
  if (others >= atOnceMax) throw failed(url, `has not answered ${atOnceMax} other requests yet: try again shortly`);
  underWay.set(url.host, others + 1);
  const stop = new AbortController();
  const late = failed(url, `did not answer within ${limits.timeMs / 1_000} seconds`);
  const timer = setTimeout(() => stop.abort(late), limits.timeMs);
  const follow = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', follow);
  try {
    const target = await orAborted(findTarget(url, options), stop.signal);
    return await orAborted(exchange(request, target, { limits, ca: options.ca, signal: stop.signal }), stop.signal);
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
    const left = underWay.get(url.host)! - 1;
    if (left > 0) underWay.set(url.host, left);
    else underWay.delete(url.host);
  }
}

/** Waits for a promise until the signal aborts, whether or not that stops what is behind it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}
