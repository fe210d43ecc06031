import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { nameFailure } from './failures.ts';

export type Bucket = { readonly client: S3Client; readonly name: string; readonly prefix: string };

/** Where a bucket is, and who asks for it. */
export type S3Address = {
  readonly bucket: string;
  /** Put before every key: empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Of another provider than AWS; the bucket then stands in the path. */
  readonly endpoint?: string;
  /** Without them the SDK looks in its usual places: environment, profile, role of the machine. */
  readonly credentials?: S3Credentials;
};

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** Downloads hold a connection as long as their reader takes. */
const socketsMax = 256;
const connectTimeoutMs = 10_000;
/** Of silence on a connection, which a reader who pauses causes as well. */
const silenceTimeoutMs = 300_000;

/** A bucket whose client gives up on silence, and throws Failure for what is away or full. Asks nothing yet. */
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

/** An absent object is no error: so S3 has it. */
export async function remove(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand(at(bucket, key)));
}

/** What a command says of where an object lies. */
export function at({ name, prefix }: Bucket, key: string): { Bucket: string; Key: string } {
  return { Bucket: name, Key: prefix + key };
}
