import { operator } from '../../access/actor.ts';
import type { Context } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import { findOrAddUser } from '../users/add.ts';
import { addOrganization } from './add.ts';

export type AskedOrganization = {
  readonly organization: string;
  readonly workspace: string;
  readonly email: string;
  readonly timeZone?: string;
  readonly language?: 'en' | 'pt-BR';
};

/**
 * Creates an organization with its first workspace and a user with the role `creator` in the whole organization. Only
 * the operator of the host does this. Returns a context that acts as the operator, and the user's id.
 */
export function createOrganization(db: Database, asked: AskedOrganization): Promise<{ ctx: Context; userId: string }> {
  const { email, timeZone = 'America/Sao_Paulo', language = 'en', ...names } = asked;
  return system(db, 'create organization', async (tx) => {
    const { id: userId, isNew } = await findOrAddUser(tx, email);
    const adder = { actor: operator, channel: 'cli', ip: null, userAgent: null, requestId: null } as const;
    const ctx = await addOrganization(tx, { ...names, timeZone, language, creator: { id: userId, email } }, adder);
    if (isNew) await recordOfUser(tx, adder, userId, 'user-creation');
    return { ctx, userId };
  });
}
