import type { OutboundAttempt } from '../../../lib/http/outbound.ts';
import type { App } from '../../app.ts';
import { type OwnHeaders, openHeaders } from '../headers.ts';
import { openSecret, signature } from '../secret.ts';
import type { SecretRow } from '../sql.ts';
import { readRetryAfter } from './schedule.ts';
import type { ClaimedRow } from './sql.ts';
import type { Turn } from './turns.ts';

/** A delivery that this process has taken, with what is sent as it is at this moment. */
export type Claimed = ClaimedRow & {
  readonly url: string;
  /** Sealed. */
  readonly headers: string | null;
  readonly secrets: readonly SecretRow[];
  /** Null when it is no longer kept. */
  readonly body: string | null;
  readonly isProbe: boolean;
  /** When it may be sent, where the address has a limit. */
  readonly turn: Turn | null;
};

/** How an attempt went. */
export type Attempted = {
  readonly claimed: Claimed;
  /**
   * `gone`: the receiver wants nothing any more. `aborted`: it does not want this. `busy`: nothing was sent, since too
   * much is under way, or the process too slow. `expired`: there is nothing left to send.
   */
  readonly result: 'succeeded' | 'failed' | 'gone' | 'aborted' | 'busy' | 'expired';
  readonly retryAfterMs: number | null;
  /** By `performance.now`. */
  readonly startedAt: number;
  readonly error: { readonly class: string; readonly text: string } | null;
  readonly outbound: OutboundAttempt | null;
};

/** Limits of one request, in milliseconds and bytes. */
export const attemptLimits = {
  ...{ dnsMs: 4_500, connectMs: 3_000, headMs: 10_000, timeMs: 15_000 },
  ...{ headerBytes: 16_384, bodyBytes: 65_536, requestBytes: 65_536 },
} as const;

const userAgent = 'Lastro-Webhooks/1';

/**
 * Sends a delivery once. `nowMs` is the time by the database's clock: receivers refuse what seems too old or too new,
 * and the clock of this machine may be wrong. `ready` is asked once it is connected.
 */
export async function attemptDelivery(
  { outbound, keys, webhooks }: Pick<App, 'outbound' | 'keys' | 'webhooks'>,
  claimed: Claimed,
  nowMs: () => number,
  ready?: () => Promise<boolean>,
): Promise<Attempted> {
  const startedAt = performance.now();
  const base = { claimed, startedAt, retryAfterMs: null, outbound: null };
  if (claimed.body === null) {
    const error = { class: 'payload_expired', text: 'what was to be sent is no longer kept' };
    return { ...base, result: 'expired', error };
  }
  const timestamp = Math.floor(nowMs() / 1_000);
  const secrets = claimed.secrets.map((secret) => openSecret(keys.sealing, secret));
  const sent = await outbound.attempt({
    method: 'POST',
    url: claimed.url,
    headers: {
      ...openHeaders(keys.sealing, claimed.webhook_id, claimed.headers),
      ...headersOf(claimed),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature(secrets, claimed.message_id, timestamp, claimed.body),
    },
    body: claimed.body,
    ...(ready ? { ready } : {}),
    ...{ plain: webhooks.plain, takes: 'any', lane: claimed.webhook_id, limits: attemptLimits },
    tellsTrace: true,
  });
  return { ...base, outbound: sent, ...resultOf(sent, nowMs()) };
}

function headersOf({ message_id, id, attempts, trigger }: Claimed): OwnHeaders {
  return {
    ...{ 'content-type': 'application/json', 'user-agent': userAgent, 'webhook-id': message_id },
    ...{ 'webhook-delivery-id': id, 'webhook-attempt': String(attempts), 'webhook-trigger': trigger },
  };
}

function resultOf(
  { failure, answer }: OutboundAttempt,
  nowMs: number,
): Pick<Attempted, 'result' | 'error' | 'retryAfterMs'> {
  if (failure) {
    const isBusy = failure.fault === 'busy';
    const error = { class: failure.fault, text: failure.message };
    return { result: isBusy ? 'busy' : 'failed', error, retryAfterMs: null };
  }
  const { status, headers } = answer!;
  if (status >= 200 && status < 300) return { result: 'succeeded', error: null, retryAfterMs: null };
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect
    ? { class: 'redirect_refused', text: `the receiver answered with status ${status}: redirects are not followed` }
    : { class: 'http_status', text: `the receiver answered with status ${status}` };
  const isAborted = headers.get('webhook-delivery')?.trim().toLowerCase() === 'abort';
  return {
    result: status === 410 ? 'gone' : isAborted ? 'aborted' : 'failed',
    error,
    retryAfterMs: readRetryAfter(headers.get('retry-after'), nowMs),
  };
}
