import { createHmac } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Call } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { readMultipart } from '../../lib/http/multipart.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import { validatorOf } from '../../lib/http/validate.ts';
import type { StoredObject } from '../../lib/storage/storage.ts';
import { record } from '../../trail/record.ts';
import { requireHeld } from '../allowances/require-held.ts';
import type { App } from '../app.ts';
import { contentTypes, pathLengthMax } from './file.ts';
import { receivedKey } from './request-upload.ts';
import { insertUpload, markUploaded } from './sql.ts';

/** Most bytes of a part that is no file, and most of such parts. */
export const fieldBytesMax = 1024 * 1024;
export const fieldsMax = 20;

/** A file that came as a part of a request, and is stored. */
export type ReceivedFile = {
  readonly id: string;
  /** The name of its part. */
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly key: string;
  readonly stored: StoredObject;
};

/** How a body of parts is read as the body of JSON that asks for the same. */
export type Parts<B extends TSchema> = {
  readonly body: B;
  /** 0: one that comes all the same is refused as the field that it is, and not read. */
  readonly filesMax: number;
  /** Parts that are texts also where they come as files, as from `-F definition=@task.yaml`. */
  readonly texts?: readonly string[];
  /** Makes the body, in which a file stands by its id. What it makes is held against the schema. */
  read(fields: ReadonlyMap<string, string>, files: readonly Pick<ReceivedFile, 'id' | 'name'>[]): unknown;
};

/** Writes down the received files as uploaded, in the transaction in which something is made of them. */
export type KeepFiles = (tx: Tx) => Promise<void>;

/**
 * Answers a request whose body has parts: stores the bytes of its files, and lets `work` do what the same request asks
 * for in JSON, which keeps the files in its transaction. Unless it does, nothing stays stored. Throws Failure
 * 'malformed', 'malformed_json', 'schema_mismatch', 'limit_exceeded', 'insufficient_storage', and what `work` throws.
 */
export async function receiveParts<B extends TSchema>(
  app: App,
  ctx: Context,
  { exchange, ensure }: Pick<Call<never, never, never>, 'exchange' | 'ensure'>,
  parts: Parts<B>,
  work: (ctx: Context, body: Static<B>, keep: KeepFiles, received: readonly ReceivedFile[]) => Promise<Answer>,
): Promise<Answer> {
  const received: ReceivedFile[] = [];
  let isKept = false;
  try {
    const fields = await storeFiles(app, ctx, exchange, parts, received);
    // The files may have taken an hour.
    await ensure();
    const body = check(parts.body, parts.read(fields, received));
    const keep: KeepFiles = async (tx) => {
      await keepFiles(tx, ctx, received);
      isKept = true;
    };
    const answer = await work(withHash(app, ctx, fields, received), body, keep, received);
    // A repeated request is answered by what the first one made of its own files.
    if (!isKept) await discard(app, received);
    return answer;
  } catch (error) {
    // After any other error the commit may have happened: unless it did, the sweep removes the bytes.
    if (error instanceof Failure && error.code !== 'unavailable') await discard(app, received);
    throw error;
  }
}

/** Stores the files of a body, each of which is added to `received` as it begins. Returns its fields. */
function storeFiles(
  app: App,
  ctx: Context,
  exchange: Exchange,
  { body, filesMax, texts = [], read }: Parts<TSchema>,
  received: ReceivedFile[],
): Promise<ReadonlyMap<string, string>> {
  const limits = { files: Math.max(1, filesMax), fields: fieldsMax, fieldBytes: fieldBytesMax, texts };
  return readMultipart(exchange, limits, async ({ name, fileName, contentType }, bytes, before) => {
    if (filesMax === 0) {
      check(body, read(before, [{ id: fileName, name }]));
      throw refuse('limit_exceeded', `the part ${name} is a file, and none may be sent here`);
    }
    if (fileName.length > pathLengthMax)
      throw refuse('limit_exceeded', `the file name of part ${name} has more than ${pathLengthMax} characters`);
    const id = newId('file');
    const file = { id, name, path: fileName, contentType: knownType(contentType), key: receivedKey(ctx, id) };
    const place = received.push({ ...file, stored: nothing }) - 1;
    const stored = await app.storage.put(file.key, bytes, { contentType: file.contentType });
    received[place] = { ...file, stored };
  });
}

const nothing: StoredObject = { size: 0, sha256: '', md5: '', contentType: null };

/** Types that are not known say nothing: what a file is, its name and its content tell. */
function knownType(contentType: string): string {
  return (contentTypes as readonly string[]).includes(contentType) ? contentType : 'application/octet-stream';
}

function check<B extends TSchema>(schema: B, body: unknown): Static<B> {
  const checked = validatorOf(schema, 'body')(body);
  if ('error' in checked) throw checked.error;
  return checked.value as Static<B>;
}

/** The context with the hash of what was sent, in which a file stands for its bytes: its id is new each time. */
function withHash(
  { keys }: App,
  ctx: Context,
  fields: ReadonlyMap<string, string>,
  received: readonly ReceivedFile[],
): Context {
  if (!ctx.idempotency) return ctx;
  const files = received.map(({ name, path, contentType, stored }) => [name, path, contentType, stored.sha256]);
  const bodyHash = createHmac('sha256', keys.idempotency)
    .update(JSON.stringify([[...fields], files]))
    .digest('hex');
  return { ...ctx, idempotency: { ...ctx.idempotency, bodyHash } };
}

/** Writes down files whose bytes are stored as uploaded. Throws Failure 'quota_exceeded'. */
export async function keepFiles(tx: Tx, ctx: Context, received: readonly ReceivedFile[]): Promise<void> {
  if (received.length === 0) return;
  const rows = received.map(({ id, path, contentType, key, stored }) => ({
    ...{ id, path, content_type: contentType, md5: stored.md5, storage_key: key },
  }));
  await insertUpload(tx, ctx, newId('upl'), rows, new Date());
  for (const { id, path, key, stored } of received) {
    await markUploaded(tx, id, key, stored);
    await record(tx, ctx, 'batch-input-upload', { type: 'file', id }, { path });
  }
  await requireHeld(tx, 'stored_megabytes', 0);
}

async function discard({ storage }: App, received: readonly ReceivedFile[]): Promise<void> {
  for (const { key } of received) await storage.delete(key);
}
