import { LastroError } from '@lastro/sdk';
import { useSyncExternalStore } from 'react';

/** Somebody who waits for a proof, and is told whether it came. */
type Asked = { settle(isProved: boolean): void };

let asked: Asked | null = null;
const listeners = new Set<() => void>();
/** Refusals whose proof was not given: whoever passes one on does not ask a second time. */
const declined = new WeakSet<object>();

function set(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

/**
 * Does something that may be sensitive. Where the service wants a fresh proof of who does it, that is asked for in a
 * dialog, and then it is done again. Throws the refusal where no proof is given. `Confirm` and `useChange` do it by
 * themselves.
 */
export async function withProof<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof LastroError) || error.code !== 'reauthentication_required' || declined.has(error))
      throw error;
    if (await askForProof()) return act();
    declined.add(error);
    throw error;
  }
}

/** One dialog serves all who wait at the same time. */
function askForProof(): Promise<boolean> {
  return new Promise((settle) => {
    const before = asked;
    set({
      settle(isProved) {
        before?.settle(isProved);
        settle(isProved);
      },
    });
  });
}

/** Tells those who wait, and closes the dialog. */
export function endProof(isProved: boolean): void {
  const ended = asked;
  set(null);
  ended?.settle(isProved);
}

export function useIsProofAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked !== null,
  );
}
