import type { Permission } from './authorize.ts';
import type { Scope } from './scope.ts';

/** Through what a request came in. */
export type Channel = 'api' | 'dashboard' | 'sftp' | 'cli';

/** Who acts, as the audit trail names them. */
export type Actor = {
  readonly type: 'user' | 'api_key' | 'system' | 'operator';
  readonly id: string | null;
  readonly label: string;
};

/** Whoever runs commands on the host. */
export const operator: Actor = { type: 'operator', id: null, label: 'operator' };

/** Who acts, what they may do, and until when. */
export type Rights = {
  readonly actor: Actor;
  readonly permissions: ReadonlySet<Permission>;
  /** When the credential expires, in milliseconds since 1970; null for one that does not. */
  readonly expiresAt: number | null;
};

/** Somebody recognised by a credential, with the scope they act in. */
export type Principal<S extends Scope = Scope> = S &
  Rights & {
    /** Of the credential itself, such as an API key. Its requests are counted together for the rate limit. */
    readonly credentialId: string;
  };
