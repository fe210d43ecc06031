import { Failure } from '../lib/failure.ts';

export type Guesses = {
  /** Notes that a key from this address was nobody's. */
  count(address: string, key: string): void;
  /** Throws Failure 'rate_limited' for a new key from an address that has brought too many that were nobody's. */
  check(address: string, key: string): void;
};

const windowSeconds = 60;
/** Far fewer than a guesser needs, and more than a network with one address changes keys. */
export const unknownKeysMax = 300;
const addressesMax = 1_000;

/**
 * Slows down who tries keys: within a minute the database is asked for so many different keys from one address that turn
 * out to be nobody's, and no more. A key that is tried again is not a new guess. Counted in this process.
 */
export function openGuesses(now: () => number = Date.now): Guesses {
  const windows = new Map<string, { readonly keys: Set<string>; readonly until: number }>();
  return {
    count(address, key) {
      const at = now();
      let window = windows.get(address);
      if (!window || window.until <= at) {
        // Last among those that make room.
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
