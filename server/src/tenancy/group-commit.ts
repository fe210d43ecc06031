import { newId } from '../lib/crypto/ids.ts';
import type { Context } from './context.ts';
import { type Database, system, type Tx } from './doors.ts';
import type { AuditAction } from './events.ts';

/** What a workspace stands at: who may do what, and what is served. */
export type Epochs = { readonly auth: number; readonly serving: number };

export type AuditItem = {
  readonly ctx: Context;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly data: string;
};

export type GroupCommit<T extends AuditItem> = {
  /** Resolves once the item is durable; with the epochs of its workspace as of that commit. */
  commit(item: T): Promise<Epochs>;
};

const groupMax = 256;
const groupsInFlightMax = 2;

type Waiting<T> = {
  readonly item: T;
  readonly resolve: (epochs: Epochs) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits items that arrive together in one transaction: the audit entry of each, and what `also` writes. While one group
 * commits the next one gathers, so a lone item waits for nobody. The rows of the workspaces are share-locked: a revocation
 * commits either before, and shows in the epochs, or after every answer that did not know of it was durable.
 */
export function openGroupCommit<T extends AuditItem>(
  db: Database,
  also: (tx: Tx, items: readonly T[]) => Promise<void>,
): GroupCommit<T> {
  let waiting: Waiting<T>[] = [];
  let inFlight = 0;
  const flush = (): void => {
    if (waiting.length === 0 || inFlight >= groupsInFlightMax) return;
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    inFlight++;
    commitGroup(db, group, also)
      .catch((error) => {
        for (const { reject } of group) reject(error);
      })
      .finally(() => {
        inFlight--;
        flush();
      });
  };
  return {
    commit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (waiting.length === 1) setImmediate(flush);
        else if (waiting.length >= groupMax) flush();
      }),
  };
}

async function commitGroup<T extends AuditItem>(
  db: Database,
  group: readonly Waiting<T>[],
  also: (tx: Tx, items: readonly T[]) => Promise<void>,
): Promise<void> {
  const workspaces = [...new Set(group.map(({ item }) => item.ctx.workspaceId))].sort();
  const epochs = await system(db, 'group commit', async (tx) => {
    await tx
      .insertInto('audit_entries')
      .values(
        group.map(({ item: { ctx, action, target, data } }) => ({
          id: newId('aud'),
          organization_id: ctx.organizationId,
          workspace_id: ctx.workspaceId,
          action,
          outcome: 'succeeded',
          actor_type: ctx.actor.type,
          actor_id: ctx.actor.id,
          actor_label: ctx.actor.label,
          target_type: target.type,
          target_id: target.id,
          channel: ctx.channel,
          ip: ctx.ip,
          user_agent: ctx.userAgent,
          request_id: ctx.requestId,
          data,
        })),
      )
      .execute();
    await also(
      tx,
      group.map(({ item }) => item),
    );
    return tx
      .selectFrom('workspaces')
      .select(['id', 'auth_epoch', 'serving_epoch'])
      .where('id', 'in', workspaces)
      .orderBy('id')
      .forShare()
      .execute();
  });
  const of = new Map(
    epochs.map(({ id, auth_epoch, serving_epoch }) => [id, { auth: auth_epoch, serving: serving_epoch }]),
  );
  for (const { item, resolve } of group) resolve(of.get(item.ctx.workspaceId)!);
}
