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
};

export function nameOf(file: IncomingFile): string {
  return file.name ?? basename(file.path);
}
