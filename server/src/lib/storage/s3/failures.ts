import { S3ServiceException } from '@aws-sdk/client-s3';
import { Failure } from '../../failure.ts';
import { networkCodes } from '../../network-codes.ts';
import { storageFull } from '../storage.ts';

/** What the bucket or the way to it cannot do now becomes a Failure to wait out; all other errors pass as they are. */
export function nameFailure(error: unknown): unknown {
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

/** Whether S3 answered with a status of HTTP. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}

/** Lets one status of S3 pass as nothing. */
export function unless(status: number): (error: unknown) => undefined {
  return (error) => {
    if (!isStatus(error, status)) throw error;
  };
}
