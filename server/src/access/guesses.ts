import { Failure } from '../lib/failure.ts';

export type Guesses = {
  /**
   * Reads what belongs to a key that an address sent, undefined for an unknown key. Throws Failure 'rate_limited' when
   * the address has sent too many unknown keys and too many others of it are being looked up.
   */
  look<T>(address: string, key: string, read: () => Promise<T | undefined>): Promise<T | undefined>;
};

export const windowSeconds = 60;
/** Far fewer than guessing a key takes, and more than an office behind one address sends by mistake. */
export const unknownKeysMax = 300;
/** Most keys of a slowed address that wait to be looked up. */
export const waitingKeysMax = 20;
const addressesMax = 1_000;
const retryAfterSeconds = 1;

type Window = { readonly keys: Set<string>; readonly until: number; waiting: number; last: Promise<unknown> };

/**
 * Slows down the guessing of keys: once `unknownKeysMax` different keys from one address have turned out to be unknown
 * within a minute, its keys are looked up one after the other, so that guesses take no more than one connection of the
 * database. Others behind the same address wait for moments, and are not shut out. Repeating the same wrong key is not
 * a new guess. The count is per process.
 */
export function openGuesses(now: () => number = Date.now): Guesses {
  const windows = new Map<string, Window>();

  const count = (address: string, key: string): void => {
    const at = now();
    let window = windows.get(address);
    if (!window || window.until <= at) {
      // Moves the address to the end of the map: the oldest window is the first to make room.
      windows.delete(address);
      if (windows.size >= addressesMax) windows.delete(windows.keys().next().value!);
      window = { keys: new Set(), until: at + windowSeconds * 1000, waiting: 0, last: Promise.resolve() };
      windows.set(address, window);
    }
    if (window.keys.size < unknownKeysMax) window.keys.add(key);
  };

  return {
    async look(address, key, read) {
      const window = windows.get(address);
      const isSlowed = window && window.until > now() && window.keys.size >= unknownKeysMax;
      const found = await (isSlowed ? inTurn(window, read) : read());
      if (found === undefined) count(address, key);
      return found;
    },
  };
}

async function inTurn<T>(window: Window, read: () => Promise<T>): Promise<T> {
  if (window.waiting >= waitingKeysMax)
    throw new Failure(
      'rate_limited',
      `more than ${unknownKeysMax} unknown keys from this address in ${windowSeconds} seconds`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  window.waiting++;
  const reading = window.last.then(read, read);
  window.last = reading;
  return reading.finally(() => window.waiting--);
}
