import type { Schemas } from '@lastro/sdk';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];
export type DeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type Attempt = Schemas['WebhookAttempt'];
export type EventType = Schemas['EventType'];

export const isUnderWay = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const lookLeastMs = 1_000;
const lookMostMs = 60_000;

/**
 * In how many milliseconds deliveries are worth another look: when the next of them is attempted, which for a retry may
 * be in hours. At least once a minute all the same, since somebody may send it at once; false where none is under way.
 */
export function lookAgainMs(
  deliveries: readonly Pick<Delivery, 'status' | 'next_attempt_at'>[],
  now: number,
): number | false {
  const waits = deliveries
    .filter(isUnderWay)
    .map(({ next_attempt_at: at }) => (at === null ? 0 : Date.parse(at) - now));
  if (waits.length === 0) return false;
  return waits.reduce((least, ms) => Math.max(lookLeastMs, Math.min(least, ms)), lookMostMs);
}

/** Whether it has failed at least once, and is tried again. */
export const isRetrying = ({ status, attempt_count: attempts }: Pick<Delivery, 'status' | 'attempt_count'>): boolean =>
  status === 'queued' && attempts > 0;

/** Reads headers of one a line, `name: value`; null where none is given. */
export function readHeaders(text: string): Readonly<Record<string, string>> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** A data of the shape that a JSON Schema describes, for somebody to see what comes. */
export function sampleOf(schema: unknown): unknown {
  const { type, properties, items, anyOf, enum: values, const: only } = (schema ?? {}) as JsonSchema;
  if (only !== undefined) return only;
  if (values) return values[0];
  if (anyOf) return sampleOf(anyOf[0]);
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, sampleOf(one)]));
  if (type === 'array') return [sampleOf(items)];
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return true;
  return type === 'null' ? null : '…';
}

type JsonSchema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};

/** What a receiver gets of an event of a type. */
export function sampleRequest({ name, payload }: EventType, workspaceId: string): string {
  const event = {
    id: 'evt_…',
    type: name,
    timestamp: '2026-03-02T12:00:00.000Z',
    workspace_id: workspaceId,
    sequence: 1,
    data: { id: '…', ...(sampleOf(payload) as object) },
  };
  return JSON.stringify(event, null, 2);
}

/** Whether a subscription, such as `*` or `model-version-*`, has a type. */
export const isSubscribed = (events: readonly string[], name: string): boolean =>
  events.some((event) => (event.endsWith('*') ? name.startsWith(event.slice(0, -1)) : event === name));
