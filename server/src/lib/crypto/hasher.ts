import { Failure } from '../failure.ts';
import type { TaskRunner } from '../processes/pool.ts';
import type { checkHash, makeHash } from './hashing.ts';

/** Hashes passwords one after the other. */
export type Hasher = {
  /** Returns the hash in the PHC format. Throws Failure 'rate_limited' when too many passwords wait. */
  make(password: string): Promise<string>;
  /** Whether the password is the one that was hashed; false for null, after as long. Throws as `make` does. */
  check(phc: string | null, password: string): Promise<boolean>;
};

/** Most passwords that wait to be hashed: a few seconds of a core. */
export const waitingPasswordsMax = 40;
const retryAfterSeconds = 2;

export function openHasher(runner: TaskRunner): Hasher {
  let waiting = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= waitingPasswordsMax)
      throw new Failure('rate_limited', 'too many people sign in at this moment: try again in some seconds', {
        reason: 'rate_limited',
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  };
  return {
    make: (password) => inTurn(() => runner.run<typeof makeHash>({ name: 'makeHash', input: { password } })),
    check: (phc, password) =>
      inTurn(() => runner.run<typeof checkHash>({ name: 'checkHash', input: { phc, password } })),
  };
}
