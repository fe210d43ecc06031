// Storage in a local or mounted folder. An object is two files side by side: its bytes, `<stem>~<id><extension>`, and a
// record, `<name>~.json`, that names the file of the bytes and holds their hashes. An object is stored by renaming the
// record into place. So bytes and hashes always belong together, even after a crash and with writers that know nothing
// of each other. A tilde cannot occur in a key.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { assert, type Failure } from '../failure.ts';
import { checkedStream } from './checked-stream.ts';
import { type DamageOptions, damageReporter } from './damage.ts';
import { checkExpected, type Digests, digestOf, inBlocks, isSame, sliceBytes, startDigest } from './digest.ts';
import {
  dataName,
  isAbsent,
  type ObjectRecord,
  readableRecord,
  readDraft,
  readRecord,
  recordEnding,
  recordPath,
  UnreadableRecord,
} from './disk-record.ts';
import { type HashedFiles, openHashedFiles } from './hashed-files.ts';
import {
  type Body,
  checkFolder,
  checkRange,
  type ExpectedHash,
  type ListedObject,
  NotStored,
  type PutOptions,
  type Range,
  type Storage,
  type StoredObject,
  storageFull,
} from './storage.ts';

/**
 * Age from which an unfinished write counts as abandoned: other processes share the folder, and may be writing newer
 * ones.
 */
const leftoverAgeMs = 60 * 60 * 1000;
/** How often an object may be replaced between reading its record and opening its bytes. */
const openAttemptsMax = 5;
/** A smaller object is hashed before anything of it is told; of a larger one, all but the end may be. */
const hashedFirstBytes = 16 * 2 ** 20;
/** A link is not followed, and nobody waits for the writer of a pipe. Windows has neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const partialFolder = '~partial';

/**
 * Opens a folder as storage, creates it when absent, and removes what interrupted writes left an hour ago or earlier.
 */
export async function openDisk(folder: string, options: DamageOptions = {}): Promise<Storage> {
  const root = resolve(folder);
  const damaged = damageReporter(options);
  const hashed = openHashedFiles();
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(join(root, partialFolder), { recursive: true, mode: 0o700 });
  await sweepDrafts(root, leftoverAgeMs);

  const recordOf = async (key: string, expected: ExpectedHash = null): Promise<ObjectRecord | null> =>
    readRecord(root, key).catch((error) => {
      throw error instanceof UnreadableRecord ? damaged({ key, expected, found: error.message }) : error;
    });

  const openData = async (
    key: string,
    expected: ExpectedHash = null,
  ): Promise<{ file: FileHandle; path: string; record: ObjectRecord }> => {
    for (let attempt = 1; ; attempt++) {
      const record = await recordOf(key, expected);
      if (record === null) throw new NotStored(key);
      const lost = (found: string): Failure => damaged({ key, expected: expected ?? record.sha256, found });
      const path = join(dirname(recordPath(root, key)), record.data);
      try {
        const file = await open(path, openFlags);
        if ((await file.stat()).isFile()) return { file, path, record };
        await file.close();
        throw lost('something else than a file');
      } catch (error) {
        if (isLink(error)) throw lost('a link');
        if (!isAbsent(error)) throw error;
        // The object was replaced meanwhile: its record now names other bytes.
        if (attempt === openAttemptsMax) throw lost('nothing');
      }
    }
  };

  /** Opens the bytes of an object. `isChecked`: they have been hashed, and are right. */
  const openChecked = async (key: string, sha256: ExpectedHash, isWhole: boolean) => {
    const opened = await openData(key, sha256);
    const { file, path, record } = opened;
    const expected = sha256 ?? record.sha256;
    try {
      if (record.sha256 !== expected) throw damaged({ key, expected, found: `a record of ${record.sha256}` });
      const isChecked = !isWhole || record.size <= hashedFirstBytes;
      const found = isChecked ? await hashed.hashOf(path, file) : expected;
      if (found !== expected) throw damaged({ key, expected, found });
      return { ...opened, expected, isChecked };
    } catch (error) {
      await file.close();
      throw error;
    }
  };

  return {
    put: (key, body, options = {}) => put(root, hashed, key, body, options),
    async get(key, sha256, options: { range?: Range } = {}) {
      const { range } = options;
      const { file, record, expected, isChecked } = await openChecked(key, sha256, range === undefined);
      try {
        if (range !== undefined) checkRange(range, record.size);
        const stream = file.createReadStream({ ...range });
        return isChecked ? stream : checkedStream(stream, expected, (found) => damaged({ key, expected, found }));
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async stat(key) {
      const record = await recordOf(key);
      return record === null ? null : describe(record);
    },
    list(folder) {
      checkFolder(folder);
      return list(root, folder);
    },
    async delete(key) {
      const path = recordPath(root, key);
      const record = await readableRecord(root, key);
      if (record === null) return;
      await rm(path, { force: true, recursive: true });
      // Where the record cannot be read, tidying removes the bytes.
      if (record !== 'unreadable') await rm(join(dirname(path), record.data), { force: true, recursive: true });
      await syncFolder(dirname(path));
    },
    async deletePrefix(folder) {
      checkFolder(folder);
      assert(folder !== '', 'a whole storage is not deleted');
      const path = join(root, folder);
      await rm(path, { recursive: true, force: true });
      await syncFolder(dirname(path));
    },
    async tidy(ageMs) {
      await sweepDrafts(root, ageMs);
      await sweepBytes(root, '', Date.now() - ageMs);
    },
    async verify(key) {
      const { file, record } = await openData(key);
      return isSame(await digestOf(file.createReadStream()), record);
    },
    lost: (key) => damaged({ key, expected: null, found: 'nothing' }),
    async localPath(key, sha256) {
      const { file, path } = await openChecked(key, sha256, false);
      await file.close();
      return path;
    },
  };
}

async function put(
  root: string,
  hashed: HashedFiles,
  key: string,
  body: Body,
  options: PutOptions,
): Promise<StoredObject> {
  const id = randomBytes(8).toString('hex');
  const place = recordPath(root, key);
  const folder = dirname(place);
  const data = dataName(key, id);
  const bytesDraft = join(root, partialFolder, id);
  const recordDraft = `${bytesDraft}.json`;
  try {
    const digests = await writeBytes(bytesDraft, body);
    checkExpected(digests, options);
    const record: ObjectRecord = { key, data, ...digests, contentType: options.contentType ?? null };
    await writeBytes(recordDraft, Buffer.from(JSON.stringify(record)));
    await makeFolder(folder);
    const previous = await readableRecord(root, key);
    await rename(bytesDraft, join(folder, data));
    await hashed.remember(join(folder, data), digests.sha256);
    await syncFolder(folder);
    await rename(recordDraft, place);
    await syncFolder(folder);
    if (previous !== null && previous !== 'unreadable') await rm(join(folder, previous.data), { force: true });
    return describe(record);
  } catch (error) {
    // What cannot be removed now is removed when the storage is next opened.
    await discard(root, recordDraft).catch(() => {});
    await rm(bytesDraft, { force: true }).catch(() => {});
    throw isFull(error) ? storageFull(error) : error;
  }
}

/** Writes a new file, and waits until it is on the disk. */
async function writeBytes(path: string, body: Body): Promise<Digests> {
  const file = await open(path, 'wx', 0o600);
  const digester = startDigest();
  try {
    for await (const block of inBlocks(body, sliceBytes, digester)) await file.writeFile(block);
    await file.sync();
  } finally {
    await file.close();
  }
  return digester.end();
}

/** Removes a record that was not renamed into place, and its bytes if they were. */
async function discard(root: string, recordDraft: string): Promise<void> {
  const record = await readDraft(recordDraft);
  if (record !== null) {
    const place = recordPath(root, record.key);
    const current = await readableRecord(root, record.key);
    if (current !== 'unreadable' && current?.data !== record.data)
      await rm(join(dirname(place), record.data), { force: true });
  }
  await rm(recordDraft, { force: true });
}

async function sweepDrafts(root: string, ageMs: number): Promise<void> {
  const folder = join(root, partialFolder);
  const oldest = Date.now() - ageMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtimeMs > oldest) continue;
    if (name.endsWith('.json')) await discard(root, path);
    else await rm(path, { force: true });
  }
}

/**
 * Removes bytes that no record names: the process that replaced the object was killed before it removed the old bytes,
 * or two processes replaced the object at once.
 */
async function sweepBytes(root: string, folder: string, oldest: number): Promise<void> {
  for (const entry of await entriesOf(join(root, folder))) {
    const path = join(root, folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== partialFolder) await sweepBytes(root, `${folder}${entry.name}/`, oldest);
      continue;
    }
    const [, stem, ending] = /^(.*)~[0-9a-f]{16}(\.[^~]*)?$/.exec(entry.name) ?? [];
    if (stem === undefined) continue;
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtimeMs > oldest) continue;
    const record = await readableRecord(root, `${folder}${stem}${ending ?? ''}`);
    // Bytes of a record that cannot be read stay: an operator may yet mend it.
    if (record !== 'unreadable' && record?.data !== entry.name) await rm(path, { force: true });
  }
}

async function entriesOf(path: string) {
  return readdir(path, { withFileTypes: true }).catch((error) => {
    if (isAbsent(error)) return [];
    throw error;
  });
}

async function* list(root: string, folder: string): AsyncGenerator<ListedObject> {
  const names = (await entriesOf(join(root, folder)))
    .filter((entry) => (entry.isDirectory() ? entry.name !== partialFolder : entry.name.endsWith(recordEnding)))
    // A folder is sorted with its slash, which gives the order of whole keys.
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name.slice(0, -recordEnding.length)))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    if (name.endsWith('/')) {
      yield* list(root, folder + name);
      continue;
    }
    const key = folder + name;
    const record = await readableRecord(root, key);
    if (record !== null) yield { key, size: record === 'unreadable' ? 0 : record.size };
  }
}

function describe({ size, sha256, md5, contentType }: ObjectRecord): StoredObject {
  return { size, sha256, md5, contentType };
}

/** Creates a folder and its parents durably, so that they survive a power cut. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = dirname(path); at.length >= dirname(first).length; at = dirname(at)) {
    await syncFolder(at);
    if (at === dirname(at)) return;
  }
}

/**
 * Makes renames and removals in a folder durable. Windows has no such call; a folder that was just removed needs none.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const folder = await open(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** Whether a link stands where it is not followed. BSD systems answer EMLINK. */
function isLink(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' || code === 'EMLINK';
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
