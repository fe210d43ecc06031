import { newId } from '../lib/crypto/ids.ts';
import { openStatement, type Statement, textArray } from '../lib/db/statement.ts';
import { Failure } from '../lib/failure.ts';
import type { Context } from './context.ts';
import type { Database } from './doors.ts';
import { refuse } from './errors.ts';
import type { AuditAction } from './events.ts';

/** What a workspace stands at: who may do what, and what is served. */
export type Epochs = {
  readonly auth: number;
  readonly serving: number;
  /** When they were asked for, in milliseconds of `performance.now`: they were read later than that. */
  readonly askedAt: number;
};

export type AuditItem = {
  readonly ctx: Context;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  /** JSON. */
  readonly data: string;
};

/** Columns of a table and how each is read off an item, as PostgreSQL takes its text. */
export type Columns<T> = Readonly<
  Record<string, { readonly type: 'text' | 'jsonb' | 'timestamptz'; readonly read: (item: T) => string | null }>
>;

export type GroupCommit<T extends AuditItem> = {
  /**
   * Resolves once the item is durable, with the epochs of its workspace as of that commit.
   * Throws Failure 'unavailable' when the database does not answer; that leaves open whether the item was kept.
   */
  commit(item: T): Promise<Epochs>;
  /** Refuses more, and waits for what is under way. */
  close(): Promise<void>;
};

const groupMax = 256;
const groupsInFlightMax = 2;
/** Items wait so long for the group before theirs; then they go beside it. */
const waitMs = 2;
/** So many more are refused: whoever asks can wait better than we can. */
const waitingMax = 20_000;
const timeoutMs = 10_000;

type Waiting<T> = {
  readonly item: T;
  readonly resolve: (epochs: Epochs) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits items that arrive together in one transaction: the audit entry of each, and a row of `table`. While a group
 * commits the next one gathers, so a lone item waits for nobody. Rights in the workspaces stand still meanwhile
 * (`current_epochs`): a revocation commits either before, and shows in the epochs, or after every answer that did not
 * know of it was durable.
 */
export function openGroupCommit<T extends AuditItem>(db: Database, table: string, columns: Columns<T>): GroupCommit<T> {
  const written = [...entryColumns, ...Object.values(columns)];
  const statement = openStatement<EpochsRow>(db, {
    name: `commit ${table}`,
    text: statementText(table, columns),
    settings: { role: 'lastro_system', 'app.job': 'group commit' },
    connections: groupsInFlightMax,
    timeoutMs,
  });
  let waiting: Waiting<T>[] = [];
  let inFlight = 0;
  let isTimed = false;
  let drained: (() => void) | null = null;
  const send = (): void => {
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    inFlight++;
    commitGroup(statement, written, group).finally(() => {
      inFlight--;
      gather();
      if (inFlight === 0 && waiting.length === 0) drained?.();
    });
  };
  /** Sends what waits if nothing is under way, or if it has waited long enough. */
  const gather = (hasWaited = false): void => {
    if (waiting.length === 0 || inFlight >= groupsInFlightMax) return;
    if (inFlight === 0 || hasWaited || waiting.length >= groupMax) send();
    else if (!isTimed) {
      isTimed = true;
      setTimeout(() => {
        isTimed = false;
        gather(true);
      }, waitMs);
    }
  };
  return {
    commit: (item) =>
      new Promise((resolve, reject) => {
        if (drained) throw refuse('unavailable', 'the service is stopping');
        if (waiting.length >= waitingMax) throw refuse('unavailable', 'too many answers wait to be recorded');
        waiting.push({ item, resolve, reject });
        if (waiting.length === 1) setImmediate(gather);
        else if (waiting.length === groupMax) gather();
      }),
    async close() {
      const done = new Promise<void>((resolve) => (drained = resolve));
      if (inFlight > 0 || waiting.length > 0) await done;
      await statement.close();
    },
  };
}

type EpochsRow = { readonly id: string; readonly auth_epoch: number; readonly serving_epoch: number };
type Written<T> = { readonly read: (item: T) => string | null };

/** Settles every item of a group. What PostgreSQL refuses of a group is tried in halves: one bad item spoils no other. */
async function commitGroup<T extends AuditItem>(
  statement: Statement<EpochsRow>,
  columns: readonly Written<T>[],
  group: readonly Waiting<T>[],
): Promise<void> {
  const workspaces = [...new Set(group.map(({ item }) => item.ctx.workspaceId))].sort();
  const askedAt = performance.now();
  try {
    const rows = await statement.run([
      ...columns.map(({ read }) => textArray(group.map(({ item }) => read(item)))),
      textArray(workspaces),
    ]);
    const of = new Map(rows.map((row) => [row.id, { auth: row.auth_epoch, serving: row.serving_epoch, askedAt }]));
    for (const { item, resolve } of group) resolve(of.get(item.ctx.workspaceId)!);
  } catch (error) {
    if (group.length === 1 || error instanceof Failure) for (const { reject } of group) reject(error);
    else {
      const half = group.length >> 1;
      await commitGroup(statement, columns, group.slice(0, half));
      await commitGroup(statement, columns, group.slice(half));
    }
  }
}

const entry: Columns<AuditItem> = {
  id: { type: 'text', read: () => newId('aud') },
  organization_id: { type: 'text', read: ({ ctx }) => ctx.organizationId },
  workspace_id: { type: 'text', read: ({ ctx }) => ctx.workspaceId },
  action: { type: 'text', read: ({ action }) => action },
  actor_type: { type: 'text', read: ({ ctx }) => ctx.actor.type },
  actor_id: { type: 'text', read: ({ ctx }) => ctx.actor.id },
  actor_label: { type: 'text', read: ({ ctx }) => ctx.actor.label },
  target_type: { type: 'text', read: ({ target }) => target.type },
  target_id: { type: 'text', read: ({ target }) => target.id },
  channel: { type: 'text', read: ({ ctx }) => ctx.channel },
  ip: { type: 'text', read: ({ ctx }) => ctx.ip },
  user_agent: { type: 'text', read: ({ ctx }) => ctx.userAgent },
  request_id: { type: 'text', read: ({ ctx }) => ctx.requestId },
  data: { type: 'jsonb', read: ({ data }) => data },
};
const entryColumns = Object.values(entry);

function statementText<T>(table: string, columns: Columns<T>): string {
  const types = (of: Columns<never>) => Object.values(of).map(({ type }) => type);
  const insert = (into: string, of: Columns<never>, from: number, constants: Readonly<Record<string, string>> = {}) => {
    const names = Object.keys(of);
    const values = names.map((name, at) => (types(of)[at] === 'text' ? name : `${name}::${types(of)[at]}`));
    const arrays = names.map((_, at) => `$${from + at}::text[]`);
    return `insert into ${into} (${[...names, ...Object.keys(constants)].join(', ')})
      select ${[...values, ...Object.values(constants)].join(', ')}
      from unnest(${arrays.join(', ')}) as item (${names.join(', ')})`;
  };
  const width = entryColumns.length;
  return `with entries as (${insert('audit_entries', entry, 1, { outcome: "'succeeded'" })}),
    also as (${insert(table, columns, width + 1)})
    select id, auth_epoch, serving_epoch from current_epochs($${width + Object.keys(columns).length + 1}::text[])`;
}
