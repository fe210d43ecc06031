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

/** The form of a page that has a field of this name: where it goes to and what its fields hold. */
export function formWith(field: string, end: { leftTo: string } | Page): { action: string; fields: Fields } {
  expect(end, JSON.stringify(end)).toHaveProperty('text');
  const { url, text } = end as Page;
  for (const [form] of text.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/gi)) {
    const inputs = [...form.matchAll(/<input\b[^>]*>/gi)].map(([input]) => input);
    const fields = inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''] as const);
    if (fields.some(([name]) => name === field))
      return { action: new URL(attribute(form, 'action') ?? url, url).href, fields: Object.fromEntries(fields) };
  }
  throw new Error(`no form with ${field} in ${text}`);
}

type Fields = Record<string, string>;

/** What a browser brings to the address that a provider's page sends it to (HTTP-POST binding). */
export type SamlPost = { readonly acsUrl: string; readonly SAMLResponse: string; readonly RelayState: string };

export function samlPostOf(end: { leftTo: string } | Page): SamlPost {
  const { action, fields } = formWith('SAMLResponse', end);
  return { acsUrl: action, SAMLResponse: fields.SAMLResponse, RelayState: fields.RelayState ?? '' };
}

/** An attribute of the first tag of a piece of HTML. */
function attribute(html: string, name: string): string | undefined {
  const [tag] = /^<[^>]*>/.exec(html)!;
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return found === null ? undefined : unescapeHtml(found[1] ?? found[2]);
}

function unescapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => names[name] ?? whole);
}
