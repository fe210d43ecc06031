// Storage in a local or mounted folder. An object is two files side by side: its bytes, `<stem>~<id><extension>`, and a
// record, `<name>~.json`, that names the file of the bytes and holds their hashes. An object is stored by renaming the
// record into place. So bytes and hashes always belong together, even after a crash and with writers that know nothing
// of each other. A tilde cannot occur in a key.
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { assert } from '../failure.ts';
import { checkMd5, type Digests, digestOf, inBlocks, isSame, sliceBytes, startDigest } from './digest.ts';
import {
  type Body,
  checkFolder,
  checkKey,
  checkRange,
  type ListedObject,
  notStored,
  type PutOptions,
  type Range,
  type Storage,
  type StoredObject,
  storageFull,
} from './storage.ts';

/** The content of a record's file. `data` is the name of the file with the bytes, in the same folder. */
type ObjectRecord = StoredObject & { readonly key: string; readonly data: string };

/**
 * Age from which an unfinished write counts as abandoned: other processes share the folder, and may be writing newer
 * ones.
 */
const leftoverAgeMs = 60 * 60 * 1000;
/** How often an object may be replaced between reading its record and opening its bytes. */
const openAttemptsMax = 5;

const recordEnding = '~.json';
const partialFolder = '~partial';

/**
 * Opens a folder as storage, creates it when absent, and removes what interrupted writes left an hour ago or earlier.
 */
export async function openDisk(folder: string): Promise<Storage> {
  const root = resolve(folder);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(join(root, partialFolder), { recursive: true });
  await sweepDrafts(root, leftoverAgeMs);

  const openData = async (key: string): Promise<{ file: FileHandle; path: string; record: ObjectRecord }> => {
    for (let attempt = 1; ; attempt++) {
      const record = await readRecord(recordPath(root, key));
      if (record === null) throw notStored(key);
      const path = join(dirname(recordPath(root, key)), record.data);
      try {
        return { file: await open(path), path, record };
      } catch (error) {
        // The object was replaced meanwhile: its record now names other bytes.
        if (!isAbsent(error) || attempt === openAttemptsMax) throw error;
      }
    }
  };

  return {
    put: (key, body, options = {}) => put(root, key, body, options),
    async get(key, options: { range?: Range } = {}) {
      const { file, record } = await openData(key);
      try {
        if (options.range !== undefined) checkRange(options.range, record.size);
        return file.createReadStream({ ...options.range });
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async stat(key) {
      const record = await readRecord(recordPath(root, key));
      return record === null ? null : describe(record);
    },
    list(folder) {
      checkFolder(folder);
      return list(join(root, folder), folder);
    },
    async delete(key) {
      const path = recordPath(root, key);
      const record = await readRecord(path);
      if (record === null) return;
      await rm(path, { force: true });
      await rm(join(dirname(path), record.data), { force: true });
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
    async localPath(key) {
      const { file, path } = await openData(key);
      await file.close();
      return path;
    },
  };
}

async function put(root: string, key: string, body: Body, options: PutOptions): Promise<StoredObject> {
  const id = randomBytes(8).toString('hex');
  const place = recordPath(root, key);
  const folder = dirname(place);
  const data = dataName(key, id);
  const bytesDraft = join(root, partialFolder, id);
  const recordDraft = `${bytesDraft}.json`;
  try {
    const digests = await writeBytes(bytesDraft, body);
    checkMd5(digests, options.expectedMd5);
    const record: ObjectRecord = { key, data, ...digests, contentType: options.contentType ?? null };
    await writeBytes(recordDraft, Buffer.from(JSON.stringify(record)));
    await makeFolder(folder);
    const previous = await readRecord(place);
    await rename(bytesDraft, join(folder, data));
    await syncFolder(folder);
    await rename(recordDraft, place);
    await syncFolder(folder);
    if (previous !== null) await rm(join(folder, previous.data), { force: true });
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
  const record = await readRecord(recordDraft).catch(() => null);
  if (record !== null) {
    const place = recordPath(root, record.key);
    const current = await readRecord(place);
    if (current?.data !== record.data) await rm(join(dirname(place), record.data), { force: true });
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
    const record = await readRecord(recordPath(root, `${folder}${stem}${ending ?? ''}`));
    if (record?.data !== entry.name) await rm(path, { force: true });
  }
}

async function entriesOf(path: string) {
  return readdir(path, { withFileTypes: true }).catch((error) => {
    if (isAbsent(error)) return [];
    throw error;
  });
}

async function* list(path: string, folder: string): AsyncGenerator<ListedObject> {
  const names = (await entriesOf(path))
    .filter((entry) => (entry.isDirectory() ? entry.name !== partialFolder : entry.name.endsWith(recordEnding)))
    // A folder is sorted with its slash, which gives the order of whole keys.
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name.slice(0, -recordEnding.length)))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    if (name.endsWith('/')) {
      yield* list(join(path, name), folder + name);
      continue;
    }
    const record = await readRecord(join(path, name + recordEnding));
    if (record !== null) yield { key: folder + name, size: record.size };
  }
}

function describe({ size, sha256, md5, contentType }: ObjectRecord): StoredObject {
  return { size, sha256, md5, contentType };
}

function recordPath(root: string, key: string): string {
  checkKey(key);
  return join(root, `${key}${recordEnding}`);
}

/** The name of the file with the bytes. It keeps the extension, by which some readers go. */
function dataName(key: string, id: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}~${id}${ending}`;
}

async function readRecord(path: string): Promise<ObjectRecord | null> {
  try {
    // The cast holds: only `put` writes such files, and it writes them whole.
    return JSON.parse(await readFile(path, 'utf8')) as ObjectRecord;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Creates a folder and its parents durably, so that they survive a power cut. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
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

/** Whether a file does not exist. ENOTDIR: a part of its path is a file. */
function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
