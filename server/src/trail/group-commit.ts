import type { Database } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { openStatement, type Statement, textArray } from '../lib/db/statement.ts';
import { Failure } from '../lib/failure.ts';
import { type AuditEntry, auditColumns, type Columns } from './audit-entry.ts';
import { columnTexts, insertText } from './insert.ts';

/** What a workspace stands at: who may do what, and what is served. */
export type Epochs = {
  readonly auth: number;
  readonly serving: number;
  /** When they were asked for, in milliseconds of `performance.now`: they were read later than that. */
  readonly askedAt: number;
};

/** Rows of a table that are committed beside audit entries. */
export type RowSet<T> = { readonly table: string; readonly columns: Columns<T> };

/** A row of a set, its type known to the set alone: made by `rowOf`. */
export type SetRow = { readonly set: RowSet<never>; readonly row: never };

export function rowOf<T>(set: RowSet<T>, row: T): SetRow {
  // Only the set reads the row again.
  return { set, row } as unknown as SetRow;
}

/** An audit entry and what is kept with it: rows of the sets that the group commit was opened with. */
export type CommitItem = { readonly entry: AuditEntry; readonly rows: readonly SetRow[] };

export type GroupCommit = {
  /**
   * Resolves once the item is durable, with the epochs of its workspace as of that commit.
   * Throws Failure 'unavailable' when the database does not answer; that leaves open whether the item was kept.
   */
  commit(item: CommitItem): Promise<Epochs>;
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

type Waiting = {
  readonly item: CommitItem;
  readonly resolve: (epochs: Epochs) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits items that arrive together in one statement: the audit entry of each, and its rows of `sets`. While a group
 * commits the next one gathers, so a lone item waits for nobody. Rights in the workspaces stand still meanwhile
 * (`current_epochs`): a revocation commits either before, and shows in the epochs, or after every answer that did not
 * know of it was durable.
 */
export function openGroupCommit(db: Database, sets: readonly RowSet<never>[]): GroupCommit {
  const statement = openStatement<EpochsRow>(db, {
    name: 'group commit',
    text: statementText(sets),
    settings: { role: 'lastro_system', 'app.job': 'group commit' },
    connections: groupsInFlightMax,
    timeoutMs,
  });
  let waiting: Waiting[] = [];
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

/**
 * Settles every item of a group. What PostgreSQL refuses of a group is tried in halves: one bad item spoils no other.
 */
async function commitGroup(
  statement: Statement<EpochsRow>,
  sets: readonly RowSet<never>[],
  group: readonly Waiting[],
): Promise<void> {
  const entries = group.map(({ item }) => item.entry);
  const rows = group.flatMap(({ item }) => item.rows);
  const workspaces = [...new Set(entries.map(({ workspaceId }) => workspaceId))].sort();
  const askedAt = performance.now();
  try {
    const texts = [
      ...columnTexts(auditColumns, entries),
      ...sets.flatMap((set) => columnTexts(set.columns, rowsOf(set, rows))),
    ];
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
  const inserted = [{ table: 'audit_entries', columns: auditColumns as Columns<never> }, ...sets];
  let next = 1;
  const inserts = inserted.map(({ table, columns }, at) => {
    const first = next;
    next += Object.keys(columns).length;
    return `inserted_${at} as (${insertText(table, columns, first)})`;
  });
  return `with ${inserts.join(',\n    ')}
    select id, auth_epoch, serving_epoch from current_epochs($${next}::text[])`;
}
