import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const firstWaitMs = 1_000;
const waitMsMost = 30_000;

/**
 * Whether the service answers. While it does not, queries wait and ask again by themselves when it does: looking whether
 * it is there is one small request, after a second, two, four, up to half a minute.
 */
let isLost = false;
let looking: Promise<void> | null = null;
let waitMs = firstWaitMs;
let timer: ReturnType<typeof setTimeout> | undefined;

export const isConnectionLost = (): boolean => isLost;

/** A request had no answer: looks whether the service is there. */
export function lookForService(): Promise<void> {
  clearTimeout(timer);
  looking ??= look().finally(() => {
    looking = null;
  });
  return looking;
}

async function look(): Promise<void> {
  const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  isLost = !isThere;
  onlineManager.setOnline(isThere);
  if (isThere) {
    waitMs = firstWaitMs;
    return;
  }
  timer = setTimeout(lookForService, waitMs);
  waitMs = Math.min(waitMsMost, 2 * waitMs);
}

/** Looks at once when there is a network again, or somebody looks at the page. */
onlineManager.setEventListener(() => {
  const back = () => {
    if (!isLost && onlineManager.isOnline()) return;
    waitMs = firstWaitMs;
    void lookForService();
  };
  const away = () => {
    isLost = true;
    onlineManager.setOnline(false);
  };
  const seen = () => document.visibilityState === 'visible' && back();
  window.addEventListener('online', back);
  window.addEventListener('offline', away);
  document.addEventListener('visibilitychange', seen);
  return () => {
    window.removeEventListener('online', back);
    window.removeEventListener('offline', away);
    document.removeEventListener('visibilitychange', seen);
  };
});

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  );
}
