import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { type Page, readPage } from '../../api/list.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type EntryFilter, filterInWords, readFilter } from './filter.ts';
import { type EntryRow, selectEntries, selectEntry } from './sql.ts';

type Asked = Parameters<typeof readFilter>[0] & { readonly limit?: number; readonly cursor?: string };

/** A page of the scope's entries, newest first. Reading is recorded. Throws as `readFilter` and `readPage` do. */
export async function listEntries<T>(
  app: App,
  ctx: Context<Scope>,
  { limit, cursor, ...asked }: Asked,
  present: (row: EntryRow) => T,
): Promise<Page<T>> {
  const filter = readFilter(asked);
  const words = filterInWords(asked);
  const scope = ctx.workspaceId ?? ctx.organizationId;
  return readPage(
    app.keys.cursors,
    [scope, 'audit-entries', ...words],
    { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) },
    (last, most) => readSome(app, ctx, { filter, words }, last, most),
    ({ row }) => present(row),
  );
}

/** A row as pages go by it: its place in the order is when it was recorded, and then its id. */
type Placed = { readonly id: string; readonly row: EntryRow };

function readSome(
  app: App,
  ctx: Context<Scope>,
  { filter, words }: { readonly filter: EntryFilter; readonly words: readonly string[] },
  last: string | null,
  most: number,
): Promise<Placed[]> {
  const [recordedAt, id] = last?.split(' ') ?? [];
  const before = last === null ? null : { recordedAt: recordedAt!, id: id! };
  return tenant(app.db, ctx, async (tx) => {
    const rows = await selectEntries(tx, ctx, filter, before, most);
    await record(tx, ctx, 'audit-read', placeOf(ctx), { filter: [...words] });
    return rows.map((row) => ({ id: `${row.recorded_at} ${row.id}`, row }));
  });
}

/** One entry of the scope. Reading is recorded. Throws Failure 'not_found'. */
export async function getEntry(app: App, ctx: Context<Scope>, id: string): Promise<EntryRow> {
  const row = await tenant(app.db, ctx, async (tx) => {
    const found = await selectEntry(tx, ctx, id);
    if (found) await record(tx, ctx, 'audit-read', { type: 'audit_entry', id }, { filter: [] });
    return found;
  });
  if (!row) throw refuse('not_found', `there is no audit entry ${id}`);
  return row;
}

function placeOf({ workspaceId, organizationId }: Context<Scope>) {
  return workspaceId === null ? { type: 'organization', id: organizationId } : { type: 'workspace', id: workspaceId };
}
