import type { Permission } from './authorize.ts';

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

/** An actor recognised, the workspace they act in and what they may do there. */
export type Principal = {
  readonly actor: Actor;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
  readonly isArchived: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** Of the key, in milliseconds since 1970; null for one that does not expire. */
  readonly expiresAt: number | null;
  /** Of the workspace, when this was read. */
  readonly authEpoch: number;
};
