import { fileURLToPath } from 'node:url';
import { Failure } from '../failure.ts';
import { openDisk } from './disk.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the storage that an address names: a path or `file:///…` for a folder.
 * Throws: Failure `invalid` for an address of another kind.
 */
export async function openStorage(address: string): Promise<Storage> {
  if (address.startsWith('file:')) return openDisk(fileURLToPath(address));
  if (!/^[a-z][a-z0-9+.-]+:/i.test(address)) return openDisk(address);
  throw new Failure('invalid', `${address} is no storage: give a path, file:///… or s3://bucket/prefix.`);
}
