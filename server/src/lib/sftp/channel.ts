import type { Attributes, FileEntry, SFTPWrapper } from 'ssh2';
import ssh2 from 'ssh2';
import { Failure, type FailureCode } from '../failure.ts';
import type { Entry, FileTree, ReadableFile, WritableFile } from './file-tree.ts';
import { readPath, writePath } from './path.ts';

const { OPEN_MODE: openMode, STATUS_CODE: status } = ssh2.utils.sftp;

export type ChannelOptions = {
  readonly tree: FileTree;
  /** Most handles that are open at once. */
  readonly handlesMax: number;
  /** Bytes that wait to be written or sent are counted here; the connection pauses while there are many. */
  waiting(bytes: number): void;
  /** Called with each request. */
  onRequest(): void;
  /** Runs what makes an answer: a connection is not idle meanwhile, however long it takes. */
  answering(work: () => Promise<void>): Promise<void>;
  /** Resolves when what has been sent has left, so that answers do not pile up. */
  sent(): Promise<void>;
  /** An error that is no Failure: a fault of the service. */
  onFault(error: unknown): void;
};

/** Answers that wait for the client to take them; one that asks for ever more without taking any is cut off. */
const untakenMax = 512;
const readBytesMax = 256 * 1024;
const entriesPerAnswer = 100;

type Open = { chain: Promise<unknown> } & (
  | { readonly kind: 'read'; readonly file: ReadableFile }
  | { readonly kind: 'write'; readonly file: WritableFile; failure: unknown }
  | { readonly kind: 'folder'; readonly pages: AsyncIterator<readonly Entry[]>; ready: readonly Entry[] }
);

/**
 * Answers the requests of one SFTP channel (draft-ietf-secsh-filexfer-02, version 3) from a tree. Reads and writes of a
 * file happen in their order, and so do all other requests. Returns a function that gives up what is still open.
 */
export function serveChannel(sftp: SFTPWrapper, options: ChannelOptions): () => Promise<void> {
  const { tree, handlesMax, waiting, onRequest, answering, sent, onFault } = options;
  const open = new Map<number, Open>();
  let nextHandle = 0;
  /** Of the requests about names. */
  let names: Promise<unknown> = Promise.resolve();
  let isOver = false;

  const answer = (id: number, error: unknown): void => {
    if (isOver) return;
    if (!(error instanceof Failure)) onFault(error);
    const [code, message] = statusOf(error);
    sftp.status(id, code, message);
  };
  const ok = (id: number): void => {
    if (!isOver) sftp.status(id, status.OK);
  };
  /** Runs a request after those before it and once it is `ready`, and answers with what it throws. */
  const inTurn = (id: number, work: () => Promise<void>, ready: () => unknown = () => {}): void => {
    onRequest();
    names = names
      .then(ready)
      .then(() => answering(work))
      .catch((error) => answer(id, error));
  };
  const handleOf = (handle: Buffer): [number, Open] => {
    const key = handle.length === 4 ? handle.readUInt32BE() : -1;
    const found = open.get(key);
    if (!found) throw new Failure('invalid', 'there is no such handle');
    return [key, found];
  };
  const reserve = (id: number, made: Open): void => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(nextHandle);
    open.set(nextHandle++, made);
    sftp.handle(id, handle);
  };
  const requireRoom = (): void => {
    if (open.size >= handlesMax) throw new Failure('limit_exceeded', `more than ${handlesMax} files are open`);
  };
  /**
   * Runs a request about an open file after those about the same file before it; those behind it wait for `after` too,
   * which makes no answer: a client that takes nothing is idle.
   */
  const onFile = (
    id: number,
    handle: Buffer,
    bytes: number,
    work: (file: Open) => Promise<void>,
    after: () => Promise<void> = async () => {},
  ): void => {
    onRequest();
    let file: Open;
    try {
      [, file] = handleOf(handle);
    } catch (error) {
      answer(id, error);
      return;
    }
    waiting(bytes);
    file.chain = file.chain
      .then(() => answering(() => work(file)))
      .catch((error) => answer(id, error))
      .then(after)
      .finally(() => waiting(-bytes));
  };

  sftp.on('OPEN', (id, name, flags) =>
    inTurn(id, async () => {
      requireRoom();
      const path = readPath(name);
      const chain = Promise.resolve();
      // Appending is left to the offsets that clients send with it: where they resume, they say so.
      if (flags & (openMode.WRITE | openMode.APPEND)) {
        const keeps = !(flags & openMode.TRUNC);
        const file = await tree.openToWrite(path, { keeps, isNew: Boolean(flags & openMode.EXCL) });
        if (isOver) await file.abandon();
        else reserve(id, { kind: 'write', file, chain, failure: null });
      } else {
        const file = await tree.openToRead(path);
        if (isOver) await file.close();
        else reserve(id, { kind: 'read', file, chain });
      }
    }),
  );
  sftp.on('READ', (id, handle, offset, length) => {
    const most = Math.min(length, readBytesMax);
    const read = async (file: Open): Promise<void> => {
      if (file.kind !== 'read') throw new Failure('forbidden', 'the file is not open to be read');
      const bytes = await file.file.read(offset, most);
      if (isOver) return;
      if (bytes.length === 0) sftp.status(id, status.EOF);
      else sftp.data(id, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      if (untaken(sftp) > untakenMax) sftp.end();
    };
    onFile(id, handle, most, read, sent);
  });
  sftp.on('WRITE', (id, handle, offset, data) =>
    onFile(id, handle, data.length, async (file) => {
      if (file.kind !== 'write') throw new Failure('forbidden', 'the file is not open to be written');
      // What came behind bytes that were refused would leave a hole in the file.
      if (file.failure !== null) throw file.failure;
      try {
        await file.file.write(offset, data);
      } catch (error) {
        // Some clients look at no answer but that to the closing.
        file.failure ??= error;
        throw error;
      }
      ok(id);
    }),
  );
  sftp.on('FSTAT', (id, handle) =>
    onFile(id, handle, 0, async (file) => {
      if (file.kind === 'folder') throw new Failure('invalid', 'the handle is of a folder');
      sftp.attrs(id, attributesOf(file.kind === 'read' ? file.file.entry : file.file.entry()));
    }),
  );
  sftp.on('FSETSTAT', (id, handle, { size }) =>
    onFile(id, handle, 0, async (file) => {
      if (size !== undefined && file.kind === 'write') await file.file.truncate(size);
      ok(id);
    }),
  );
  sftp.on('CLOSE', (id, handle) => {
    let file: Open;
    const close = async (): Promise<void> => {
      if (file.kind === 'write' && file.failure !== null) {
        await file.file.abandon();
        throw file.failure;
      }
      await (file.kind === 'write' ? file.file.finish() : giveUp(file));
      ok(id);
    };
    inTurn(id, close, () => {
      let key: number;
      [key, file] = handleOf(handle);
      // Whatever comes of it, the client can do no more with it.
      open.delete(key);
      return file.chain;
    });
  });
  sftp.on('OPENDIR', (id, name) =>
    inTurn(id, async () => {
      requireRoom();
      const pages = tree.list(readPath(name))[Symbol.asyncIterator]();
      const first = await pages.next();
      reserve(id, { kind: 'folder', pages, ready: first.done ? [] : first.value, chain: Promise.resolve() });
    }),
  );
  sftp.on('READDIR', (id, handle) =>
    onFile(id, handle, 0, async (file) => {
      if (file.kind !== 'folder') throw new Failure('invalid', 'the handle is of no folder');
      while (file.ready.length === 0) {
        const page = await file.pages.next();
        if (page.done) break;
        file.ready = page.value;
      }
      const told = file.ready.slice(0, entriesPerAnswer);
      file.ready = file.ready.slice(entriesPerAnswer);
      if (isOver) return;
      if (told.length === 0) sftp.status(id, status.EOF);
      else sftp.name(id, told.map(nameOf));
    }),
  );
  const tellStat = (id: number, name: string): void =>
    inTurn(id, async () => sftp.attrs(id, attributesOf(await tree.stat(readPath(name)))));
  sftp.on('STAT', tellStat);
  sftp.on('LSTAT', tellStat);
  sftp.on('SETSTAT', (id, name) =>
    inTurn(id, async () => {
      // Clients set times and modes after a transfer, and take a refusal for a failed transfer.
      await tree.stat(readPath(name));
      ok(id);
    }),
  );
  sftp.on('REALPATH', (id, name) =>
    inTurn(id, async () => {
      const filename = writePath(readPath(name));
      sftp.name(id, [{ filename, longname: filename, attrs: {} as Attributes }]);
    }),
  );
  sftp.on('REMOVE', (id, name) =>
    inTurn(id, async () => {
      await tree.remove(readPath(name));
      ok(id);
    }),
  );
  const rename = (id: number, from: string, to: string): void =>
    inTurn(id, async () => {
      await tree.rename(readPath(from), readPath(to));
      ok(id);
    });
  sftp.on('RENAME', rename);
  // OpenSSH's extension, by which other clients rename too, whether or not a server says that it has it.
  sftp.on('EXTENDED', (id, extension, data?: Buffer) => {
    const [from, to] = extension === 'posix-rename@openssh.com' && data ? readTexts(data) : [];
    if (from !== undefined && to !== undefined) rename(id, from, to);
    else inTurn(id, async () => sftp.status(id, status.OP_UNSUPPORTED, `there is no ${extension} here`));
  });
  const refuseFolders = (id: number): void =>
    inTurn(id, async () => {
      throw new Failure('forbidden', 'the folders are given: none is made or removed');
    });
  sftp.on('MKDIR', refuseFolders);
  sftp.on('RMDIR', refuseFolders);
  const refuseLinks = (id: number): void =>
    inTurn(id, async () => {
      throw new Failure('forbidden', 'there are no links here');
    });
  sftp.on('SYMLINK', refuseLinks);
  sftp.on('READLINK', refuseLinks);
  // Without it OpenSSH's client waits for the channel to close.
  sftp.on('end', () => sftp.end());
  // What is no packet of SFTP: the library ends the channel.
  sftp.on('error', () => {});

  return async () => {
    isOver = true;
    await names;
    const left = [...open.values()];
    open.clear();
    for (const file of left) {
      await file.chain;
      await giveUp(file);
    }
  };
}

function giveUp(file: Open): Promise<unknown> {
  if (file.kind === 'read') return file.file.close();
  if (file.kind === 'write') return file.file.abandon();
  return Promise.resolve(file.pages.return?.());
}

/** The strings of a packet (RFC 4251, section 5), as far as they are whole. */
function readTexts(data: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at + 4 <= data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) break;
    texts.push(data.toString('utf8', at + 4, end));
    at = end;
  }
  return texts;
}

/** How many answers the client has not made room for. The library tells it by no other way. */
function untaken(sftp: SFTPWrapper): number {
  return (sftp as unknown as { readonly _buffer: readonly unknown[] })._buffer.length;
}

const statuses: Partial<Record<FailureCode, number>> = {
  not_found: status.NO_SUCH_FILE,
  gone: status.NO_SUCH_FILE,
  forbidden: status.PERMISSION_DENIED,
  unauthenticated: status.PERMISSION_DENIED,
};

function statusOf(error: unknown): [code: number, message: string] {
  if (!(error instanceof Failure)) return [status.FAILURE, 'a fault of the service'];
  return [statuses[error.code] ?? status.FAILURE, error.message];
}

const folderMode = 0o040_000;
const fileMode = 0o100_000;

function attributesOf({ kind, bytes, modified, isWritable }: Entry): Attributes {
  const seconds = Math.floor(modified.getTime() / 1000);
  const rights = kind === 'folder' ? (isWritable ? 0o755 : 0o555) : isWritable ? 0o644 : 0o444;
  const mode = (kind === 'folder' ? folderMode : fileMode) | rights;
  return { mode, uid: 0, gid: 0, size: bytes, atime: seconds, mtime: seconds };
}

function nameOf(entry: Entry): FileEntry {
  const attrs = attributesOf(entry);
  const rights = [6, 3, 0].map((shift) => {
    const bits = attrs.mode >> shift;
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`;
  });
  const day = entry.modified.toUTCString().slice(5, 16);
  const longname = [
    `${entry.kind === 'folder' ? 'd' : '-'}${rights.join('')}`,
    ...['1', 'lastro', 'lastro', String(entry.bytes).padStart(12), day, entry.name],
  ].join(' ');
  return { filename: entry.name, longname, attrs };
}
