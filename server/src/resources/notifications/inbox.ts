import type { Permission } from '../../access/authorize.ts';
import { permissionsOf } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { EventType } from '../../trail/catalog.ts';
import { findPerson } from '../api-keys/find-person.ts';
import { personalTypes } from '../notification-preferences/mandatory.ts';
import { readableTypes } from '../notification-preferences/preference.ts';
import { type Inbox, selectWholeRoles } from './sql.ts';

/**
 * The inbox of whoever asks, as they may see it now: of a key, what its maker is told in its workspace, as far as the
 * key may read it. Throws Failure 'unauthenticated'.
 */
export async function openInbox(tx: Tx, ctx: Context): Promise<Inbox> {
  const { organizationId, workspaceId, permissions, actor } = ctx;
  const userId = await findPerson(tx, ctx);
  const place = { userId, organizationId, workspaceId };
  if (actor.type !== 'user') return { ...place, types: readableTypes(permissions), wholeTypes: [] };
  const roles = await selectWholeRoles(tx, organizationId, userId);
  return { ...place, types: seenWith(permissions), wholeTypes: seenWith(permissionsOf(roles, null)) };
}

/** What people see who have these permissions: also what is about themselves. */
function seenWith(permissions: ReadonlySet<Permission>): EventType[] {
  return [...new Set([...readableTypes(permissions), ...personalTypes])];
}
