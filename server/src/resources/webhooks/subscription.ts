import { refuse } from '../../errors.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../trail/catalog.ts';

/** The types of events that webhooks are told of. */
export const webhookTypes: readonly EventType[] = eventTypeNames.filter(
  (type) => eventTypes[type].reach === 'webhooks',
);

/** What a webhook is told of. */
export type Subscription = {
  /** Names of types, beginnings of names with a `*` behind them, or `*` for all. */
  readonly events: readonly string[];
  /** Only events about these; null for all. */
  readonly resource_ids: readonly string[] | null;
};

/** Returns the entries, each once. Throws Failure 'schema_mismatch' for one that names no type there is. */
export function readEvents(asked: readonly string[]): string[] {
  for (const [at, entry] of asked.entries())
    if (!webhookTypes.some((type) => names(entry, type))) {
      const message = `there is no event ${entry}; there are ${webhookTypes.join(', ')}, and * for all or after a beginning`;
      throw refuse('schema_mismatch', message, { problems: [{ at: `/events/${at}`, message }] });
    }
  return [...new Set(asked)];
}

/**
 * Whether a webhook is told of an event. It is not told about itself, so that one that takes nothing makes no news of
 * that for itself.
 */
export function wants(
  { id, events, resource_ids }: Subscription & { readonly id: string },
  event: { readonly type: string; readonly resource_id: string },
): boolean {
  if (event.resource_id === id) return false;
  if (resource_ids !== null && !resource_ids.includes(event.resource_id)) return false;
  return events.some((entry) => names(entry, event.type));
}

function names(entry: string, type: string): boolean {
  return entry.endsWith('*') ? type.startsWith(entry.slice(0, -1)) : entry === type;
}
