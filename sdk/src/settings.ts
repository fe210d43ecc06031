/** What a client is made with, and what it reads where nothing is given. */
export type LastroOptions = {
  /** `lst_…`; LASTRO_API_KEY by default. In the browser leave it out: the session's cookie goes with each request. */
  readonly apiKey?: string;
  /** LASTRO_BASE_URL by default; in the browser the page's own origin, elsewhere http://localhost:4000. */
  readonly baseUrl?: string;
  /** Where somebody signed in acts (`ws_…`), if they may act in several workspaces. */
  readonly workspace?: string;
  /** The same for an organization (`org_…`). */
  readonly organization?: string;
  /** How often a request is sent again after the first time: 2 by default. */
  readonly maxRetries?: number;
  /** Milliseconds of one attempt: 60,000 by default, beside what the request asks the service to wait. */
  readonly timeoutMs?: number;
  /** Sends the requests: the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Whether the browser sends its cookies: `same-origin` by default. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
};

/** Options with every default filled in. */
export type Settings = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Of each request to the service. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly credentials: 'omit' | 'same-origin' | 'include';
};

const retriesByDefault = 2;
const timeoutMsByDefault = 60_000;
const localUrl = 'http://localhost:4000';

/** Throws TypeError for a base address that is no http address, or a key with signs that no header can carry. */
export function readSettings(options: LastroOptions): Settings {
  const environment = environmentOf();
  const apiKey = options.apiKey ?? environment.LASTRO_API_KEY;
  const baseUrl = options.baseUrl ?? environment.LASTRO_BASE_URL ?? ownOrigin() ?? localUrl;
  if (!/^https?:\/\//.test(baseUrl))
    throw new TypeError(`baseUrl must begin with http:// or https://; it is ${baseUrl}`);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be as it was shown: without blanks, line ends or other signs around it');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: {
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(options.workspace === undefined ? {} : { 'lastro-workspace': options.workspace }),
      ...(options.organization === undefined ? {} : { 'lastro-organization': options.organization }),
    },
    maxRetries: options.maxRetries ?? retriesByDefault,
    timeoutMs: options.timeoutMs ?? timeoutMsByDefault,
    // Called anew each time: who replaces the global one, for a test say, means all requests after that.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    credentials: options.credentials ?? 'same-origin',
  };
}

/** The variables of the environment, where there is one. */
function environmentOf(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { readonly env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}

/** The origin of the page that this runs in, or null: a file that was opened has none. */
function ownOrigin(): string | undefined {
  const { location } = globalThis as { location?: { readonly origin?: string } };
  return location?.origin?.startsWith('http') ? location.origin : undefined;
}
