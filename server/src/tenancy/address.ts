import type { Head } from '../lib/http/server.ts';
import type { Actor } from './actor.ts';
import { type Context, contextOf } from './context.ts';
import type { Database } from './doors.ts';
import { workspaceContext } from './workspace.ts';

/** What a signed address says of who asked for it. */
export function signedBy({ actor }: Pick<Context, 'actor'>): { readonly by: string } {
  return { by: `${actor.type} ${actor.id ?? ''}` };
}

/** The context of a request to a signed address: whoever asked for the address acts, whoever uses it. */
export async function holderContext(
  db: Database,
  workspaceId: string,
  claims: Readonly<Record<string, string>>,
  head: Head,
): Promise<Context> {
  const [type, id] = claims.by.split(' ');
  const actor: Actor = { type: type as Actor['type'], id: id || null, label: id || type };
  return contextOf(await workspaceContext(db, workspaceId, actor), head);
}
