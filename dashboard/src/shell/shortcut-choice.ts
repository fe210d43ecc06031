import { useSyncExternalStore } from 'react';

const storageKey = 'lastro.shortcuts';
const off = 'off';
const listeners = new Set<() => void>();
let isOn = readKept();

/** Whether single keys do something: those who speak to their computer, or strike keys unawares, switch that off. */
export function setShortcutsOn(next: boolean): void {
  isOn = next;
  try {
    if (next) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, off);
  } catch {
    // Without storage the choice holds for this page.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, () => isOn);

function readKept(): boolean {
  try {
    return localStorage.getItem(storageKey) !== off;
  } catch {
    return true;
  }
}
