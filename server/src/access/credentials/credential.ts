import type { Head } from '../../lib/http/server.ts';
import type { Channel, Principal } from '../actor.ts';
import type { ScopeKind } from '../scope.ts';

/** A way to be recognised: an API key, a signed address. Each has a file beside this one. */
export type Credential = {
  /** Through what those who send it come in. */
  readonly channel: Channel;
  /** How to send it, as a request without any credential is told: `send the key as …`. */
  readonly howTo: string;
  /**
   * What reads who is behind the credential that a request carries; null where it carries none of this kind. `scope` is
   * what the route wants, for a credential that is good for either. Throws a refusal for one that is no good.
   */
  recognise(head: CallerHead, scope: ScopeKind): ReadPrincipal | null;
};

/** What of a request says who sends it. */
export type CallerHead = Pick<Head, 'method' | 'url' | 'headers' | 'ip'>;

/**
 * Reads who is behind a credential, from the database unless it may be from memory (`cached`), which may be older than
 * a revocation. Throws a refusal once the credential is good no longer.
 */
export type ReadPrincipal = (cached: boolean) => Promise<Principal>;
