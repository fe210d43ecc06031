import type { SftpPrincipal } from '../access/credentials/sftp-user.ts';
import { refuse } from '../errors.ts';
import type { Entry, FileTree, Path } from '../lib/sftp/file-tree.ts';
import { writePath } from '../lib/sftp/path.ts';
import type { App } from '../resources/app.ts';
import type { Folder } from './folder.ts';
import { inFolder } from './in-folder.ts';
import { outFolder } from './out-folder.ts';
import { openRights } from './rights.ts';
import type { SpoolRoom } from './spool-room.ts';
import { logsFolder, samplesFolder } from './text-folders.ts';

const root = 'batch';

/**
 * What a user of SFTP sees: `batch` with its four folders, and files in these. All of it is names: what they stand for
 * lies in database and storage.
 */
export function openTree(app: App, user: SftpPrincipal, ip: string, room: SpoolRoom): FileTree {
  const rights = openRights(app, user, ip);
  const folders: Readonly<Record<string, Folder>> = {
    in: inFolder(app, rights, room),
    out: outFolder(app, rights),
    logs: logsFolder(app, rights),
    samples: samplesFolder(app, rights),
  };
  const since = new Date();
  const folderEntry = (name: string, isWritable: boolean): Entry => ({
    ...{ name, kind: 'folder', bytes: 0, modified: since, isWritable },
  });
  const fileAt = (path: Path): { folder: Folder; name: string } => {
    const [first, second, name, ...rest] = path;
    const folder =
      first === root && second !== undefined && Object.hasOwn(folders, second) ? folders[second] : undefined;
    if (!folder || name === undefined) throw refuse('forbidden', `files lie in ${root}/in, out, logs and samples`);
    if (rest.length > 0) throw refuse('forbidden', `there are no folders within ${root}/${second}`);
    return { folder, name };
  };
  const missing = (path: Path) => refuse('not_found', `there is no ${writePath(path)}`);
  return {
    async *list(path) {
      const [first, second, ...rest] = path;
      if (first === undefined) yield [folderEntry(root, false)];
      else if (first !== root) throw missing(path);
      else if (second === undefined)
        yield Object.entries(folders).map(([name, { isWritable }]) => folderEntry(name, isWritable));
      else if (rest.length > 0 || !Object.hasOwn(folders, second)) throw missing(path);
      else yield* folders[second]!.list();
    },
    async stat(path) {
      if (path.length === 0) return folderEntry('/', false);
      if (path[0] !== root) throw missing(path);
      if (path.length === 1) return folderEntry(root, false);
      if (!Object.hasOwn(folders, path[1]!)) throw missing(path);
      if (path.length === 2) return folderEntry(path[1]!, folders[path[1]!]!.isWritable);
      if (path.length > 3) throw missing(path);
      return folders[path[1]!]!.find(path[2]!);
    },
    async openToRead(path) {
      const { folder, name } = fileAt(path);
      return folder.openToRead(name);
    },
    async openToWrite(path, how) {
      const { folder, name } = fileAt(path);
      if (!folder.openToWrite) throw refuse('forbidden', `files are put into ${root}/in alone`);
      return folder.openToWrite(name, how);
    },
    async remove(path) {
      const { folder, name } = fileAt(path);
      if (!folder.remove) throw refuse('forbidden', 'what the service writes here goes by itself after 30 days');
      await folder.remove(name);
    },
    async rename(from, to) {
      const [source, target] = [fileAt(from), fileAt(to)];
      if (source.folder !== target.folder || !source.folder.rename)
        throw refuse('forbidden', `files are renamed within ${root}/in alone`);
      await source.folder.rename(source.name, target.name);
    },
  };
}
