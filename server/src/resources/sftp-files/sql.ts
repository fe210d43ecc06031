import { type Insertable, sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { SftpFiles } from '../../schema/tables.ts';
import type { SftpFileRow } from './sftp-file.ts';

/** Whatever else is done to a name waits for this transaction: there is one file of a name, or none. */
export async function lockName(tx: Tx, { workspaceId }: Context, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`sftp ${workspaceId}`}), hashtext(${name}))`.execute(tx);
}

const all = (tx: Tx) => tx.selectFrom('sftp_files').selectAll().$narrowType<Pick<SftpFileRow, 'status'>>();

/** The file that is in `batch/in` under a name. */
export function selectByName(tx: Tx, name: string): Promise<SftpFileRow | undefined> {
  return all(tx).where('name', '=', name).where('removed_at', 'is', null).executeTakeFirst();
}

/** As `selectByName`, and locks the row. */
export function lockByName(tx: Tx, name: string): Promise<SftpFileRow | undefined> {
  return all(tx).where('name', '=', name).where('removed_at', 'is', null).forUpdate().executeTakeFirst();
}

/** The file that was taken last under a name: the one that is in `batch/in`, or else left it last; locked. */
export function lockLastTaken(tx: Tx, name: string): Promise<SftpFileRow | undefined> {
  return all(tx)
    .where('name', '=', name)
    .where('status', 'in', ['received', 'accepted'])
    .orderBy('removed_at', (order) => order.desc().nullsFirst())
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export function lockFile(tx: Tx, id: string): Promise<SftpFileRow | undefined> {
  return all(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The files that are in `batch/in` behind a name, in order of name, at most `most`. */
export function selectPresent(tx: Tx, after: string, most: number): Promise<SftpFileRow[]> {
  return all(tx).where('removed_at', 'is', null).where('name', '>', after).orderBy('name').limit(most).execute();
}

/** Newest first. */
export function selectPage(tx: Tx, before: string | null, most: number): Promise<SftpFileRow[]> {
  return all(tx)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

export async function insertFile(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  row: Omit<Insertable<SftpFiles>, 'organization_id' | 'workspace_id'>,
): Promise<void> {
  await tx
    .insertInto('sftp_files')
    .values({ ...row, organization_id: organizationId, workspace_id: workspaceId })
    .execute();
}

export async function updateFile(tx: Tx, id: string, change: Updateable<SftpFiles>): Promise<void> {
  await tx.updateTable('sftp_files').set(change).where('id', '=', id).execute();
}

/**
 * Removes what is not shown any more: files older than `shownMs`, and beginnings without an end older than
 * `incompleteMs`. Returns the keys of bytes that nothing refers to then.
 */
export async function markExpired(
  tx: Tx,
  { shownMs, incompleteMs }: { readonly shownMs: number; readonly incompleteMs: number },
): Promise<string[]> {
  const rows = await tx
    .updateTable('sftp_files')
    .set({ removed_at: sql<Date>`now()` })
    .where('removed_at', 'is', null)
    .where((or) =>
      or.or([
        or('created_at', '<', sql<Date>`now() - ${shownMs} * interval '1 ms'`),
        or.and([
          or('status', '=', 'incomplete'),
          or('created_at', '<', sql<Date>`now() - ${incompleteMs} * interval '1 ms'`),
        ]),
      ]),
    )
    .returning(['storage_key', 'file_id'])
    .execute();
  return rows.flatMap(({ storage_key, file_id }) => (file_id === null && storage_key !== null ? [storage_key] : []));
}

/** Deletes the rows of files that were removed `ms` ago, at most `most`. Returns how many. */
export async function deleteRemoved(tx: Tx, ms: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sftp_files where id in (
      select id from sftp_files where removed_at < now() - ${ms} * interval '1 ms'
      order by removed_at limit ${most} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** Removes all that no file of the workspace has the bytes of. Returns their keys. */
export async function markUnsubmitted(tx: Tx): Promise<string[]> {
  const rows = await tx
    .updateTable('sftp_files')
    .set({ removed_at: sql<Date>`now()` })
    .where('removed_at', 'is', null)
    .where('file_id', 'is', null)
    .returning('storage_key')
    .execute();
  return rows.flatMap(({ storage_key }) => storage_key ?? []);
}

/** Names under which files came since a moment, behind one, in order of name, at most `most`. */
export async function selectNames(tx: Tx, since: Date, after: string, most: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('sftp_files')
    .select('name')
    .distinct()
    .where('name', '>', after)
    .where('created_at', '>=', since)
    .orderBy('name')
    .limit(most)
    .execute();
  return rows.map(({ name }) => name);
}

/** Those of the names by which `digest` (the beginning of a SHA-256, in hex) tells names of at least `bytes` apart. */
export async function selectNamesOfDigest(tx: Tx, digest: string, bytes: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from sftp_files
    where octet_length(name) >= ${bytes}
      and starts_with(encode(sha256(convert_to(name, 'UTF8')), 'hex'), ${digest})
    limit ${digestNamesMax}`.execute(tx);
  return rows.map(({ name }) => name);
}
/** More long names than have one digest. */
const digestNamesMax = 10;

/**
 * The files that came under names since a moment, each with its batch and what came of it there, in order of name, the
 * newest first: of each name at most `ofName`, and of all at most `most`.
 */
export async function selectTold(
  tx: Tx,
  { names, since, ofName, most }: { names: readonly string[]; since: Date; ofName: number; most: number },
) {
  return tx
    .selectFrom(sql<{ name: string }>`unnest(${[...names]}::text[])`.as<'n'>(sql`n(name)`))
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('sftp_files')
          .selectAll()
          .whereRef('sftp_files.name', '=', 'n.name')
          .where('created_at', '>=', since)
          .orderBy('id', 'desc')
          .limit(ofName)
          .as('s'),
      (join) => join.onTrue(),
    )
    .leftJoin('batches as b', 'b.id', 's.batch_id')
    .leftJoin('batch_files as f', (join) =>
      join.onRef('f.batch_id', '=', 's.batch_id').onRef('f.file_id', '=', 's.file_id'),
    )
    .selectAll('s')
    .$narrowType<Pick<SftpFileRow, 'status'>>()
    .select(['b.status as batch_status', 'b.started_at', 'b.finished_at', 'b.failure', 'b.result_deleted_at'])
    .select(['f.rows', 'f.output_rows', 'f.output_format', 'f.output_key', 'f.output_sha256', 'f.output_bytes'])
    .select(['f.output_path', 'f.warnings'])
    .select(
      sql<boolean>`(f.failure is not null or exists (
        select from batch_units as u where u.batch_id = s.batch_id and u.errors_key is not null))`.as('has_rejects'),
    )
    .orderBy('s.name')
    .orderBy('s.id', 'desc')
    .limit(most)
    .execute();
}
export type Told = Awaited<ReturnType<typeof selectTold>>[number];

/** The models whose alias `production` points at a version, with the inputs of that; in order of name. */
export function selectServed(tx: Tx) {
  return tx
    .selectFrom('aliases as a')
    .innerJoin('models as m', 'm.id', 'a.model_id')
    .innerJoin('model_versions as v', 'v.id', 'a.version_id')
    .select(['m.name', 'v.inputs', 'v.created_at as updated_at'])
    .where('a.alias', '=', 'production')
    .orderBy('m.name')
    .execute();
}
