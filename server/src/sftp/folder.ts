import type { Entry, ReadableFile, WritableFile } from '../lib/sftp/file-tree.ts';

/** One of the folders of `batch`. A name in it is that of a file: there are no folders within. */
export type Folder = {
  readonly isWritable: boolean;
  list(): AsyncIterable<readonly Entry[]>;
  find(name: string): Promise<Entry>;
  openToRead(name: string): Promise<ReadableFile>;
  /** Absent where nobody writes. */
  openToWrite?(name: string, how: { readonly keeps: boolean; readonly isNew: boolean }): Promise<WritableFile>;
  remove?(name: string): Promise<void>;
  rename?(from: string, to: string): Promise<void>;
};

export function fileEntry(name: string, bytes: number, modified: Date, isWritable = false): Entry {
  return { name, kind: 'file', bytes, modified, isWritable };
}

/** A file of which all bytes are at hand. */
export function readableText(entry: Entry, text: string): ReadableFile {
  const bytes = Buffer.from(text);
  return {
    entry,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  };
}
