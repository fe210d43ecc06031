import { Failure } from '../lib/failure.ts';

export type Guesses = {
  /** Counts an unknown key that an address sent. */
  count(address: string, key: string): void;
  /** Throws Failure 'rate_limited' for a new key from an address that has sent too many unknown ones. */
  check(address: string, key: string): void;
};

const windowSeconds = 60;
/** Far fewer than guessing a key takes, and more than an office behind one address sends by mistake. */
export const unknownKeysMax = 300;
const addressesMax = 1_000;

/**
 * Slows down the guessing of keys: once `unknownKeysMax` different keys from one address have turned out to be unknown
 * within a minute, the database is asked for no more of them. Repeating the same wrong key is not a new guess. The
 * count is per process.
 */
export function openGuesses(now: () => number = Date.now): Guesses {
  const windows = new Map<string, { readonly keys: Set<string>; readonly until: number }>();
  return {
    count(address, key) {
      const at = now();
      let window = windows.get(address);
      if (!window || window.until <= at) {
        // Moves the address to the end of the map: the oldest window is the first to make room.
        windows.delete(address);
        if (windows.size >= addressesMax) windows.delete(windows.keys().next().value!);
        window = { keys: new Set(), until: at + windowSeconds * 1000 };
        windows.set(address, window);
      }
      if (window.keys.size < unknownKeysMax) window.keys.add(key);
    },
    check(address, key) {
      const window = windows.get(address);
      const leftMs = window ? window.until - now() : 0;
      if (!window || leftMs <= 0 || window.keys.size < unknownKeysMax || window.keys.has(key)) return;
      const message = `more than ${unknownKeysMax} unknown keys from this address in ${windowSeconds} seconds`;
      throw new Failure('rate_limited', message, { headers: { 'retry-after': String(Math.ceil(leftMs / 1000)) } });
    },
  };
}
