import { LastroError } from '@lastro/sdk';
import { useEffect, useState } from 'react';

const storageKey = (page: string): string => `lastro.token.${page}`;

/**
 * The token of a link in a mail: what stands after # in its address. It is taken out of the address at once, and kept
 * for this tab until it has been used, so that a reload, or a sign-in in between, does not lose it. A later link put
 * into the tab replaces it.
 */
export function useLinkToken(page: string): string | null {
  const take = (): string | null => {
    const given = takeFragment();
    if (!given) return read(page);
    keep(page, given);
    return given;
  };
  const [token, setToken] = useState(take);
  useLaterLink(() => setToken(take()));
  return token;
}

/** Calls back when a link to the page that is shown is put into its tab: only the fragment changes, nothing loads. */
export function useLaterLink(onLink: () => void): void {
  useEffect(() => {
    const look = () => {
      if (location.hash.length > 1) onLink();
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  });
}

/** Takes out of the address what stands after #. */
function takeFragment(): string {
  const given = location.hash.slice(1);
  if (given) history.replaceState(history.state, '', location.pathname + location.search);
  return given;
}

/** Whether a refusal is of the token: it is good no more. After any other, as of a broken connection, it still may be. */
export const isTokenSpent = (error: unknown): boolean => error instanceof LastroError && error.code === 'token_invalid';

export function forgetToken(page: string): void {
  try {
    sessionStorage.removeItem(storageKey(page));
  } catch {
    // Nothing was kept.
  }
}

function keep(page: string, token: string): void {
  try {
    sessionStorage.setItem(storageKey(page), token);
  } catch {
    // Without storage it holds as long as the page does.
  }
}

function read(page: string): string | null {
  try {
    return sessionStorage.getItem(storageKey(page));
  } catch {
    return null;
  }
}
