import { ConnectionError, LastroError, readRefusal, TimeoutError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { Answered, RequestOptions } from '../signatures.ts';
import { openEnding } from './ending.ts';
import { delayBefore } from './retry.ts';
import { sleep } from './sleep.ts';

export type Request = {
  readonly method: string;
  /** A path of the service with its query, or a whole address, which then carries its own right: no key is sent. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes, parts, or what is sent as JSON; of a function, what it returns, which is asked anew for each attempt. */
  readonly body?: unknown;
  /** Whether it has the same effect when it is sent twice. */
  readonly isRepeatable: boolean;
  /** What is wanted of the answer: JSON is read, bytes are left to the caller. */
  readonly wants: 'json' | 'bytes';
  readonly options: RequestOptions;
  /** Milliseconds that the service was asked to wait before it answers. */
  readonly waitMs?: number;
  /** For a body whose sending takes as long as it takes. */
  readonly hasNoTimeout?: boolean;
};

/**
 * Sends a request, and again while it fails for a while only. Throws LastroError for what is refused or does not
 * arrive, and the reason of the caller's signal where that ends it.
 */
export async function send(settings: Settings, request: Request): Promise<Answered<unknown>> {
  const { signal, maxRetries = settings.maxRetries } = request.options;
  for (let retries = 0; ; retries++) {
    const outcome = await attempt(settings, request);
    if (!(outcome instanceof LastroError)) return outcome;
    const delayMs = retries < maxRetries ? delayBefore(outcome, request.isRepeatable, retries, Math.random()) : null;
    if (delayMs === null) throw outcome;
    await sleep(delayMs, signal);
  }
}

async function attempt(settings: Settings, request: Request): Promise<Answered<unknown> | LastroError> {
  const { signal } = request.options;
  signal?.throwIfAborted();
  const timeoutMs = (request.options.timeoutMs ?? settings.timeoutMs) + (request.waitMs ?? 0);
  const ending = openEnding(signal);
  let isLate = false;
  const late = () => {
    isLate = true;
    ending.end();
  };
  const timer = request.hasNoTimeout ? undefined : setTimeout(late, timeoutMs);
  let isHandedOn = false;
  try {
    const response = await settings.fetch(urlOf(settings, request), initOf(settings, request, ending.signal));
    if (!response.ok && response.status !== 304) return await readRefusal(response);
    const requestId = response.headers.get('request-id');
    // Whoever reads the bytes is still ended by the caller's signal.
    isHandedOn = request.wants === 'bytes';
    return { data: isHandedOn ? response : await readJson(response), response, requestId };
  } catch (error) {
    signal?.throwIfAborted();
    if (isLate) return new TimeoutError({ detail: `no answer within ${timeoutMs} ms`, cause: error });
    const { method } = request;
    return new ConnectionError({ detail: `${method} ${urlOf(settings, request)}: ${causeOf(error)}`, cause: error });
  } finally {
    clearTimeout(timer);
    if (!isHandedOn) ending.release();
  }
}

function urlOf({ baseUrl }: Settings, { address }: Request): string {
  return isWhole(address) ? address : `${baseUrl}${address}`;
}

function isWhole(address: string): boolean {
  return /^https?:\/\//.test(address);
}

function initOf(settings: Settings, request: Request, signal: AbortSignal): RequestInit {
  const { method, address, headers, options } = request;
  const body: unknown = typeof request.body === 'function' ? request.body() : request.body;
  const isJson = body !== undefined && !isSentAsItIs(body);
  return {
    method,
    signal,
    credentials: isWhole(address) ? 'omit' : settings.credentials,
    headers: headersOf(
      isWhole(address) ? {} : settings.headers,
      isJson ? { 'content-type': 'application/json' } : {},
      ...[headers, options.headers],
    ),
    ...(body === undefined ? {} : isJson ? { body: JSON.stringify(body) } : streamed(body)),
  };
}

/** Of a header that is given twice, in whichever case, the last. */
function headersOf(...given: readonly (Readonly<Record<string, string>> | undefined)[]): Headers {
  const headers = new Headers();
  for (const some of given) for (const [name, value] of Object.entries(some ?? {})) headers.set(name, value);
  return headers;
}

function isSentAsItIs(body: unknown): boolean {
  return body instanceof Blob || body instanceof FormData || body instanceof ReadableStream;
}

/** `duplex` is asked for by fetch where a stream is sent, and not yet in the types of browsers. */
function streamed(body: unknown): RequestInit {
  return { body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}) } as RequestInit;
}

/** Undefined for an answer without a body. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** What fetch says is mostly that it failed; why stands in its cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
