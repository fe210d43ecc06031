// Storage in a bucket of any S3 API. A small object carries its hashes in its metadata. The hashes of a larger one, sent
// in parts, are known only when its metadata has long been fixed: that names a second small object, `<key>~<id>`, which
// is written before the parts are joined. So whoever finds an object finds its hashes. A tilde cannot occur in a key.
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { assert, Failure } from '../failure.ts';
import { networkCodes } from '../network-codes.ts';
import { openCache } from './cache.ts';
import { checkMd5, type Digests, digestOf, inBlocks, isSame, sliceBytes, startDigest } from './digest.ts';
import {
  type Body,
  checkFolder,
  checkKey,
  checkRange,
  type ListedObject,
  notStored,
  type PutOptions,
  type Range,
  type Storage,
  type StoredObject,
  storageFull,
} from './storage.ts';

export type S3Options = {
  readonly bucket: string;
  /** Put before every key: empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Of another provider than AWS; the bucket then stands in the path. */
  readonly endpoint?: string;
  /** Without them the SDK looks in its usual places: environment, profile, role of the machine. */
  readonly credentials?: S3Credentials;
  /** Where `localPath` keeps copies. */
  readonly cacheFolder: string;
  readonly cacheBytesMax: number;
};

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** What `HeadObject` tells: the hashes themselves, or where they are. */
type Head = { readonly contentType: string | null } & ({ readonly digests: Digests } | { readonly sums: string });

/** All parts of an object but the last have one size: some providers ask for it. Two are on their way, one fills. */
const partBytesMin = 8 * 2 ** 20;
const partsInFlight = 2;
/** A limit of S3. */
const partsMax = 10_000;
const deletionsInFlight = 8;
/** How often an object may be replaced between reading its metadata and its hashes. */
const headAttemptsMax = 5;

/** Downloads hold a connection as long as their reader takes. */
const socketsMax = 256;
const connectTimeoutMs = 10_000;
/** Of silence on a connection, which a reader who pauses causes as well. */
const silenceTimeoutMs = 300_000;

type Bucket = { readonly client: S3Client; readonly name: string; readonly prefix: string };

/** Opens a bucket as storage. Throws Failure 'unavailable' when it cannot be read. */
export async function openS3(options: S3Options): Promise<Storage> {
  const cache = await openCache(options.cacheFolder, options.cacheBytesMax);
  const bucket: Bucket = { client: connect(options), name: options.bucket, prefix: options.prefix };
  // A wrong name or key is told now: later, what is not in a bucket and what is not a bucket look the same.
  await list(bucket, '')
    .next()
    .catch((error) => {
      const cause = error instanceof Failure ? error.cause : error;
      const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      throw new Failure('unavailable', `the bucket ${options.bucket} cannot be read: ${why}`, { cause });
    });

  const stat = async (key: string): Promise<StoredObject> => {
    const found = await describe(bucket, key);
    if (found === null) throw notStored(key);
    return found;
  };

  return {
    put: (key, body, putOptions = {}) => put(bucket, key, body, putOptions),
    get: (key, { range } = {}) => get(bucket, key, range),
    stat: (key) => describe(bucket, key),
    list(folder) {
      checkFolder(folder);
      return list(bucket, folder);
    },
    async delete(key) {
      const head = await readHead(bucket, key);
      await remove(bucket, key);
      if (head !== null && 'sums' in head) await remove(bucket, head.sums);
    },
    async deletePrefix(folder) {
      checkFolder(folder);
      assert(folder !== '', 'a whole storage is not deleted');
      let batch: Promise<void>[] = [];
      for await (const { key } of listAll(bucket, folder)) {
        batch.push(remove(bucket, key));
        if (batch.length < deletionsInFlight) continue;
        await Promise.all(batch);
        batch = [];
      }
      await Promise.all(batch);
    },
    tidy: (ageMs) => tidy(bucket, Date.now() - ageMs),
    async verify(key) {
      const expected = await stat(key);
      return isSame(await digestOf(await get(bucket, key)), expected);
    },
    async localPath(key) {
      return cache.path(key, await stat(key), async (path) =>
        pipeline(await get(bucket, key), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error) => {
          throw nameFailure(error);
        }),
      );
    },
    async forget(folder) {
      checkFolder(folder);
      await cache.forget(folder);
    },
  };
}

function connect({ region, endpoint, credentials }: S3Options): S3Client {
  const agent = { maxSockets: socketsMax, keepAlive: true };
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // We send Content-MD5, which every provider checks; the newer checksums not all of them know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  client.middlewareStack.add(
    (next) => (step) => {
      const { headers, body } = step.request as { headers: Record<string, string>; body?: unknown };
      // The signed Content-MD5 vouches for the bytes: hashing a part again, at one go, would hold up the event loop.
      if (body !== undefined && headers['content-md5'] !== undefined)
        headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
      return next(step);
    },
    { step: 'build', name: 'leavePayloadUnsigned' },
  );
  client.middlewareStack.add(
    (next) => (step) =>
      next(step).catch((error: unknown) => {
        throw nameFailure(error);
      }),
    // Around all others, those that try again among them.
    { step: 'initialize', priority: 'high', name: 'nameFailure' },
  );
  return client;
}

async function put(bucket: Bucket, key: string, body: Body, options: PutOptions): Promise<StoredObject> {
  checkKey(key);
  const partBytes = Math.max(partBytesMin, Math.ceil((options.size ?? 0) / partsMax));
  const digester = startDigest();
  let upload: Upload | null = null;
  try {
    for await (const block of inBlocks(body, partBytes, digester)) {
      if (upload === null && block.length < partBytes)
        return await putWhole(bucket, key, block, digester.end(), options);
      upload ??= await startUpload(bucket, key, options);
      await upload.add(block);
    }
    assert(upload !== null, 'a body has a last block');
    const digests = digester.end();
    checkMd5(digests, options.expectedMd5);
    await upload.commit(digests);
    return { ...digests, contentType: options.contentType ?? null };
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

/** The last block is the only one, so the body has ended and `digests` are final. */
async function putWhole(bucket: Bucket, key: string, bytes: Buffer, digests: Digests, options: PutOptions) {
  checkMd5(digests, options.expectedMd5);
  const previous = await readHead(bucket, key);
  await bucket.client.send(
    new PutObjectCommand({
      ...at(bucket, key),
      ...typed(options, { size: String(digests.size), sha256: digests.sha256, md5: digests.md5 }),
      Body: bytes,
      ContentMD5: digests.md5,
    }),
  );
  if (previous !== null && 'sums' in previous) await remove(bucket, previous.sums);
  return { ...digests, contentType: options.contentType ?? null };
}

type Upload = {
  readonly add: (block: Buffer) => Promise<void>;
  /** Joins the parts to an object. */
  readonly commit: (digests: Digests) => Promise<void>;
  /** Gives the parts up; never throws, since something worse is being told. */
  readonly abort: () => Promise<void>;
};

async function startUpload(bucket: Bucket, key: string, options: PutOptions): Promise<Upload> {
  const sums = `${key}~${randomBytes(8).toString('hex')}`;
  const { UploadId } = await bucket.client.send(
    new CreateMultipartUploadCommand({ ...at(bucket, key), ...typed(options, { sums: sums.slice(key.length) }) }),
  );
  const upload = { ...at(bucket, key), UploadId };
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<void>>();
  let broken: { error: unknown } | null = null;
  let isCommitted = false;

  const send = async (block: Buffer, PartNumber: number): Promise<void> => {
    const command = new UploadPartCommand({ ...upload, PartNumber, Body: block, ContentMD5: await md5Of(block) });
    const { ETag } = await bucket.client.send(command);
    parts.push({ PartNumber, ETag });
  };
  const settle = async (): Promise<void> => {
    if (broken !== null) throw broken.error;
  };
  let count = 0;

  return {
    async add(block) {
      if (block.length === 0) return;
      count += 1;
      if (count > partsMax)
        throw new Failure('limit_exceeded', 'So many bytes can be stored only when their number is told beforehand.');
      const part: Promise<void> = send(block, count)
        .catch((error) => {
          broken ??= { error };
        })
        .finally(() => sending.delete(part));
      sending.add(part);
      if (sending.size >= partsInFlight) await Promise.race(sending);
      await settle();
    },
    async commit(digests) {
      await Promise.all(sending);
      await settle();
      const previous = await readHead(bucket, key);
      const text = Buffer.from(JSON.stringify(digests));
      await bucket.client.send(
        new PutObjectCommand({ ...at(bucket, sums), Body: text, ContentMD5: await md5Of(text) }),
      );
      const Parts = parts.sort((a, b) => a.PartNumber - b.PartNumber);
      try {
        await bucket.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      } catch (error) {
        // The answer may have been lost and not the request. While that is unknown the hashes must stay.
        isCommitted = true;
        const now = await readHead(bucket, key);
        isCommitted = now !== null && 'sums' in now && now.sums === sums;
        if (!isCommitted) throw error;
      }
      isCommitted = true;
      if (previous !== null && 'sums' in previous) await remove(bucket, previous.sums);
    },
    async abort() {
      await Promise.all(sending);
      if (isCommitted) return;
      await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      await remove(bucket, sums).catch(() => {});
    },
  };
}

async function get(bucket: Bucket, key: string, range?: Range): Promise<Readable> {
  checkKey(key);
  if (range !== undefined) checkRange(range);
  try {
    const { Body, ContentRange } = await bucket.client.send(
      new GetObjectCommand({
        ...at(bucket, key),
        ...(range !== undefined && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
      }),
    );
    assert(Body instanceof Readable, 'in Node a body is a stream');
    if (range !== undefined && ContentRange === undefined) {
      Body.destroy();
      throw new Error('the S3 server does not know ranges');
    }
    return Body;
  } catch (error) {
    if (isStatus(error, 404)) throw notStored(key);
    if (isStatus(error, 416) && range !== undefined) checkRange(range, 0);
    throw error;
  }
}

async function describe(bucket: Bucket, key: string): Promise<StoredObject | null> {
  for (let attempt = 1; ; attempt++) {
    const head = await readHead(bucket, key);
    if (head === null) return null;
    const { contentType } = head;
    if ('digests' in head) return { ...head.digests, contentType };
    try {
      const { Body } = await bucket.client.send(new GetObjectCommand(at(bucket, head.sums)));
      // Only `commit` writes such objects.
      const digests = JSON.parse((await buffer(Body as Readable)).toString()) as Digests;
      return { ...digests, contentType };
    } catch (error) {
      // The object was replaced meanwhile, and its hashes went with it.
      if (!isStatus(error, 404) || attempt === headAttemptsMax) throw error;
    }
  }
}

async function readHead(bucket: Bucket, key: string): Promise<Head | null> {
  checkKey(key);
  try {
    const { Metadata = {} } = await bucket.client.send(new HeadObjectCommand(at(bucket, key)));
    const { size, sha256, md5, sums, type } = Metadata;
    const contentType = type ?? null;
    if (sums !== undefined) return { contentType, sums: key + sums };
    if (sha256 === undefined) throw new Error(`the object ${key} was not written by this program`);
    return { contentType, digests: { size: Number(size), sha256, md5 } };
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

async function* list(bucket: Bucket, folder: string): AsyncGenerator<ListedObject> {
  for await (const { key, size } of listAll(bucket, folder)) if (!key.includes('~')) yield { key, size };
}

/** With the hashes of large objects. */
async function* listAll(
  { client, name, prefix }: Bucket,
  folder: string,
): AsyncGenerator<ListedObject & { readonly modified: number }> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: name, Prefix: prefix + folder, ContinuationToken }),
    );
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key.slice(prefix.length), size: Size, modified: LastModified?.getTime() ?? Date.now() };
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function tidy(bucket: Bucket, before: number): Promise<void> {
  for await (const { key, uploadId, begun } of listUploads(bucket)) {
    if (begun > before) continue;
    await bucket.client
      .send(new AbortMultipartUploadCommand({ ...at(bucket, key), UploadId: uploadId }))
      .catch(unless(404));
  }
  for await (const { key, modified } of listAll(bucket, '')) {
    const [, owner] = /^(.*)~[0-9a-f]{16}$/.exec(key) ?? [];
    if (owner === undefined || modified > before) continue;
    const head = await readHead(bucket, owner);
    if (head === null || !('sums' in head) || head.sums !== key) await remove(bucket, key);
  }
}

/** Uploads in parts that are not joined yet; none where the server cannot tell. */
async function* listUploads({ client, name, prefix }: Bucket) {
  let markers: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client
      .send(new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...markers }))
      .catch(unless(501));
    for (const { Key = '', UploadId = '', Initiated } of page?.Uploads ?? [])
      yield { key: Key.slice(prefix.length), uploadId: UploadId, begun: Initiated?.getTime() ?? Date.now() };
    if (page?.IsTruncated !== true || page.NextKeyMarker === undefined) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' };
  }
}

/** Lets one status of S3 pass as nothing. */
function unless(status: number): (error: unknown) => undefined {
  return (error) => {
    if (!isStatus(error, status)) throw error;
  };
}

/** An absent object is no error: so S3 has it. */
async function remove(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand(at(bucket, key)));
}

function at({ name, prefix }: Bucket, key: string): { Bucket: string; Key: string } {
  return { Bucket: name, Key: prefix + key };
}

/** Servers give objects without a type one of their own, so the type that was told stands in the metadata too. */
function typed({ contentType }: PutOptions, metadata: Record<string, string>) {
  if (contentType === undefined) return { Metadata: metadata };
  return { ContentType: contentType, Metadata: { ...metadata, type: contentType } };
}

/** In slices, so that a part does not hold up the event loop. */
async function md5Of(block: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let start = 0; start < block.length; start += sliceBytes) {
    hash.update(block.subarray(start, start + sliceBytes));
    await nextTurn();
  }
  return hash.digest('base64');
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}

/** What the bucket or the way to it cannot do now becomes a Failure to wait out; all other errors pass as they are. */
function nameFailure(error: unknown): unknown {
  if (isFull(error)) return storageFull(error);
  if (!isAway(error)) return error;
  return new Failure('unavailable', 'The storage does not answer at the moment. Try again shortly.', { cause: error });
}

/** 507 Insufficient Storage, as MinIO and Ceph answer; AWS is never full, but a quota of others may be. */
function isFull(error: unknown): boolean {
  return isStatus(error, 507) || (error instanceof S3ServiceException && error.name === 'QuotaExceeded');
}

/** Of the service: it fails, or is asked too often. 501 is what it never can. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof S3ServiceException)) return awayCodes.has(error.name) || awayCodes.has(codeOf(error));
  const status = error.$metadata.httpStatusCode ?? 0;
  return (status >= 500 && status !== 501) || status === 429 || awayCodes.has(error.name);
}

/** Of the network, and of the SDK for a service or a source of credentials that is silent. */
const awayCodes: ReadonlySet<string> = new Set([
  ...networkCodes,
  'ERR_STREAM_PREMATURE_CLOSE',
  'TimeoutError',
  'RequestTimeout',
  'CredentialsProviderError',
]);

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
