import { Lastro } from '@lastro/sdk';
import { isConnectionLost, lookForService } from './connection.ts';

/**
 * Clients by where somebody acts. The session's cookie goes with each request; a session that has ended is told to
 * `onSignedOut`, and a refusal of what the page offered to `onForbidden`, wherever they show.
 */
const clients = new Map<string, Lastro>();
const signedOut = new Set<() => void>();
const forbidden = new Set<() => void>();

export function clientOf(place: { readonly workspace?: string; readonly organization?: string }): Lastro {
  const key = `${place.workspace ?? ''} ${place.organization ?? ''}`;
  let client = clients.get(key);
  if (!client) clients.set(key, (client = new Lastro({ ...place, fetch: watched })));
  return client;
}

/** Of the account itself, which is in no workspace. */
export const accountClient = (): Lastro => clientOf({});

export const onSignedOut = (listener: () => void): (() => void) => listen(signedOut, listener);

export const onForbidden = (listener: () => void): (() => void) => listen(forbidden, listener);

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

declare global {
  interface Window {
    /** The answer of `GET /v1/api/user`, which index.html asks for. */
    lastroUser?: Promise<Response>;
  }
}

const watched: typeof fetch = async (input, init) => {
  const isRead = (init?.method ?? 'GET') === 'GET';
  if (isRead && isConnectionLost()) throw new TypeError('the service does not answer');
  const response = await (takeUser(input) ?? fetch(input, init)).catch((error: unknown) => {
    if (!init?.signal?.aborted) void lookForService();
    throw error;
  });
  if (isOfGateway(response)) void lookForService();
  // Signing in is refused by the same status, and is no end of anything.
  if (response.status === 401 && !isSigningIn(input)) for (const listener of signedOut) listener();
  if (response.status === 403) for (const listener of forbidden) listener();
  return response;
};

/** Whether what stands before the service has had no answer of it. */
const isOfGateway = ({ status }: Response): boolean => status === 502 || status === 504;

/** What index.html asked for, to whoever asks first; it is asked for again after that. */
function takeUser(input: RequestInfo | URL): Promise<Response> | undefined {
  if (!window.lastroUser || !String(input).endsWith('/v1/api/user')) return undefined;
  const asked = window.lastroUser;
  delete window.lastroUser;
  return asked;
}

function isSigningIn(input: RequestInfo | URL): boolean {
  return /\/v1\/api\/(sessions|session\/reauthentication|password-resets)/.test(String(input));
}
