import type { Context } from '../../access/context.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, passkeyRemoved } from '../mails/texts.ts';
import { requireFactorLeft } from '../second-factors/check.ts';
import { lockUser } from '../users/find.ts';
import { readName } from './passkey.ts';
import { deletePasskey, type PasskeyRow, updateName } from './sql.ts';

/** Renames a passkey of whoever asks. Throws Failure 'schema_mismatch', 'not_found'. */
export async function renamePasskey(app: App, ctx: Context<UserScope>, id: string, asked: string): Promise<PasskeyRow> {
  const name = readName(asked);
  const userId = ctx.actor.id!;
  return system(app.db, 'rename passkey', async (tx) => {
    const row = await updateName(tx, userId, id, name);
    if (!row) throw none(id);
    await recordOfUser(tx, ctx, userId, 'passkey-renaming', { target: { type: 'passkey', id }, payload: { name } });
    return row;
  });
}

/**
 * Deletes a passkey of whoever asks, and tells them by mail. Throws Failure 'not_found', and 'second_factor_required'
 * where an organization of the user wants a second factor and there is no other.
 */
export async function removePasskey(app: App, ctx: Context<UserScope>, id: string): Promise<void> {
  const userId = ctx.actor.id!;
  await system(app.db, 'delete passkey', async (tx) => {
    const user = await lockUser(tx, userId);
    const row = await deletePasskey(tx, userId, id);
    if (!user || !row) throw none(id);
    await requireFactorLeft(tx, userId);
    const { name } = row;
    await recordOfUser(tx, ctx, userId, 'passkey-deletion', { target: { type: 'passkey', id }, payload: { name } });
    await sendMail(app, tx, user.email, passkeyRemoved(user.language as Language, name));
  });
}

function none(id: string) {
  return refuse('not_found', `you have no passkey ${id}`);
}
