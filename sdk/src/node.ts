/** What `@lastro/sdk/node` gives out: files of this machine, to send and to write. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Destination, ResultFile } from './batches/result.ts';
import type { ContentType, FileToSend, SlicedSource, Source } from './files/source.ts';

type Local = {
  /** The name of the file by default. */
  readonly path?: string;
  readonly content_type?: ContentType;
};

/** A file of this machine to send: it is read as it goes, and never whole in memory. */
export function localFile(file: string, { path = basename(file), ...rest }: Local = {}): FileToSend {
  return { path, content: () => openLocal(file), ...rest };
}

async function openLocal(file: string): Promise<Source> {
  return sourceOf(file, 0, (await stat(file)).size);
}

/** The bytes of a file from `start` to before `end`. */
function sourceOf(file: string, start: number, end: number): SlicedSource {
  return {
    size: end - start,
    stream: () => Readable.toWeb(bytesOf(file, start, end)) as ReadableStream<Uint8Array>,
    slice: (from, to) => sourceOf(file, start + from, start + to),
  };
}

function bytesOf(file: string, start: number, end: number): Readable {
  return end > start ? createReadStream(file, { start, end: end - 1 }) : Readable.from([]);
}

/**
 * Writes the files of a result into a folder, under the paths of their inputs. Each appears once it is whole and its
 * SHA-256 is that of the result; what is wrong is removed. Throws Error for a path that leads out of the folder.
 */
export function toFolder(folder: string): Destination {
  return async (result) => {
    const file = resolve(join(folder, result.path));
    const inside = relative(resolve(folder), file);
    // On another drive of Windows it is a whole path.
    if (inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${result.path} leads out of ${folder}`);
    await mkdir(dirname(file), { recursive: true });
    return writable(file, result);
  };
}

/** Writes the one file of a result. */
export function toFile(file: string): Destination {
  let isTaken = false;
  return async (result) => {
    if (isTaken) throw new Error(`the result has several files: write them to a folder, not to ${file}`);
    isTaken = true;
    return writable(file, result);
  };
}

function writable(file: string, { sha256 }: ResultFile): WritableStream<Uint8Array> {
  const part = `${file}.part`;
  const hash = createHash('sha256');
  const out = createWriteStream(part);
  const failed = finished(out);
  // Whoever writes or closes hears of it.
  failed.catch(() => {});
  return new WritableStream({
    async write(chunk) {
      hash.update(chunk);
      await new Promise<void>((done, fail) => out.write(chunk, (error) => (error ? fail(error) : done())));
    },
    async close() {
      out.end();
      await failed;
      if (hash.digest('hex') !== sha256) {
        await rm(part);
        throw new Error(`${file}: what arrived is not what the service has; download it again`);
      }
      await rename(part, file);
    },
    async abort() {
      out.destroy();
      await rm(part, { force: true });
    },
  });
}
