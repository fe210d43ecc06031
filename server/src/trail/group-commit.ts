import type { Database } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { openStatement, type Statement, textArray } from '../lib/db/statement.ts';
import { Failure } from '../lib/failure.ts';
import { type AuditEntry, auditColumns, type Columns } from './audit-entry.ts';
import { columnTexts, insertText } from './insert.ts';

/** The epochs of a workspace: `auth` counts changes of rights, `serving` counts changes of what is served. */
export type Epochs = {
  readonly auth: number;
  readonly serving: number;
  /** When the epochs were asked for, in milliseconds of `performance.now`. They were read later than that. */
  readonly askedAt: number;
};

/** A table whose rows are committed together with audit entries. */
export type RowSet<T> = { readonly table: string; readonly columns: Columns<T> };

/** A row together with its set. Only the set knows the type of the row; `rowOf` makes the pair. */
export type SetRow = { readonly set: RowSet<never>; readonly row: never };

export function rowOf<T>(set: RowSet<T>, row: T): SetRow {
  // The cast holds because only the set's own columns read the row.
  return { set, row } as unknown as SetRow;
}

/** An audit entry and the rows that are kept with it, of the sets with which the group commit was opened. */
export type CommitItem = { readonly entry: AuditEntry; readonly rows: readonly SetRow[] };

export type GroupCommit = {
  /**
   * Resolves once the item is durable, with the epochs of its workspace as of that commit.
   * Throws Failure 'unavailable' when the database does not answer; the item may or may not have been kept then.
   */
  commit(item: CommitItem): Promise<Epochs>;
  /** Refuses further items, and waits for those under way. */
  close(): Promise<void>;
};

const groupMax = 256;
const groupsInFlightMax = 2;
/** How long items wait for the group in flight; after that they are sent beside it. */
const waitMs = 2;
/** Items that may wait; further ones are refused, since callers can wait better than this process can. */
export const waitingMax = 20_000;
const timeoutMs = 10_000;

/** The audit entries of the items; the service opens its group commit with them. */
export const auditRows: RowSet<AuditEntry> = { table: 'audit_entries', columns: auditColumns };

type WaitingItem = {
  readonly item: CommitItem;
  readonly resolve: (epochs: Epochs) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits items that arrive together in one statement, which inserts the rows of each that are of `sets`.
 * While one group commits, the next one gathers, so a lone item waits for no other.
 *
 * The statement holds the rights in the workspaces still (`current_epochs` takes a shared lock). So a revocation
 * commits either before the group, and shows in the epochs, or after it, when every answer that did not know of the
 * revocation is durable.
 */
export function openGroupCommit(db: Database, sets: readonly RowSet<never>[]): GroupCommit {
  const statement = openStatement<EpochsRow>(db, {
    name: 'group commit',
    text: statementText(sets),
    settings: { role: 'lastro_system', 'app.job': 'group commit' },
    connections: groupsInFlightMax,
    timeoutMs,
  });
  let waiting: WaitingItem[] = [];
  let inFlight = 0;
  let isTimed = false;
  let drained: (() => void) | null = null;
  const send = (): void => {
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    inFlight++;
    commitGroup(statement, sets, group).finally(() => {
      inFlight--;
      gather();
      if (inFlight === 0 && waiting.length === 0) drained?.();
    });
  };
  /**
   * Sends the waiting items when no group is in flight, when they have waited long enough, or when they fill a group.
   */
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

/**
 * Resolves or rejects every item of a group. When PostgreSQL refuses a group, its halves are tried separately, so that
 * a bad item fails alone.
 */
async function commitGroup(
  statement: Statement<EpochsRow>,
  sets: readonly RowSet<never>[],
  group: readonly WaitingItem[],
): Promise<void> {
  const rows = group.flatMap(({ item }) => [rowOf(auditRows, item.entry), ...item.rows]);
  const workspaces = [...new Set(group.map(({ item }) => item.entry.workspaceId))].sort();
  const askedAt = performance.now();
  try {
    const texts = sets.flatMap((set) => columnTexts(set.columns, rowsOf(set, rows)));
    const epochs = await statement.run([...texts, workspaces].map(textArray));
    const of = new Map(epochs.map((row) => [row.id, { auth: row.auth_epoch, serving: row.serving_epoch, askedAt }]));
    for (const { item, resolve } of group) resolve(of.get(item.entry.workspaceId!)!);
  } catch (error) {
    if (group.length === 1 || error instanceof Failure) for (const { reject } of group) reject(error);
    else {
      const half = group.length >> 1;
      await commitGroup(statement, sets, group.slice(0, half));
      await commitGroup(statement, sets, group.slice(half));
    }
  }
}

function rowsOf(set: RowSet<never>, rows: readonly SetRow[]): never[] {
  return rows.filter((row) => row.set === set).map(({ row }) => row);
}

function statementText(sets: readonly RowSet<never>[]): string {
  let next = 1;
  const inserts = sets.map(({ table, columns }, at) => {
    const first = next;
    next += Object.keys(columns).length;
    return `inserted_${at} as (${insertText(table, columns, first)})`;
  });
  return `with ${inserts.join(',\n    ')}
    select id, auth_epoch, serving_epoch from current_epochs($${next}::text[])`;
}
