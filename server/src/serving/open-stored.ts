import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import { NotStored, type Storage } from '../lib/storage/storage.ts';

/**
 * Runs `open`, which opens stored objects that the database says are there. `what` names them for callers. Throws
 * Failure 'object_damaged' when one is missing, or is none of its kind, without telling where it lies.
 */
export async function openStored<T>(storage: Pick<Storage, 'lost'>, what: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof NotStored) throw storage.lost(error.key);
    throw isUnreadable(error) ? refuse('object_damaged', damagedText(what), { cause: error }) : error;
  }
}

/**
 * Runs `open`, which fetches local copies of stored objects and opens them; once more where a copy cannot be read. An
 * erasure removes the copies of its workspace, and may do so just between. What is damaged in the storage is so again.
 */
export async function openCopies<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return open();
  }
}

/** Whether stored bytes were refused by whoever reads them, with a message that may say where they lie. */
export function isUnreadable(error: unknown): error is Failure {
  return error instanceof Failure && error.reason === 'object_damaged' && error.code !== 'internal';
}

export function damagedText(what: string): string {
  return `${what} cannot be read as stored, so nothing was made of it; the operator's log says what is damaged`;
}
