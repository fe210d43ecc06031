// The master secret, the only one that a server keeps outside its database, and the keys derived from it.
import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

const secretBytes = 32;

/** Parses a secret given by configuration: 64 hex digits. Throws Failure 'invalid' for anything else. */
export function parseMasterSecret(text: string): Uint8Array {
  return parse(text, 'The master secret of the configuration');
}

/**
 * Reads the 32-byte secret from a file of 64 hex digits. An absent file is created with a new secret, readable only by
 * its owner; processes that start together agree on one. Throws Failure 'invalid' when the file holds something else or
 * others may read it.
 */
export async function openMasterSecret(path: string): Promise<Uint8Array> {
  try {
    return await read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await create(path);
  return read(path);
}

/**
 * Derives a key for one purpose (HKDF-SHA-256, RFC 5869). A leaked key reveals neither the others nor the master
 * secret.
 */
export function deriveKey(master: Uint8Array, purpose: string, bytes = 32): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, new Uint8Array(0), purpose, bytes));
}

async function read(path: string): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8');
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Failure('invalid', `Others may read the master secret: run chmod 600 ${path}`);
  return parse(text, path);
}

/**
 * Writes the secret under a temporary name and links it into place: a second process finds either no secret or all of
 * it.
 */
async function create(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(secretBytes).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function parse(text: string, place: string): Uint8Array {
  const digits = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new Failure('invalid', `${place} is not 64 hex digits; make one with: openssl rand -hex ${secretBytes}`);
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
