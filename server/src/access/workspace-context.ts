import { refuse } from '../errors.ts';
import type { Actor } from './actor.ts';
import { type Context, systemContext } from './context.ts';
import { type Database, system } from './transactions.ts';

/** Reads the context of work in a workspace without a request. Throws Failure 'not_found'. */
export async function workspaceContext(db: Database, workspaceId: string, actor?: Actor): Promise<Context> {
  const row = await system(db, 'workspace context', (tx) =>
    tx.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst(),
  );
  if (!row) throw refuse('not_found', `there is no workspace ${workspaceId}`);
  return systemContext(
    {
      organizationId: row.organization_id,
      workspaceId: row.id,
      timeZone: row.time_zone,
      language: row.language as 'en' | 'pt-BR',
    },
    actor,
  );
}
