import { Failure } from '../failure.ts';
import { networkCodes } from '../network-codes.ts';
import type { Storage } from './storage.ts';

/** What a storage that works answers too: there is no such object, or the caller sent the wrong bytes. */
const noFault: ReadonlySet<string> = new Set(['not_found', 'invalid']);

/** The same storage, which tells `onError` of every operation that it failed, by name. */
export function withCountedErrors(storage: Storage, onError: (operation: string) => void): Storage {
  const counted = <A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>, isFault = isOurs) => {
    return async (...args: A): Promise<R> => {
      try {
        return await work(...args);
      } catch (error) {
        if (isFault(error)) onError(name);
        throw error;
      }
    };
  };
  return {
    ...storage,
    put: counted('put', storage.put, isOfStoring),
    get: counted('get', storage.get),
    stat: counted('stat', storage.stat),
    delete: counted('delete', storage.delete),
    deletePrefix: counted('delete', storage.deletePrefix),
    verify: counted('verify', storage.verify),
    localPath: counted('get', storage.localPath),
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
