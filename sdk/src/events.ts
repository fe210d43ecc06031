/** What happens in a workspace, as events tell it: one form for each type, which `type` tells apart. */
import type { EventData, WebhookType } from './event-data.ts';
import type { Schemas } from './signatures.ts';

export type EventType = Schemas['Event']['type'];

/** Beside its own fields, the id of what an event is about. */
type DataOf<T extends EventType> = { readonly id: string } & EventData[T];

/** An event of a list or a stream. */
export type StreamedEvent = {
  readonly [T in EventType]: Omit<Schemas['Event'], 'type' | 'data'> & { readonly type: T; readonly data: DataOf<T> };
}[EventType];

/** What all that is sent to a webhook has. */
type Sent = {
  readonly id: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly workspace_id: string;
  /** Of the form in which it is sent. */
  readonly api_version: string;
  /** Counts the events of one resource from 1. */
  readonly sequence: number;
};

/** An event as a webhook is sent it. Where one is too large, `data` has the id alone, and `is_shortened`. */
export type WebhookEvent =
  | { readonly [T in WebhookType]: Sent & { readonly type: T; readonly data: DataOf<T> & Shortened } }[WebhookType]
  | (Sent & { readonly type: 'webhook-test'; readonly data: { readonly id: string } });

type Shortened = { readonly is_shortened?: true };
