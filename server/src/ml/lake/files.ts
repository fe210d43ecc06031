import { basename } from 'node:path';
import type { Mode } from './manifest.ts';

/** A file on its way into the state of a table. */
export type IncomingFile = {
  readonly path: string;
  /** What messages call the file, when it is stored under another name. Its base name by default. */
  readonly name?: string;
  readonly table: string;
  readonly mode: Mode;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
};

export function nameOf(file: IncomingFile): string {
  return file.name ?? basename(file.path);
}
