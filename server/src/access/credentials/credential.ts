import type { Head } from '../../lib/http/server.ts';
import type { Channel, Principal } from '../actor.ts';
import type { ScopeKind } from '../scope.ts';

/**
 * A kind of credential by which callers are recognised: an API key, a signed address. Each has a file in this folder.
 */
export type Credential = {
  /** The channel of callers with this credential. */
  readonly channel: Channel;
  /** How to send it, in the words for a request without any credential: `send the key as …`. */
  readonly howTo: string;
  /**
   * Returns the function that reads the principal behind the credential of a request; null when the request carries
   * none of this kind. `scope` is what the route needs, for a credential that is valid in either. Throws a refusal for
   * an invalid credential.
   */
  recognise(head: CallerHead, scope: ScopeKind): ReadPrincipal | null;
};

/** The parts of a request that identify its sender. */
export type CallerHead = Pick<Head, 'method' | 'url' | 'headers' | 'ip'>;

/**
 * Reads the principal behind a credential from the database, or, when `cached`, from memory, which may be older than a
 * revocation. Throws a refusal when the credential is no longer valid.
 */
export type ReadPrincipal = (cached: boolean) => Promise<Principal>;
