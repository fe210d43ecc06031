import type { WebhookEvent } from '../events.ts';

/** Headers as a server has them: of fetch, or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far from now the request may have been made, either way: 300 by default. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970: now by default. */
  readonly nowMs?: number;
};

/** What came is not, or not provably, what the service sent: answer with 400, and do nothing of it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const toleranceSecondsByDefault = 300;
const secretPrefix = 'whsec_';

/**
 * Returns the event that came, if it is signed (HMAC-SHA256, as Standard Webhooks say) by one of the secrets and its
 * time is within the tolerance. `body` is what came, before anything parsed it. The comparison takes the same time
 * wherever signatures differ. Throws WebhookVerificationError, and TypeError for a secret that is none.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = toleranceSecondsByDefault, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is no number of seconds');
  const apartSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (apartSeconds > toleranceSeconds)
    throw new WebhookVerificationError(
      `it was made ${Math.round(apartSeconds)} s from now; ${toleranceSeconds} s is allowed`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSignedBy(one, signatures, signed)) return readEvent(bytes);
  throw new WebhookVerificationError('it is not signed by this secret');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : firstOf(headers, name);
  if (value === null) throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

/** Names of headers are alike in any case. */
function firstOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  const found = Object.entries(headers).find(([own, value]) => own.toLowerCase() === name && value !== undefined)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? null);
}

/** The bytes of each signature of the one version there is; others are passed over. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((one) => {
    const [version, text = ''] = one.split(',');
    const bytes = version === 'v1' ? bytesOf(text) : null;
    return bytes === null ? [] : [bytes];
  });
}

async function isSignedBy(
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = bytesOf(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret);
  if (bytes === null || bytes.length === 0)
    throw new TypeError('the secret must be as it was shown: whsec_ and base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const found = await Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)));
  return found.includes(true);
}

/** The bytes of base64; null for other texts. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

/** What is signed was written by the service: hence the cast. */
function readEvent(bytes: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}
