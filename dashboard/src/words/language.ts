import { useSyncExternalStore } from 'react';

export type Language = 'en' | 'pt-BR';

/** What each is called in itself, in the order in which they are offered. */
export const languages: readonly { readonly value: Language; readonly label: string }[] = [
  { value: 'pt-BR', label: 'Português' },
  { value: 'en', label: 'English' },
];

const storageKey = 'lastro.language';
const listeners = new Set<() => void>();
let language: Language = document.documentElement.lang === 'pt-BR' ? 'pt-BR' : 'en';

export function currentLanguage(): Language {
  return language;
}

/** Changes the language of the page at once, and keeps it for the next visit. */
export function setLanguage(next: Language): void {
  language = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Without storage the choice holds for this page.
  }
  for (const listener of listeners) listener();
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);
}
