/** The streams of the API: events, notifications, and one training run. */
import type { EventType, StreamedEvent } from '../events.ts';
import type { Settings } from '../settings.ts';
import type { Schemas } from '../signatures.ts';
import { hasEnded } from '../wait.ts';
import { type StreamOptions, watch } from './watch.ts';

/** Which events are told. */
export type EventQuery = {
  /** All of them by default. */
  readonly types?: readonly EventType[];
  /** As events have it: `batch`, `training_run`, … */
  readonly resource_type?: string;
  readonly resource_id?: string;
  /** The id of an event: what came after it. What happens from now on by default. */
  readonly after?: string;
};

export async function* watchEvents(
  settings: Settings,
  { types, after, ...of }: EventQuery,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent> {
  const query = { ...of, ...(types ? { type: types.join(',') } : {}) };
  const watched = { path: '/v1/api/events/stream', query, after, options };
  for await (const { data } of watch<StreamedEvent>(settings, watched)) yield data;
}

/** What comes of an inbox: a notification, or how many are unseen and unread, at first and whenever that changes. */
export type NotificationNews =
  | { readonly event: 'notification'; readonly data: Schemas['Notification'] }
  | { readonly event: 'counts'; readonly data: Pick<Schemas['NotificationCounts'], 'unseen' | 'unread'> };

export async function* watchNotifications(
  settings: Settings,
  { after }: { readonly after?: string },
  options: StreamOptions,
): AsyncGenerator<NotificationNews> {
  const watched = { path: '/v1/api/notifications/stream', after, options };
  // The service sends no other event than these.
  yield* watch(settings, watched) as AsyncGenerator<NotificationNews>;
}

/** Ends with the state in which the run has ended. */
export async function* watchRun(
  settings: Settings,
  id: string,
  options: StreamOptions,
): AsyncGenerator<Schemas['TrainingRun']> {
  const watched = { path: '/v1/api/training-runs/{id}/events', places: [id], options };
  for await (const { data } of watch<Schemas['TrainingRun']>(settings, watched)) {
    yield data;
    if (hasEnded(data)) return;
  }
}
