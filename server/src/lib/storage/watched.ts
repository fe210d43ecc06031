import { Failure } from '../failure.ts';
import { networkCodes } from '../network-codes.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import type { Storage } from './storage.ts';

export type WatchOptions = {
  /** Called with the name of every operation that the storage failed. */
  readonly onError: (operation: string) => void;
  readonly tracing?: Tracing;
};

/** What a storage that works answers too: there is no such object, or the caller sent the wrong bytes. */
const noFault: ReadonlySet<string> = new Set(['not_found', 'invalid']);

/** The same storage, which tells of its errors, and has a span for each operation of traced work. */
export function watchStorage(storage: Storage, { onError, tracing = noTracing }: WatchOptions): Storage {
  const watched = <A extends readonly [key: string, ...rest: unknown[]], R>(
    name: string,
    work: (...args: A) => Promise<R>,
    isFault = isOurs,
  ) => {
    const told = async (args: A): Promise<R> => {
      try {
        return await work(...args);
      } catch (error) {
        if (isFault(error)) onError(name);
        throw error;
      }
    };
    return (...args: A): Promise<R> =>
      tracing.beneath(`storage ${name}`, 'client', { 'lastro.storage.key': args[0] }, () => told(args));
  };
  return {
    ...storage,
    put: watched('put', storage.put, isOfStoring),
    get: watched('get', storage.get),
    stat: watched('stat', storage.stat),
    delete: watched('delete', storage.delete),
    deletePrefix: watched('delete', storage.deletePrefix),
    verify: watched('verify', storage.verify),
    localPath: watched('get', storage.localPath),
  };
}

function isOurs(error: unknown): boolean {
  return !(error instanceof Failure && noFault.has(error.code));
}

/** Whether storing failed, not the stream of the bytes: of a caller who hangs up the network tells, or the caller. */
function isOfStoring(error: unknown): boolean {
  if (error instanceof Failure) return isOurs(error);
  if (!(error instanceof Error)) return false;
  return '$metadata' in error || ('syscall' in error && 'code' in error && !networkCodes.includes(String(error.code)));
}
