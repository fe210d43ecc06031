import { useSyncExternalStore } from 'react';

/** A signing secret that the service has just told: kept from one page to the next, and never stored. */
export type ToldSecret = { readonly webhookId: string; readonly secret: string; readonly isRotated: boolean };

let told: ToldSecret | null = null;
const listeners = new Set<() => void>();

export function keepSecret(secret: ToldSecret | null): void {
  told = secret;
  for (const listener of listeners) listener();
}

/** The secret of this webhook, if it has just been told. */
export function useToldSecret(webhookId: string): ToldSecret | null {
  const secret = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => told,
  );
  return secret?.webhookId === webhookId ? secret : null;
}
