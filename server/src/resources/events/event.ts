import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { answerOf } from '../../api/named.ts';
import { refuse } from '../../errors.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../trail/catalog.ts';

/** An event of a workspace's feed. */
export type EventRow = {
  readonly position: number;
  readonly id: string;
  readonly type: EventType;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly sequence: number;
  readonly payload: unknown;
  readonly created_at: Date;
};

const eventExample = {
  id: 'evt_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  type: 'batch-lifecycle',
  resource_type: 'batch',
  resource_id: 'bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  sequence: 3,
  created_at: '2026-02-01T12:00:00.000Z',
  data: { id: 'bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', status: 'succeeded' },
};

/** The same event as a stream shows it. */
export const streamExample = `id: ${eventExample.id}\nevent: ${eventExample.type}\ndata: ${JSON.stringify(eventExample)}\n\n`;

export const eventSchema = answerOf('Event', eventExample, {
  id: Type.String(),
  type: Type.String({ enum: eventTypeNames }),
  resource_type: Type.String(),
  resource_id: Type.String(),
  sequence: Type.Integer({ description: 'Counts the events of the resource from 1, without gaps.' }),
  created_at: Type.String({ description: 'When it happened; it can be read a moment after.' }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'By type: the status, for instance.' }),
});

export function presentEvent({ id, type, resource_type, resource_id, sequence, created_at, payload }: EventRow) {
  return {
    id,
    type,
    resource_type,
    resource_id,
    sequence,
    created_at: created_at.toISOString(),
    data: payload as Record<string, unknown>,
  };
}

/** The events that a caller asked for, limited to those that the caller may read. */
export type EventFilter = {
  readonly types: readonly EventType[];
  readonly resource_type: string | undefined;
  readonly resource_id: string | undefined;
};

/** Query parameters that filter events. */
export const filterQuery = {
  type: Type.Optional(
    Type.String({ description: `Comma-separated; of: ${eventTypeNames.join(', ')}. Without it, all of them.` }),
  ),
  resource_type: Type.Optional(Type.String({ description: 'As events have it: batch, ingestion, training_run, …' })),
  resource_id: Type.Optional(Type.String()),
};

/**
 * Parses the filter and leaves out the types that the caller may not read. Throws Failure 'invalid_parameter' for an
 * unknown type.
 */
export function readFilter(
  { permissions }: Pick<Context, 'permissions'>,
  query: { readonly [name in keyof typeof filterQuery]?: string | undefined },
): EventFilter {
  const { type, resource_type, resource_id } = query;
  const asked = type === undefined || type === '' ? null : new Set(type.split(','));
  for (const name of asked ?? [])
    if (!Object.hasOwn(eventTypes, name)) {
      const message = `knows ${eventTypeNames.join(', ')}, not ${name}`;
      throw refuse('invalid_parameter', `type ${message}`, { problems: [{ at: '/query/type', message }] });
    }
  const types = eventTypeNames.filter(
    (name) => (asked === null || asked.has(name)) && permissions.has(eventTypes[name].readBy),
  );
  return { types, resource_type, resource_id };
}

export function passes({ types, resource_type, resource_id }: EventFilter, row: EventRow): boolean {
  if (resource_type !== undefined && resource_type !== row.resource_type) return false;
  if (resource_id !== undefined && resource_id !== row.resource_id) return false;
  return types.includes(row.type);
}

/** An event as a stream shows it. */
export function asMessage(row: EventRow): string {
  return `id: ${row.id}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
}
