import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { hasWorkspace } from './sql.ts';

/** Throws Failure 'not_found' for a workspace that the organization does not have; null is none. */
export async function requireWorkspace(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await hasWorkspace(tx, organizationId, id))) return;
  const message = `there is no workspace ${id}`;
  throw refuse('not_found', message, { problems: [{ at: '/default_workspace_id', message }] });
}

/**
 * Refuses what is no address of the web. Whether it may be reached is said when it is. Throws Failure
 * 'schema_mismatch'.
 */
export function requireHttps(at: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '') return;
  const message = 'must be an address such as https://login.company.com';
  throw refuse('schema_mismatch', `${at} ${message}`, { problems: [{ at, message }] });
}
