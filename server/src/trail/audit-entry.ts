import type { Actor, Channel } from '../access/actor.ts';
import type { Context } from '../access/context.ts';
import type { Scope } from '../access/scope.ts';
import { newId } from '../lib/crypto/ids.ts';
import type { AuditAction } from './catalog.ts';

export type Target = { readonly type: string; readonly id: string };

/** An entry of the audit trail. The database adds the time. */
export type AuditEntry = {
  readonly id: string;
  readonly organizationId: string;
  /** Null for an act in the organization as a whole. */
  readonly workspaceId: string | null;
  readonly action: AuditAction;
  readonly outcome: 'succeeded' | 'denied' | 'failed';
  readonly actor: Actor;
  readonly target: Target;
  readonly channel: Channel;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** Shown to everyone who may read the audit trail, so it holds no secrets. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** Makes the audit entry of an act by the actor of `ctx`. */
export function auditEntry(
  ctx: Context<Scope>,
  action: AuditAction,
  target: Target,
  data: AuditEntry['data'] = {},
  outcome: AuditEntry['outcome'] = 'succeeded',
): AuditEntry {
  return {
    id: newId('aud'),
    organizationId: ctx.organizationId,
    workspaceId: ctx.workspaceId,
    action,
    outcome,
    actor: ctx.actor,
    target,
    channel: ctx.channel,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    requestId: ctx.requestId,
    data,
  };
}

/**
 * How rows of one kind are written to a table: the type of each column, and how to read its value off a row, as the
 * text that PostgreSQL converts to that type.
 */
export type Columns<T> = Readonly<
  Record<
    string,
    {
      readonly type: 'text' | 'jsonb' | 'timestamptz' | 'real' | 'smallint';
      readonly read: (row: T) => string | null;
    }
  >
>;

export const auditColumns: Columns<AuditEntry> = {
  id: { type: 'text', read: ({ id }) => id },
  organization_id: { type: 'text', read: ({ organizationId }) => organizationId },
  workspace_id: { type: 'text', read: ({ workspaceId }) => workspaceId },
  action: { type: 'text', read: ({ action }) => action },
  outcome: { type: 'text', read: ({ outcome }) => outcome },
  actor_type: { type: 'text', read: ({ actor }) => actor.type },
  actor_id: { type: 'text', read: ({ actor }) => actor.id },
  actor_label: { type: 'text', read: ({ actor }) => actor.label },
  target_type: { type: 'text', read: ({ target }) => target.type },
  target_id: { type: 'text', read: ({ target }) => target.id },
  channel: { type: 'text', read: ({ channel }) => channel },
  ip: { type: 'text', read: ({ ip }) => ip },
  user_agent: { type: 'text', read: ({ userAgent }) => userAgent },
  request_id: { type: 'text', read: ({ requestId }) => requestId },
  data: { type: 'jsonb', read: ({ data }) => JSON.stringify(data) },
};
