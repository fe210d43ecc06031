import type { Actor } from '../../access/actor.ts';
import { type Context, organizationContext, systemContext } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import type { Doer } from '../../trail/record-of-user.ts';
import { addMember } from '../members/add.ts';
import { addWorkspace } from '../workspaces/add.ts';
import { insertOrganization } from './sql.ts';

export type NewOrganization = {
  readonly organization: string;
  readonly workspace: string;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
  /** The user who becomes the Creator of the whole organization. */
  readonly creator: { readonly id: string; readonly email: string };
};

/** Who adds an organization, and how: the person who signs up, or the operator of the host. */
export type Adder = Omit<Doer, 'actor'> & { readonly actor: Actor };

/**
 * Adds an organization with its first workspace and its Creator, in a transaction of the system. Returns the context of
 * the workspace, in which `adder` acts.
 */
export async function addOrganization(tx: Tx, asked: NewOrganization, adder: Adder): Promise<Context> {
  const { organization, workspace: name, timeZone, language, creator } = asked;
  const { actor, channel, ip, userAgent, requestId } = adder;
  const organizationId = newId('org');
  await insertOrganization(tx, organizationId, organization);
  const how = { channel, ip, userAgent, requestId };
  const whole: Context<OrganizationScope> = { ...organizationContext(organizationId, actor), ...how };
  await record(
    tx,
    whole,
    'organization-creation',
    { type: 'organization', id: organizationId },
    { name: organization },
  );
  const workspaceId = await addWorkspace(tx, whole, { name, timeZone, language });
  await addMember(tx, whole, { userId: creator.id, email: creator.email, role: 'creator' });
  return { ...systemContext({ organizationId, workspaceId, timeZone, language }, actor), ...how };
}
