// The records of objects on a disk: which file has the bytes of an object, and what their hashes are.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { checkKey, type StoredObject } from './storage.ts';

/** The content of a record's file. `data` is the name of the file with the bytes, in the same folder. */
export type ObjectRecord = StoredObject & { readonly key: string; readonly data: string };

export const recordEnding = '~.json';

/** Says what stands in place of a record. */
export class UnreadableRecord extends Error {}

/** Reads the record of an object; null when there is no object. Throws UnreadableRecord. */
export async function readRecord(root: string, key: string): Promise<ObjectRecord | null> {
  let text: string;
  try {
    text = await readFile(recordPath(root, key), 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new UnreadableRecord('a folder as record');
    throw error;
  }
  const record = parseRecord(text);
  if (record?.key !== key || !isDataName(key, record.data) || !isDescribed(record))
    throw new UnreadableRecord('a record that cannot be read');
  return record;
}

/** Reads the record of an object for those who only remove or replace it. */
export async function readableRecord(root: string, key: string): Promise<ObjectRecord | 'unreadable' | null> {
  return readRecord(root, key).catch((error) => {
    if (error instanceof UnreadableRecord) return 'unreadable' as const;
    throw error;
  });
}

/** Reads a record that was not put in place; null for one that was not written whole. */
export async function readDraft(path: string): Promise<ObjectRecord | null> {
  return parseRecord(await readFile(path, 'utf8').catch(() => ''));
}

function parseRecord(text: string): ObjectRecord | null {
  try {
    const record = JSON.parse(text) as Partial<ObjectRecord> | null;
    // The cast holds: only `put` writes such files, with all their fields.
    return typeof record?.key === 'string' && typeof record.data === 'string' ? (record as ObjectRecord) : null;
  } catch {
    return null;
  }
}

function isDescribed({ sha256, size }: ObjectRecord): boolean {
  return typeof sha256 === 'string' && Number.isSafeInteger(size);
}

/** Whether a file may hold bytes of a key. A damaged record may name any. */
function isDataName(key: string, name: string): boolean {
  const [, id] = /~([0-9a-f]{16})/.exec(name) ?? [];
  return id !== undefined && name === dataName(key, id);
}

/** Where the record of an object lies. */
export function recordPath(root: string, key: string): string {
  checkKey(key);
  return join(root, `${key}${recordEnding}`);
}

/** The name of the file with the bytes. It keeps the extension, by which some readers go. */
export function dataName(key: string, id: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}~${id}${ending}`;
}

/** Whether a file does not exist. ENOTDIR: a part of its path is a file. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
