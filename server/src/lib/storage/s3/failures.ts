import { S3ServiceException } from '@aws-sdk/client-s3';
import { Failure } from '../../failure.ts';
import { networkCodes } from '../../network-codes.ts';
import { storageFull } from '../storage.ts';

/** Turns errors that end when the bucket or the network recovers into Failures; returns all others as they are. */
export function nameFailure(error: unknown): unknown {
  if (isFull(error)) return storageFull(error);
  if (!isAway(error)) return error;
  return new Failure('unavailable', 'The storage does not answer at the moment. Try again shortly.', { cause: error });
}

/**
 * Whether the bucket is full. MinIO and Ceph answer 507 Insufficient Storage; AWS is never full, but other providers
 * have quotas.
 */
function isFull(error: unknown): boolean {
  return isStatus(error, 507) || (error instanceof S3ServiceException && error.name === 'QuotaExceeded');
}

/**
 * Whether the service fails for now or is asked too often. Status 501 is permanent: the service does not support this.
 */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof S3ServiceException)) return awayCodes.has(error.name) || awayCodes.has(codeOf(error));
  const status = error.$metadata.httpStatusCode ?? 0;
  return (status >= 500 && status !== 501) || status === 429 || awayCodes.has(error.name);
}

/** Codes of the network, and of the SDK for a service or a source of credentials that does not answer. */
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

/** Whether S3 answered with this HTTP status. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}

/** An error handler that ignores one HTTP status of S3 and rethrows all other errors. */
export function unless(status: number): (error: unknown) => undefined {
  return (error) => {
    if (!isStatus(error, status)) throw error;
  };
}
