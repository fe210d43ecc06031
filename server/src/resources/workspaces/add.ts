import { type Context, systemContext } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import { insertWorkspace } from './sql.ts';

export type NewWorkspace = {
  readonly name: string;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
};

/** Adds a workspace to the organization of `ctx`. Returns its id. */
export async function addWorkspace(
  tx: Tx,
  ctx: Context<OrganizationScope>,
  { name, timeZone, language }: NewWorkspace,
): Promise<string> {
  const id = newId('ws');
  const { organizationId, actor, channel, ip, userAgent, requestId } = ctx;
  await insertWorkspace(tx, { id, organization_id: organizationId, name, time_zone: timeZone, language });
  const inside = { ...systemContext({ organizationId, workspaceId: id, timeZone, language }, actor), channel };
  await record(tx, { ...inside, ip, userAgent, requestId }, 'workspace-creation', { type: 'workspace', id }, { name });
  return id;
}
