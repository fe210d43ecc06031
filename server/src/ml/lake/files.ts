import { basename } from 'node:path';
import type { Mode } from './manifest.ts';

/** A file to be ingested into a table. */
export type IncomingFile = {
  readonly path: string;
  /** The name of the file in messages, when it is stored under another name. By default its base name. */
  readonly name?: string;
  readonly table: string;
  readonly mode: Mode;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** For a file that is read again, under another contract: the moment at which it was taken in, microseconds. */
  readonly taken?: number;
};

export function nameOf(file: IncomingFile): string {
  return file.name ?? basename(file.path);
}
