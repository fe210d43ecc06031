import type { Context } from '../../access/context.ts';
import { tokenLives } from '../../access/one-time-tokens.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type Attestation, algorithms, partyOf, readAttestation } from '../../lib/crypto/webauthn.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, passkeyAdded } from '../mails/texts.ts';
import { notePasskey } from '../sessions/renew.ts';
import { lockUser } from '../users/find.ts';
import { challengeOver, descriptorOf, handleOf, issueChallenge, takeChallenge } from './challenge.ts';
import { passkeysMax, readName } from './passkey.ts';
import { insertPasskey, type PasskeyRow, selectPasskeys } from './sql.ts';

/**
 * Begins to register a passkey for whoever is signed in. Returns what a browser is told to have one made. Throws
 * Failure 'limit_exceeded'.
 */
export async function beginRegistration(app: App, ctx: Context<UserScope>) {
  const userId = ctx.actor.id!;
  return system(app.db, 'begin passkey', async (tx) => {
    const kept = await selectPasskeys(tx, userId);
    requireRoom(kept);
    return {
      rp: { id: partyOf(app.publicUrl()).id, name: 'Lastro' },
      user: { id: handleOf(userId), name: ctx.actor.label, displayName: ctx.actor.label },
      challenge: await issueChallenge(app, tx, 'passkey_registration', ctx.credentialId!),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: tokenLives.passkey_registration,
      excludeCredentials: kept.map(descriptorOf),
      // Discoverable: it signs in without a name. By its user alone: it stands for two factors.
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    };
  });
}

export type NewPasskey = {
  readonly name: string;
  readonly credential: Attestation & { readonly response: { readonly transports?: readonly string[] | undefined } };
};

/**
 * Registers the passkey that an authenticator made, and tells its user by mail. Throws Failure 'schema_mismatch',
 * 'token_invalid', 'passkey_invalid', 'limit_exceeded', 'conflict' for one that is registered.
 */
export async function registerPasskey(app: App, ctx: Context<UserScope>, asked: NewPasskey): Promise<PasskeyRow> {
  const userId = ctx.actor.id!;
  const { credential } = asked;
  const name = readName(asked.name);
  const challenge = await system(app.db, 'register passkey', (tx) =>
    takeChallenge(app, tx, 'passkey_registration', credential, ctx.credentialId!),
  );
  if (challenge === undefined) throw challengeOver();
  const made = await readAttestation(partyOf(app.publicUrl()), challenge, credential);
  if (!made)
    throw refuse('passkey_invalid', 'the authenticator must make it here, upon this challenge, and verify its user');
  return system(app.db, 'register passkey', async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw refuse('unauthenticated', 'the account is no longer here');
    requireRoom(await selectPasskeys(tx, userId));
    const row = await insertPasskey(tx, { ...made, userId, name, transports: credential.response.transports ?? [] });
    if (!row) throw refuse('conflict', 'the passkey is registered already');
    await notePasskey(tx, ctx);
    await recordOfUser(tx, ctx, userId, 'passkey-creation', {
      ...{ target: { type: 'passkey', id: row.id }, payload: { name } },
    });
    await sendMail(app, tx, user.email, passkeyAdded(user.language as Language, name));
    return row;
  });
}

function requireRoom(kept: readonly PasskeyRow[]): void {
  if (kept.length >= passkeysMax)
    throw refuse('limit_exceeded', `you have ${passkeysMax} passkeys, the most there may be: delete one first`);
}
