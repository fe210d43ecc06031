/** What a signed-in client of SFTP sees: a tree of names. Nothing in it is a path of the host. */
export type FileTree = {
  /**
   * What is in a folder, some at a time, so that one of any length fits in memory. Throws Failure 'not_found',
   * 'forbidden', and what stands behind the tree. So do all others.
   */
  list(path: Path): AsyncIterable<readonly Entry[]>;
  stat(path: Path): Promise<Entry>;
  openToRead(path: Path): Promise<ReadableFile>;
  /** Throws Failure 'conflict' when there is such a file and `isNew` says that there may be none. */
  openToWrite(path: Path, how: { readonly keeps: boolean; readonly isNew: boolean }): Promise<WritableFile>;
  remove(path: Path): Promise<void>;
  rename(from: Path, to: Path): Promise<void>;
};

/** The names from the root down; empty for the root itself. No name is empty, `.` or `..`, or has a slash or NUL. */
export type Path = readonly string[];

export type Entry = {
  readonly name: string;
  readonly kind: 'folder' | 'file';
  readonly bytes: number;
  readonly modified: Date;
  readonly isWritable: boolean;
};

export type ReadableFile = {
  readonly entry: Entry;
  /** The bytes from `offset` on, at most `length`; none at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type WritableFile = {
  /** With the size that it has by now. */
  entry(): Entry;
  write(offset: number, bytes: Uint8Array): Promise<void>;
  /** Cuts the file off, or fills it up with zeros. */
  truncate(bytes: number): Promise<void>;
  /** The client has sent all of it. Once this resolves, it is kept. */
  finish(): Promise<void>;
  /** The client has gone before it had sent all. */
  abandon(): Promise<void>;
};
