import { LastroError } from '../errors.ts';
import { openEnding } from '../http/ending.ts';
import { randomKey } from '../http/random-key.ts';
import { send } from '../http/send.ts';
import type { Nouns } from '../nouns.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions, Schemas } from '../signatures.ts';
import { sendInParts } from './send-in-parts.ts';
import { type FileToSend, md5Of, openSources, type Prepared, type SlicedSource } from './source.ts';

export type SendProgress = {
  readonly phase: 'hashing' | 'uploading';
  /** Bytes. */
  readonly loaded: number;
  readonly total: number;
};

export type SendOptions = Pick<RequestOptions, 'signal' | 'headers' | 'maxRetries'> & {
  /** The same files sent again with the same key are the same files: what has arrived is not sent again. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (progress: SendProgress) => void;
};

type Declared = Schemas['UploadFile'];

/** Files that are on their way at the same time. */
const sentAtOnce = 3;

/** Files of more bytes are sent in parts: of less, the service keeps nothing before all is there. */
const wholeBytesMax = 8 * 1024 * 1024;

/**
 * Hashes files, declares them, sends their bytes, and returns their ids in the same order. Throws LastroError for what
 * is refused.
 */
export async function sendFiles(
  settings: Settings,
  { upload }: Pick<Nouns['files'], 'upload'>,
  files: readonly FileToSend[],
  { idempotencyKey = randomKey(), onProgress = () => {}, ...given }: SendOptions = {},
): Promise<readonly string[]> {
  const ending = openEnding(given.signal);
  try {
    return await sendWith(settings, upload, files, { ...given, idempotencyKey, onProgress, signal: ending.signal });
  } finally {
    // Of a failure the others hear, too.
    ending.end();
    ending.release();
  }
}

async function sendWith(
  settings: Settings,
  upload: Nouns['files']['upload'],
  files: readonly FileToSend[],
  {
    idempotencyKey,
    onProgress,
    ...options
  }: SendOptions & Required<Pick<SendOptions, 'idempotencyKey' | 'onProgress'>>,
): Promise<readonly string[]> {
  const opened = await openSources(files);
  const total = opened.reduce((sum, { source }) => sum + source.size, 0);
  const tellHashed = counter(total, (loaded) => onProgress({ phase: 'hashing', loaded, total }));
  const prepared: Prepared[] = [];
  for (const file of opened)
    prepared.push({ ...file, md5: file.md5 ?? (await md5Of(file.source, tellHashed, options.signal)) });

  // Asked again with the same key, the service gives new addresses for what has not arrived.
  const declare = async () => {
    const body = {
      files: prepared.map(({ path, content_type, md5, source: { size } }) => ({
        path,
        content_type,
        md5,
        bytes: size,
      })),
    };
    return (await upload(body, { ...options, idempotencyKey })).files;
  };
  let declared = declare();
  const ids = (await declared).map(({ id }) => id);
  const tellSent = counter(total, (loaded) => onProgress({ phase: 'uploading', loaded, total }));
  const sendOne = async (at: number): Promise<void> => {
    const known = declared;
    try {
      await put(settings, prepared[at], (await known)[at], tellSent, options);
    } catch (error) {
      if (!(error instanceof LastroError) || error.code !== 'signature_expired') throw error;
      if (declared === known) declared = declare();
      await put(settings, prepared[at], (await declared)[at], tellSent, options);
    }
  };
  const queue = prepared.keys();
  const work = async (): Promise<void> => {
    for (const at of queue) await sendOne(at);
  };
  await Promise.all(Array.from({ length: Math.min(sentAtOnce, prepared.length) }, work));
  return ids;
}

/** Sends the bytes of one file; those that have arrived before are told as sent. */
async function put(
  settings: Settings,
  { source }: Prepared,
  { upload_url, headers }: Declared,
  tell: (bytes: number) => void,
  options: RequestOptions,
): Promise<void> {
  let told = 0;
  /** What a broken-off attempt sent is not counted twice. */
  const tellOf = (sent: number) => {
    tell(sent - told);
    told = sent;
  };
  try {
    if (isSliced(source) && source.size > wholeBytesMax)
      await sendInParts(settings, source, upload_url, bodyOf, tellOf, options);
    else
      await send(settings, {
        method: 'PUT',
        address: upload_url,
        headers: { ...headers, ...lengthOf(source) },
        body: () => bodyOf(source, tellOf),
        isRepeatable: true,
        wants: 'json',
        hasNoTimeout: true,
        options,
      });
  } catch (error) {
    // The answer to an earlier attempt was lost.
    if (!(error instanceof LastroError) || error.code !== 'file_already_uploaded') throw error;
  }
  tellOf(source.size);
}

function isSliced(source: Source): source is SlicedSource {
  return source.slice !== undefined;
}

/** Browsers send streams over HTTP/2 alone, and count no bytes: they are given the file itself. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

function bodyOf(source: Source, tell: (sent: number) => void): unknown {
  if (isBrowser && source instanceof Blob) return source;
  let sent = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length;
      tell(sent);
      controller.enqueue(chunk);
    },
  });
  return source.stream().pipeThrough(count);
}

/** Browsers set it by themselves, and ignore it here. */
function lengthOf({ size }: Source): Readonly<Record<string, string>> {
  return { 'content-length': String(size) };
}

type Source = Prepared['source'];

function counter(total: number, tell: (loaded: number) => void): (bytes: number) => void {
  let loaded = 0;
  return (bytes) => {
    if (bytes === 0) return;
    loaded += bytes;
    tell(Math.min(loaded, total));
  };
}
