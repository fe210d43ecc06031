import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import { namesEtag } from './etags.ts';
import type { Answer, Head } from './server.ts';

/** A file in memory, as it is sent. */
export type StaticFile = {
  readonly bytes: Buffer;
  readonly type: string;
  /** Of its content, for browsers that ask whether theirs is the newest. */
  readonly etag: string;
  /** The compressed bytes by coding, each made when it is asked for first, unless the folder has them. */
  readonly compressed: Map<Coding, Promise<Buffer>>;
};

/** Files by their path in the folder, with forward slashes: `assets/index-4f2a.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

type Coding = 'br' | 'gzip';

const filesMax = 4_000;
const bytesMax = 64 * 1024 * 1024;
/** Below this, the head of an answer is longer than what compression saves. */
const compressedBytesMin = 1_024;
/** Of eleven. The last steps take ten times as long for a twentieth of the size. */
const brotliQuality = 9;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
const isCompressible = (type: string): boolean => /charset|wasm/.test(type);

/**
 * Reads all files of a folder into memory, so that no request names a path to the file system. Hidden ones are left
 * out; `x.br` beside `x` is what it is with brotli. Returns null when there is no folder. Throws Failure 'invalid' when
 * it holds more than a site does.
 */
export function readStaticFiles(folder: string): StaticFiles | null {
  if (!existsSync(folder)) return null;
  const files = new Map<string, StaticFile>();
  let bytesLeft = bytesMax;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = name.replaceAll('\\', '/');
    const stats = statSync(join(folder, name));
    if (!stats.isFile() || path.split('/').some((part) => part.startsWith('.'))) continue;
    bytesLeft -= stats.size;
    if (bytesLeft < 0 || files.size === filesMax)
      throw new Failure('invalid', `${folder} holds more than ${filesMax} files or ${bytesMax / 2 ** 20} MB to serve`);
    files.set(path, fileOf(readFileSync(join(folder, name)), types[extname(path)] ?? 'application/octet-stream'));
  }
  for (const [path, { compressed }] of files) {
    const copy = files.get(`${path}.br`);
    if (!copy) continue;
    compressed.set('br', Promise.resolve(copy.bytes));
    files.delete(`${path}.br`);
  }
  return files;
}

/** A file from its bytes and media type. */
export function fileOf(bytes: Buffer, type: string): StaticFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, etag, compressed: new Map() };
}

/**
 * Answers with a file, compressed as the caller takes it; 304 without a body when the caller has it. `headers` are sent
 * with it.
 */
export async function sendStaticFile(
  file: StaticFile,
  { headers: asked }: Pick<Head, 'headers'>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  // Weak, because the compressed bytes have it too.
  const told = { ...headers, etag: `W/${file.etag}`, vary: 'accept-encoding' };
  const known = asked['if-none-match'];
  if (typeof known === 'string' && namesEtag(known, file.etag, 'weak')) return { status: 304, headers: told };
  const coding = codingFor(file, String(asked['accept-encoding'] ?? ''));
  return {
    status: 200,
    headers: { ...told, 'content-type': file.type, ...(coding ? { 'content-encoding': coding } : {}) },
    body: coding ? await compressed(file, coding) : file.bytes,
  };
}

/** The best coding that a caller takes (RFC 9110 §12.5.3); null for none. */
function codingFor({ bytes, type }: StaticFile, accepted: string): Coding | null {
  if (bytes.length < compressedBytesMin || !isCompressible(type)) return null;
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]!.trim());
  return (['br', 'gzip'] as const).find((coding) => taken.includes(coding)) ?? null;
}

function compressed({ bytes, compressed: made }: StaticFile, coding: Coding): Promise<Buffer> {
  const known = made.get(coding);
  if (known) return known;
  const making =
    coding === 'gzip'
      ? promisify(gzip)(bytes)
      : promisify(brotliCompress)(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        });
  made.set(coding, making);
  return making;
}
