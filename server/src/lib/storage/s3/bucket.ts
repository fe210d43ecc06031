import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { nameFailure } from './failures.ts';

export type Bucket = { readonly client: S3Client; readonly name: string; readonly prefix: string };

/** Where a bucket is, and the credentials to use it. */
export type S3Address = {
  readonly bucket: string;
  /** Prefix of every key: empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The endpoint of a provider other than AWS; the bucket's name is then part of the path. */
  readonly endpoint?: string;
  /** Without them the SDK looks in its usual places: environment, profile, role of the machine. */
  readonly credentials?: S3Credentials;
};

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** Most connections. A download holds one for as long as its reader takes. */
const socketsMax = 256;
const connectTimeoutMs = 10_000;
/** Timeout of silence on a connection. A reader that pauses also causes silence. */
const silenceTimeoutMs = 300_000;

/**
 * Makes the client of a bucket, which gives up on silence, and throws Failure when the bucket is away or full. Sends no
 * request yet.
 */
export function connect({ bucket, prefix, ...address }: S3Address): Bucket {
  return { client: openClient(address), name: bucket, prefix };
}

function openClient({
  region,
  endpoint,
  credentials,
}: Pick<S3Address, 'region' | 'endpoint' | 'credentials'>): S3Client {
  const agent = { maxSockets: socketsMax, keepAlive: true };
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // Requests carry Content-MD5, which every provider checks; not all of them know the newer checksums.
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
      // The signed Content-MD5 covers the bytes. Hashing a whole part again in one go would hold up the event loop.
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
    // Runs around all other middleware, including the retries.
    { step: 'initialize', priority: 'high', name: 'nameFailure' },
  );
  return client;
}

/** Removes an object. For S3, removing an absent object is no error. */
export async function remove(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand(at(bucket, key)));
}

/** The parameters of a command that name an object. */
export function at({ name, prefix }: Bucket, key: string): { Bucket: string; Key: string } {
  return { Bucket: name, Key: prefix + key };
}
