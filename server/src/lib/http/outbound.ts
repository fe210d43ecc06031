/** Requests to addresses that customers name, such as those of their identity providers and of their webhooks. */
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import {
  exchange,
  type OutboundAnswer,
  type OutboundLimits,
  type OutboundMessage,
  type Progress,
  type Taken,
} from './outbound-exchange.ts';
import { failed, OutboundFailure } from './outbound-failures.ts';
import { type OutboundTimings, type Phases, startPhases } from './outbound-phases.ts';
import { checkUrl, findTarget, type Plain, readUrl, type TargetOptions } from './outbound-target.ts';

export type Outbound = {
  /**
   * Sends one request, on a connection of its own, and reads the answer. A redirect is an answer like others, and not
   * followed. Throws OutboundFailure, a Failure 'invalid' which customers may read: `outbound_refused` about an address
   * that is not public or not well formed, `outbound_failed` about an answer that did not come, not whole or not within
   * the limits. Throws the reason of `signal` when it aborts.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** `send` that says how it went, also when it failed. Throws the reason of `signal` when it aborts. */
  attempt(request: OutboundRequest): Promise<OutboundAttempt>;
  /**
   * Throws the OutboundFailure that `send` would throw about an address as such: one not well formed, plain http where
   * that may not be, or an IP address, however it is spelt, that may not be reached. Looks up no name.
   */
  check(url: string, plain?: Plain): void;
  /** `send` in the form of the global fetch, for packages that take one. Redirects are not followed here either. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
};

export type OutboundRequest = OutboundMessage & {
  readonly url: string | URL;
  /** Where http will do: to the private networks, by default. */
  readonly plain?: Plain;
  /** Bodies that are whole, by default. */
  readonly takes?: Taken;
  /** Whose requests are counted together, of which so many may be under way: those of the host, by default. */
  readonly lane?: string;
  readonly signal?: AbortSignal | null | undefined;
  readonly limits?: Partial<OutboundLimits>;
  /** Whether the receiver is told the span of the request, if there is one, by `traceparent`. No, by default. */
  readonly tellsTrace?: boolean;
};

export type OutboundAttempt = {
  /** What was wrong, or null when an answer came, of whatever status. */
  readonly failure: OutboundFailure | null;
  /** The answer; beside a failure, its head and what had come of its body, if a head did come. */
  readonly answer: OutboundAnswer | null;
  /** The IP address that was connected to. */
  readonly remoteAddress: string | null;
  readonly timings: OutboundTimings;
};

type Options = TargetOptions & {
  /** Certificates of the authorities that are trusted, in PEM; those that Node trusts by default. */
  readonly ca?: string;
  /** Each request is a span. */
  readonly tracing?: Tracing;
};

const defaultLimits: OutboundLimits = {
  dnsMs: 4_500,
  connectMs: 3_000,
  headMs: 10_000,
  timeMs: 10_000,
  headerBytes: 16_384,
  bodyBytes: 1_000_000,
  requestBytes: 1_000_000,
};
/** Requests of one lane at the same time: each may take all of the limits, and anybody may cause some. */
const atOnceMax = 50;
const noTimings: OutboundTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };
const statusesWithoutBody: readonly number[] = [204, 205, 304];

export function openOutbound(options: Options): Outbound {
  /** How many requests there are now, by lane. */
  const underWay = new Map<string, number>();
  const { tracing = noTracing } = options;
  const attempt: Outbound['attempt'] = async (request) => {
    const { method = 'GET', headers } = request;
    const span = tracing.start(`outbound ${method}`, 'client', { attributes: { 'http.request.method': method } });
    const told: Record<string, string> =
      request.tellsTrace && span.traceparent ? { traceparent: span.traceparent } : {};
    try {
      const attempted = await attemptOnce({ ...request, headers: { ...headers, ...told } }, options, underWay);
      const { answer, failure, remoteAddress } = attempted;
      if (remoteAddress !== null) span.set({ 'network.peer.address': remoteAddress });
      if (answer) span.set({ 'http.response.status_code': answer.status });
      span.end(failure?.fault);
      return attempted;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
  const send: Outbound['send'] = async (request) => {
    const { failure, answer } = await attempt(request);
    if (failure) throw failure;
    return answer!;
  };
  return {
    send,
    attempt,
    check: (url, plain = 'private networks') => void checkUrl(url, plain, options),
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

async function attemptOnce(
  request: OutboundRequest,
  options: Options,
  underWay: Map<string, number>,
): Promise<OutboundAttempt> {
  request.signal?.throwIfAborted();
  const url = await resultOf(async () => readUrl(request.url));
  if (url instanceof OutboundFailure) return { failure: url, answer: null, remoteAddress: null, timings: noTimings };
  const limits = { ...defaultLimits, ...request.limits };
  const progress: Progress = { remoteAddress: null, head: null, body: [] };
  const phases = startPhases(url, limits, request.signal);
  try {
    const failure = await resultOf(() =>
      inLane(underWay, request.lane ?? url.host, url, () =>
        orAborted(carryOut(request, url, { options, limits, phases, progress }), phases.signal),
      ),
    );
    const { head, body, remoteAddress } = progress;
    const answer = head && { ...head, body: Buffer.concat(body) };
    return { failure: failure ?? null, answer, remoteAddress, timings: phases.timings() };
  } finally {
    phases.end();
  }
}

type Under = {
  readonly options: Options;
  readonly limits: OutboundLimits;
  readonly phases: Phases;
  readonly progress: Progress;
};

async function carryOut(request: OutboundRequest, url: URL, under: Under): Promise<void> {
  const { options, phases, limits, progress } = under;
  phases.enter('dns', 'dnsMs');
  const target = await findTarget(url, request.plain ?? 'private networks', options, phases.signal);
  await exchange(request, target, { limits, takes: request.takes ?? 'whole', phases, progress, ca: options.ca });
}

/** Does something while fewer than all places of a lane are taken. */
async function inLane(underWay: Map<string, number>, lane: string, url: URL, act: () => Promise<void>): Promise<void> {
  const others = underWay.get(lane) ?? 0;
  if (others >= atOnceMax)
    throw failed(url, 'busy', `has not answered ${atOnceMax} other requests yet: try again shortly`);
  underWay.set(lane, others + 1);
  try {
    await act();
  } finally {
    const left = underWay.get(lane)! - 1;
    if (left > 0) underWay.set(lane, left);
    else underWay.delete(lane);
  }
}

/** What was done returned, or the OutboundFailure that it threw. */
async function resultOf<T>(act: () => Promise<T>): Promise<T | OutboundFailure> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof OutboundFailure) return error;
    throw error;
  }
}

/** Waits for a promise until the signal aborts, whether or not that stops what is behind it; then throws its reason. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
