import type { Permission } from './authorize.ts';
import type { Allowed } from './ip-rules.ts';
import type { AnyScope } from './scope.ts';

/** The channel through which a request came in. */
export type Channel = 'api' | 'dashboard' | 'sftp' | 'cli';

/** The actor of an act, as the audit trail names it. */
export type Actor = {
  readonly type: 'user' | 'api_key' | 'sftp_user' | 'system' | 'operator';
  readonly id: string | null;
  readonly label: string;
};

/** The actor of commands that are run on the host. */
export const operator: Actor = { type: 'operator', id: null, label: 'operator' };

/** An actor, what they may do, and until when. */
export type Rights = {
  readonly actor: Actor;
  readonly permissions: ReadonlySet<Permission>;
  /** When the credential expires, in milliseconds since 1970; null when it does not expire. */
  readonly expiresAt: number | null;
  /** The id of the credential itself, such as an API key or a session; null for work without a request. */
  readonly credentialId: string | null;
  /**
   * Set for a session through an identity provider whose user is in other organizations too, and has not proved
   * lately who they are by what the account itself has: the organization that it is of. It says little about the rest.
   */
  readonly boundTo?: string;
};

/** An actor recognised by a credential, and the scope in which they act. */
export type Principal<S extends AnyScope = AnyScope> = S &
  Rights & {
    /** Its requests share one rate limit. */
    readonly credentialId: string;
    /** When the person last proved who they are, in milliseconds since 1970; null for a credential of no person. */
    readonly authenticatedAt: number | null;
    /** Whether the operator has suspended the organization. */
    readonly isSuspended: boolean;
    /** From where they may come in. */
    readonly allowed: Allowed;
  };
