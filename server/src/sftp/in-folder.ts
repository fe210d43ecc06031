import { join } from 'node:path';
import type { Context } from '../access/context.ts';
import { tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { WritableFile } from '../lib/sftp/file-tree.ts';
import type { App } from '../resources/app.ts';
import { findSftpFile, listSftpFiles } from '../resources/sftp-files/find.ts';
import { receiveSftpFile, refuseSftpFile } from '../resources/sftp-files/receive.ts';
import { removeSftpFile } from '../resources/sftp-files/remove.ts';
import { renameSftpFile } from '../resources/sftp-files/rename.ts';
import { fileBytesMax, type SftpFileRow } from '../resources/sftp-files/sftp-file.ts';
import { record } from '../trail/record.ts';
import { type Folder, fileEntry } from './folder.ts';
import type { Rights } from './rights.ts';
import { openSpool, type Spool } from './spool.ts';
import type { SpoolRoom } from './spool-room.ts';
import { openStored } from './stored-file.ts';

/** `batch/in`: what a client has put there, and what it is putting there now. */
export function inFolder(app: App, rights: Rights, room: SpoolRoom): Folder {
  /** By name, what this connection is writing: others see a file when it is closed. */
  const writing = new Map<string, WritableFile>();
  const entryOf = ({ name, bytes, created_at }: SftpFileRow) => fileEntry(name, Number(bytes), created_at, true);
  const find = async (name: string) => {
    const row = await findSftpFile(app, await rights('upload_files', 'reads'), name);
    if (!row) throw refuse('not_found', `there is no file ${name}`);
    return row;
  };
  /** With the bytes of what is under the name, where the client goes on with them. */
  const spoolOf = async (ctx: Context, kept: SftpFileRow | null, keeps: boolean): Promise<Spool> => {
    const share = room.open(ctx, Number(kept?.bytes ?? 0));
    try {
      if (keeps && kept) await share.resize(Number(kept.bytes));
      const already = keeps && kept ? await app.storage.get(kept.storage_key!, kept.sha256) : null;
      return await openSpool(join(app.workFolder, 'sftp'), { most: fileBytesMax, share, already });
    } catch (error) {
      share.release();
      throw error;
    }
  };
  return {
    isWritable: true,
    async *list() {
      const now = [...writing.values()].map((file) => file.entry());
      const names = new Set(now.map(({ name }) => name));
      for await (const rows of listSftpFiles(app, () => rights('upload_files', 'reads')))
        yield rows.filter(({ name }) => !names.has(name)).map(entryOf);
      yield now;
    },
    async find(name) {
      return writing.get(name)?.entry() ?? entryOf(await find(name));
    },
    async openToRead(name) {
      const ensure = () => rights('download_files', 'reads');
      const ctx = await ensure();
      const row = await find(name);
      const { storage_key: key, sha256 } = row;
      if (key === null || sha256 === null)
        throw refuse('not_found', `the bytes of ${name} were not kept: its log says why`);
      const target = { type: row.file_id === null ? 'sftp_file' : 'file', id: row.file_id ?? row.id };
      await tenant(app.db, ctx, (tx) => record(tx, ctx, 'file-download', target, { path: `batch/in/${name}` }));
      return openStored(app.storage, { key, sha256 }, entryOf(row), ensure);
    },
    async openToWrite(name, { keeps, isNew }) {
      const ctx = await rights('upload_files', 'changes');
      const before = await findSftpFile(app, ctx, name);
      if (before && isNew) throw refuse('conflict', `there is a file ${name} already`);
      const kept = before?.storage_key ? before : null;
      const spool = await spoolOf(ctx, kept, keeps);
      const opened = new Date();
      let tooLarge: string | null = null;
      const end = async (isWhole: boolean): Promise<void> => {
        if (writing.get(name) === file) writing.delete(name);
        try {
          await spool.close();
          const now = await rights('upload_files', 'changes');
          if (tooLarge !== null) await refuseSftpFile(app, now, { name, bytes: spool.bytes(), problem: tooLarge });
          else await receiveSftpFile(app, now, { name, path: spool.path, bytes: spool.bytes(), isWhole });
        } finally {
          await spool.remove();
        }
      };
      const noting = async (change: Promise<void>): Promise<void> => {
        try {
          await change;
        } catch (error) {
          const { reason, message } = error as { readonly reason?: string; readonly message: string };
          if (reason === 'limit_exceeded' || reason === 'quota_exceeded') tooLarge = message;
          throw error;
        }
      };
      const file: WritableFile = {
        entry: () => fileEntry(name, spool.bytes(), opened, true),
        write: (offset, bytes) => noting(spool.write(offset, bytes)),
        truncate: (bytes) => noting(spool.truncate(bytes)),
        finish: () => end(true),
        abandon: () => end(false),
      };
      writing.set(name, file);
      return file;
    },
    async remove(name) {
      await removeSftpFile(app, await rights('delete_files', 'changes'), name);
    },
    async rename(from, to) {
      await renameSftpFile(app, await rights('upload_files', 'changes'), from, to);
    },
  };
}
