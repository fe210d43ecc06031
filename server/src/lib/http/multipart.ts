// Bodies of several parts (multipart/form-data, RFC 7578), as `curl -F` and HTTP libraries send files.
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Failure } from '../failure.ts';

type Headed = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

export const multipartType = 'multipart/form-data';

/** What a request with such a body has in place of a body that was read: the handler reads the parts. */
export const unreadParts: unique symbol = Symbol('parts');

export function isMultipart({ headers }: Headed): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(String(headers['content-type'] ?? ''));
}

/** A part that is a file: one with a file name. */
export type FilePart = { readonly name: string; readonly fileName: string; readonly contentType: string };

/** What a body may bring; `texts`: parts that are texts even where they come as files. */
export type PartLimits = {
  readonly files: number;
  readonly fields: number;
  readonly fieldBytes: number;
  readonly texts?: readonly string[];
};

type OnFile = (part: FilePart, bytes: Readable, before: ReadonlyMap<string, string>) => Promise<void>;

const partHeadBytesMax = 16 * 1024;

/**
 * Reads the parts of a body in order. Passes the bytes of each file to `onFile`, which reads all of them, with the
 * texts that came before, and returns the other parts, which are texts, by name. Throws Failure 'malformed',
 * 'limit_exceeded', and what `onFile` throws; then the rest of the body is left unread.
 */
export async function readMultipart(
  { headers, stream }: Headed & { readonly stream: Readable },
  limits: PartLimits,
  onFile: OnFile,
): Promise<ReadonlyMap<string, string>> {
  const parser = openParser(headers, limits);
  const fields = new Map<string, string>();
  const files: Promise<void>[] = [];
  const open = new Set<Readable>();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: unknown): void => {
    stream.unpipe(parser);
    reject(error);
    for (const bytes of open) bytes.destroy(error as Error);
  };
  const hangUp = (): void => {
    if (!stream.readableEnded) fail(cutShort());
  };
  parser.on('file', (name, bytes, fileName, _encoding, contentType) => {
    open.add(bytes);
    // Not once: a stream that is destroyed below tells it again.
    bytes.on('error', (cause) => fail(cutShort(cause)));
    bytes.once('end', () => open.delete(bytes));
    const reading = readPart({ name, fileName, contentType }, (part) => onFile(part, bytes, fields));
    reading.catch(fail);
    files.push(reading);
  });
  parser.on('field', (name, text, _isNameCut, isCut) => {
    if (isCut) fail(new Failure('limit_exceeded', `the field ${name} has more than ${limits.fieldBytes} bytes`));
    else if (fields.has(name)) fail(malformed(`the body has the field ${name} more than once`));
    else if (text.includes('\0')) fail(malformed(`the field ${name} has the character NUL`));
    else fields.set(name, text);
  });
  for (const [event, most] of [['filesLimit', limits.files] as const, ['fieldsLimit', limits.fields] as const])
    parser.once(event, () =>
      fail(new Failure('limit_exceeded', `the body has more than ${most} ${event.slice(0, -5)}`)),
    );
  parser.on('error', (cause) => fail(cutShort(cause)));
  parser.once('finish', resolve);
  stream.once('close', hangUp);
  stream.pipe(parser);
  try {
    await ended;
    await Promise.all(files);
    return fields;
  } finally {
    stream.off('close', hangUp);
    await Promise.allSettled(files);
  }
}

async function readPart(
  { name, fileName, contentType }: { readonly [key in keyof FilePart]: string | undefined },
  onFile: (part: FilePart) => Promise<void>,
): Promise<void> {
  if (!name) throw malformed('a part of the body has no name');
  if (!fileName) throw malformed(`the part ${name} is a file and has no file name`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\0-\x1f]/.test(name + fileName)) throw malformed('the name of a part has control characters');
  await onFile({ name, fileName, contentType: contentType ?? 'application/octet-stream' });
}

function openParser(headers: Headed['headers'], { files, fields, fieldBytes, texts = [] }: PartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': String(headers['content-type']) },
      isPartAFile: (name, _contentType, fileName) => fileName !== undefined && !texts.includes(String(name)),
      preservePath: true,
      limits: { files, fields, fieldSize: fieldBytes, headerSize: partHeadBytesMax },
    });
  } catch (cause) {
    throw new Failure('malformed', 'the Content-Type names no boundary of the parts', { cause });
  }
}

function cutShort(cause?: unknown): Failure {
  return new Failure('malformed', 'the body ends before its last part does, or its parts cannot be read', { cause });
}

function malformed(message: string): Failure {
  return new Failure('malformed', message);
}
