import { contextOf } from '../../access/context.ts';
import type { Head } from '../../lib/http/server.ts';
import type { Doer } from '../../trail/record-of-user.ts';

/** Who does something about their own account without being signed in yet. */
export function doerOf(head: Head, { id, email }: { readonly id: string; readonly email: string }): Doer {
  const nobody = { organizationId: null, workspaceId: null, permissions: new Set<never>() };
  const actor = { type: 'user', id, label: email } as const;
  return contextOf({ ...nobody, actor, expiresAt: null, credentialId: null }, 'dashboard', head);
}
