/** The part of a sign-in that a browser does at an identity provider: cookies, redirects, forms; test support. */
import { expect } from 'vitest';

export type Page = { readonly url: string; readonly status: number; readonly text: string };

/** A browser with nothing but cookies; it keeps them for as long as it lives, and so its session at the provider. */
export type Walker = {
  readonly cookies: Map<string, string>;
  /** Follows redirects from an address until they leave the origin of that address, or end. */
  get(url: string): Promise<{ leftTo: string } | Page>;
  /** Sends a form, and follows as `get` does. */
  post(url: string, fields: Readonly<Record<string, string>>): Promise<{ leftTo: string } | Page>;
};

/** More redirects than any sign-in takes. */
const redirectsMax = 20;

export function openWalker(): Walker {
  const cookies = new Map<string, string>();

  async function follow(from: string, first: RequestInit): Promise<{ leftTo: string } | Page> {
    const { origin } = new URL(from);
    let url = from;
    let init = first;
    for (let count = 0; count < redirectsMax; count++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { ...init, redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '' || /expires=Thu, 01[ -]Jan[ -]1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location === null) return { url, status: answer.status, text };
      url = new URL(location, url).href;
      init = {};
      if (new URL(url).origin !== origin) return { leftTo: url };
    }
    throw new Error(`more than ${redirectsMax} redirects from ${from}`);
  }

  return {
    cookies,
    get: (url) => follow(url, {}),
    post: (url, fields) => follow(url, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}

/** Where redirects led to, which must be away from the provider. */
export function leftFor(end: { leftTo: string } | Page): string {
  expect(end, JSON.stringify(end)).toHaveProperty('leftTo');
  return (end as { leftTo: string }).leftTo;
}
