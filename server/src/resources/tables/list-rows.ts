import type { Static } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { pageBytesMax, pageSize } from '../../api/list.ts';
import { refuse } from '../../errors.ts';
import type { DatedRow } from '../../lib/files/parquet-order.ts';
import { makeCursor, readCursor } from '../../lib/http/cursor.ts';
import { readManifest, type TablePart } from '../../ml/lake/manifest.ts';
import type { AskedKey, LocalPart, Place, ToldRow } from '../../ml/lake/rows.ts';
import { openStored } from '../../serving/open-stored.ts';
import { currentIdentifiers, currentSnapshot, requireSnapshot, type SnapshotRow } from '../../serving/snapshot.ts';
import { localIdentifiers } from '../../serving/snapshot-files.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { partKey } from '../ingestions/storage-key.ts';
import type { readRows, readRowsByTime } from './reading.ts';
import type { tableRowsSchema } from './table.ts';

/** Most parts of a table of which rows are read by one task, and most tasks for one page. */
const windowMax = 16;
const tasksMax = 8;

/** Most parts of a table whose rows are told by time, for which all of them are looked through. */
const partsByTimeMax = 1_024;

/** Where a list goes on: in the snapshot that its first page was of. `at`: of rows that are told by time. */
type Position = Place & { readonly snapshotId: string | null; readonly at: number };

export type RowsQuery = {
  readonly limit?: number;
  readonly cursor?: string;
  readonly key?: string;
  readonly key_prefix?: string;
  readonly order?: string;
};

/** A snapshot, and the storage key of the dictionary of names by which it is read. */
type Source = { readonly snapshot: SnapshotRow; readonly names: string | null };

/**
 * Returns a page of the rows of a table, of the state of the data that the first page found. As of a download of the
 * file that they came in, the trail has an entry of it. Throws Failure 'not_found', 'no_data', 'invalid_cursor',
 * 'invalid_parameter', 'budget_exceeded', 'object_damaged', and 'entity_erased' where an erasure has emptied that state
 * since.
 */
export async function listRows(
  app: App,
  ctx: Context,
  table: string,
  { limit, cursor, key, key_prefix: prefix, order = 'arrival' }: RowsQuery,
): Promise<Static<typeof tableRowsSchema>> {
  const isByTime = order !== 'arrival';
  const text = key ?? prefix;
  if (text !== undefined && (isByTime || (key !== undefined && prefix !== undefined))) {
    const message = 'key, key_prefix and an order by date cannot be asked for together: leave all but one out';
    const problems = [{ at: `/query/${key === undefined ? 'key_prefix' : 'key'}`, message }];
    throw refuse('invalid_parameter', message, { problems });
  }
  const asked = { key: text === undefined ? null : { text, isPrefix: key === undefined } };
  const list = JSON.stringify([ctx.workspaceId, 'table rows', table, asked.key, order]);
  const start = positionOf(cursor && readCursor(app.keys.cursors, list, cursor));
  const size = pageSize(limit);
  const read = async (source: Source) => ({
    snapshot: source.snapshot,
    ...(isByTime
      ? await readPageByTime(app, ctx, source, { table, start, most: size + 1, isNewestFirst: order === 'newest' })
      : await readPage(app, ctx, source, { table, start, most: size + 1, ...asked })),
  });
  const { snapshot, ...found } = await openStored(app.storage, `The table ${table}`, () =>
    upToErasure(() => findSource(app, ctx, start.snapshotId), read),
  );
  const page = found.rows.slice(0, size);
  const next = found.rows.length > size ? page[size - 1].next : found.stopped;
  await tenant(app.db, ctx, (tx) =>
    record(tx, ctx, 'table-rows-view', { type: 'table', id: table }, { rows: page.length }),
  );
  return {
    ...{ table, snapshot_id: snapshot.id, contract_id: snapshot.contract_id, rows: found.total },
    columns: found.columns.map(({ isKey, ...column }) => ({ ...column, is_key: isKey })),
    personal_columns: [...found.personal],
    data: page.map(({ cells }) => Object.fromEntries(found.columns.map(({ name }, at) => [name, cells[at]]))),
    next_cursor: next && makeCursor(app.keys.cursors, list, `${snapshot.id} ${next.part} ${next.row} ${next.at}`),
    has_more: next !== null,
  };
}

function positionOf(text: string | undefined): Position {
  if (!text) return { snapshotId: null, part: 0, row: 0, at: 0 };
  const [snapshotId, ...place] = text.split(' ');
  const [part, row, at] = place.map(Number);
  return { snapshotId, part, row, at };
}

/** Finds a snapshot, the current one for null, with the names as they are now. */
function findSource({ db }: App, ctx: Context, id: string | null): Promise<Source> {
  return tenant(db, ctx, async (tx) => {
    const snapshot = await (id === null ? currentSnapshot(tx, ctx) : requireSnapshot(tx, id));
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
    return { snapshot, names: await currentIdentifiers(tx, ctx) };
  });
}

/** Reads from a source. What an erasure has taken away meanwhile, or changed, is read once more from what it left. */
async function upToErasure<R>(find: () => Promise<Source>, read: (source: Source) => Promise<R>): Promise<R> {
  const source = await find();
  const [done] = await Promise.allSettled([read(source)]);
  const now = await find();
  if (now.names !== source.names) return read(now);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

type Asked = { readonly table: string; readonly start: Position; readonly most: number };
type Found = Place & { readonly at: number };

/**
 * Reads up to `most` rows by tasks that each read of some parts, which alone are fetched from storage with those that
 * may have newer versions of their rows. Stops early at large rows, and where few of the rows looked at are told.
 */
async function readPage(
  app: App,
  ctx: Context,
  source: Source,
  { table, start, most, key }: Asked & { readonly key: AskedKey | null },
) {
  const { contract, identifiers, parts } = await openSource(app, source, table);
  const rows: { readonly cells: ToldRow['cells']; readonly next: Found }[] = [];
  let at: Place = { part: start.part, row: start.row };
  for (let task = 1; ; task++) {
    const rowsMax = most - rows.length;
    // Of rows with a key few are told of many.
    const end = key === null ? windowEnd(parts, at, rowsMax) : Math.min(at.part + windowMax, parts.length);
    const needed = parts.filter(({ changed }, index) => index >= at.part && (index < end || changed > 0));
    const local = await Promise.all(needed.map((part) => localPart(app, ctx, part)));
    const window = { parts: local, window: end - at.part, start: { part: 0, row: at.row } };
    const found = await app.reading.run<typeof readRows>(
      { name: 'readRows', input: { contract, table, identifiers, key, ...window, rowsMax, bytesMax: pageBytesMax } },
      ctx.workspaceId,
    );
    const { part: first } = at;
    const inTable = ({ part, row }: Place): Found => ({ part: first + part, row, at: 0 });
    rows.push(...found.rows.map(({ cells, next }) => ({ cells, next: inTable(next) })));
    const stopped: Found | null = found.stopped
      ? inTable(found.stopped)
      : end < parts.length
        ? { part: end, row: 0, at: 0 }
        : null;
    if (stopped === null || found.stopped !== null || task === tasksMax)
      return { columns: found.columns, personal: found.personal, rows, stopped, total: rowsOf(parts) };
    at = stopped;
  }
}

/** Looks at the times of all rows in one task, and reads up to `most` of the first of them. */
async function readPageByTime(
  app: App,
  ctx: Context,
  source: Source,
  { table, start, most, isNewestFirst }: Asked & { readonly isNewestFirst: boolean },
) {
  const { contract, identifiers, parts } = await openSource(app, source, table);
  if (parts.length > partsByTimeMax) {
    const message = `the table came in more than ${partsByTimeMax} files: its rows are told in the order in which they came`;
    throw refuse('invalid_parameter', message, { problems: [{ at: '/query/order', message }] });
  }
  const local = await Promise.all(parts.map((part) => localPart(app, ctx, part)));
  const after = start.snapshotId === null ? null : { file: start.part, row: start.row, at: start.at };
  const asked = { contract, table, identifiers, parts: local, isNewestFirst, after, rowsMax: most };
  const found = await app.reading.run<typeof readRowsByTime>(
    { name: 'readRowsByTime', input: { ...asked, bytesMax: pageBytesMax } },
    ctx.workspaceId,
  );
  const inTable = ({ file, row, at }: DatedRow): Found => ({ part: file, row, at });
  return {
    ...{ columns: found.columns, personal: found.personal, total: rowsOf(parts) },
    rows: found.rows.map(({ cells, at }) => ({ cells, next: inTable(at) })),
    stopped: found.stopped && inTable(found.stopped),
  };
}

async function openSource(app: App, { snapshot, names }: Source, table: string) {
  const { contract, numbered, tables } = readManifest(snapshot.manifest);
  const parts = tables.find(({ name }) => name === table)?.parts ?? [];
  return { contract, parts, identifiers: numbered === undefined ? null : await localIdentifiers(app.storage, names) };
}

const rowsOf = (parts: readonly TablePart[]): number => parts.reduce((sum, part) => sum + part.rows - part.changed, 0);

/** The end of the parts that have enough rows from a place on, if all are told; some at least, where there are some. */
function windowEnd(parts: readonly TablePart[], at: Place, rows: number): number {
  let end = at.part;
  for (let left = rows + at.row; end < parts.length && end < at.part + windowMax && left > 0; end++)
    left -= parts[end].rows;
  return end;
}

async function localPart({ storage }: App, ctx: Context, part: TablePart): Promise<LocalPart> {
  const path = await storage.localPath(partKey(ctx, part.path), part.sha256);
  return { path, rows: part.rows, isChanging: part.changed > 0 };
}
