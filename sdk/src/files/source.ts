import type { Schemas } from '../signatures.ts';
import { openMd5 } from './md5.ts';

export type ContentType = Schemas['UploadRequest']['files'][number]['content_type'];

/** Bytes that can be read more than once: a `Blob` is such. */
export type Source = {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
  /** The bytes from `start` to before `end`; with it, a large file that breaks off is gone on from there. */
  slice?(start: number, end: number): SlicedSource;
};
export type SlicedSource = Source & Required<Pick<Source, 'slice'>>;

/** A file of the browser, or bytes with the path that they are to have. */
export type FileToSend =
  | (Blob & { readonly name: string })
  | {
      /** A label of yours, such as `2026/orders.parquet`. */
      readonly path: string;
      readonly content: string | Uint8Array | Source | (() => Source | Promise<Source>);
      /** Read off the end of the path by default. */
      readonly content_type?: ContentType;
      /** In base64; computed by default. */
      readonly md5?: string;
    };

/** A file, ready to be declared. */
export type Prepared = {
  readonly path: string;
  readonly content_type: ContentType;
  readonly md5: string;
  readonly source: Source;
};

const contentTypes: readonly (readonly [ending: RegExp, type: ContentType])[] = [
  [/\.gz$/i, 'application/gzip'],
  [/\.(parquet|pq)$/i, 'application/vnd.apache.parquet'],
  [/\.csv$/i, 'text/csv'],
  [/\.(jsonl|ndjson)$/i, 'application/x-ndjson'],
  [/\.json$/i, 'application/json'],
  [/\.ya?ml$/i, 'application/x-yaml'],
  [/\.txt$/i, 'text/plain'],
];

/** Opens files in their order. */
export async function openSources(
  files: readonly FileToSend[],
): Promise<(Omit<Prepared, 'md5'> & { readonly md5?: string })[]> {
  const opened = [];
  for (const file of files) {
    if (file instanceof Blob) opened.push({ path: file.name, content_type: contentTypeOf(file.name), source: file });
    else {
      const { path, content, content_type = contentTypeOf(path), md5 } = file;
      opened.push({ path, content_type, source: await sourceOf(content), ...(md5 === undefined ? {} : { md5 }) });
    }
  }
  return opened;
}

async function sourceOf(content: Exclude<FileToSend, Blob>['content']): Promise<Source> {
  if (typeof content === 'function') return content();
  // A view of memory that others write to as well, which Blob copies from all the same.
  if (content instanceof Uint8Array) return new Blob([content as Uint8Array<ArrayBuffer>]);
  return typeof content === 'string' ? new Blob([content]) : content;
}

/** What a file holds by the end of its path. */
export function contentTypeOf(path: string): ContentType {
  return contentTypes.find(([ending]) => ending.test(path))?.[1] ?? 'application/octet-stream';
}

/** The MD5 of a source in base64; `tell` hears of the bytes of each chunk. */
export async function md5Of(source: Source, tell: (bytes: number) => void, signal?: AbortSignal): Promise<string> {
  const md5 = openMd5();
  const reader = source.stream().getReader();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return md5.digest();
      md5.update(value);
      tell(value.length);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
