import { countAttempt, ofMails } from '../../access/attempts.ts';
import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { system, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { hashToken, makeToken } from '../../lib/crypto/tokens.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { invitation as letter } from '../mails/texts.ts';
import { noteInvitation } from '../members/note.ts';
import { canonicalEmail, readEmail, requireCorporate } from '../users/email.ts';
import { lifeMs } from './invitation.ts';
import { type InvitationRow, insertInvitation, lockOpen, markRevoked, selectPlaceName, updateSent } from './sql.ts';

export const invitationPrefix = 'lsi';

/**
 * Invites somebody to the scope. The token is sent to the address and kept nowhere else.
 * Throws Failure 'schema_mismatch', 'personal_address', 'already_invited', 'rate_limited'.
 */
export async function invite(
  app: App,
  ctx: Context<Scope>,
  asked: { email: string; role: Role },
): Promise<InvitationRow> {
  const email = readEmail(asked.email);
  requireCorporate(app, email);
  const { token, tokenHash, expiresAt } = newToken();
  const canonical = canonicalEmail(email);
  await system(app.db, 'invite', (tx) => countAttempt(tx, `invitation mail ${canonical}`, ofMails));
  return tenant(app.db, ctx, async (tx) => {
    const row = await insertInvitation(tx, ctx, {
      ...{ id: newId('inv'), email, canonical, role: asked.role, tokenHash, expiresAt },
    });
    if (!row) throw refuse('already_invited', `${email} has an open invitation already: send it again, or revoke it`);
    await note(tx, ctx, row, 'invited', 'invitation-creation');
    await send(app, tx, ctx, row, token);
    return row;
  });
}

/**
 * Sends an invitation again, with a new token and seven new days; the token sent before is no longer good.
 * Throws Failure 'not_found', 'rate_limited'.
 */
export async function resend(app: App, ctx: Context<Scope>, id: string): Promise<InvitationRow> {
  const { token, tokenHash, expiresAt } = newToken();
  await system(app.db, 'send again', (tx) => countAttempt(tx, `invitation mail ${id}`, ofMails));
  return tenant(app.db, ctx, async (tx) => {
    await requireOpen(tx, ctx, id);
    const row = await updateSent(tx, id, { tokenHash, expiresAt });
    await note(tx, ctx, row, 'invitation_resent', 'invitation-resending');
    await send(app, tx, ctx, row, token);
    return row;
  });
}

/** Revokes an invitation: its token is no longer good. Throws Failure 'not_found'. */
export async function revoke(app: App, ctx: Context<Scope>, id: string): Promise<InvitationRow> {
  return tenant(app.db, ctx, async (tx) => {
    await requireOpen(tx, ctx, id);
    const row = await markRevoked(tx, id);
    await note(tx, ctx, row, 'invitation_revoked', 'invitation-revocation');
    return row;
  });
}

async function requireOpen(tx: Tx, ctx: Context<Scope>, id: string): Promise<void> {
  if (!(await lockOpen(tx, ctx, id))) throw refuse('not_found', `there is no open invitation ${id}`);
}

function newToken() {
  const token = makeToken(invitationPrefix);
  return { token, tokenHash: hashToken(token), expiresAt: new Date(Date.now() + lifeMs) };
}

async function note(
  tx: Tx,
  ctx: Context<Scope>,
  { id, email, role }: InvitationRow,
  kind: 'invited' | 'invitation_resent' | 'invitation_revoked',
  action: 'invitation-creation' | 'invitation-resending' | 'invitation-revocation',
): Promise<void> {
  await noteInvitation(tx, ctx, { kind, userId: null, email, newRole: role });
  await record(tx, ctx, action, { type: 'invitation', id }, { email, role, workspace_id: ctx.workspaceId });
}

async function send(app: App, tx: Tx, ctx: Context<Scope>, row: InvitationRow, token: string): Promise<void> {
  const place = await selectPlaceName(tx, ctx);
  const language = ctx.workspaceId === null ? 'en' : ctx.language;
  const role = row.role.replaceAll('_', ' ');
  const link = `${app.publicUrl()}/invitation#${token}`;
  await sendMail(app, tx, row.email, letter(language, ctx.actor.label, place, role, link, token));
}
