import type { Tx } from '../../access/transactions.ts';
import { type Assertion, partyOf, readAssertion, type Use } from '../../lib/crypto/webauthn.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, passkeyRefused } from '../mails/texts.ts';
import { handleOf } from './challenge.ts';
import { lockCounter, type PasskeyRow, updateUse } from './sql.ts';

/**
 * Reads what a passkey signed upon a challenge. Null for anything else, also if the authenticator takes the passkey for
 * that of another user.
 */
export async function readUse(
  app: Pick<App, 'publicUrl'>,
  passkey: PasskeyRow,
  challenge: string,
  assertion: Assertion,
): Promise<Use | null> {
  const { userHandle } = assertion.response;
  if (userHandle !== undefined && userHandle !== handleOf(passkey.user_id)) return null;
  const { credential_id: id, public_key: publicKey, backup_eligible: isBackupEligible } = passkey;
  return readAssertion(partyOf(app.publicUrl()), challenge, { id, publicKey, isBackupEligible }, assertion);
}

type Person = { readonly id: string; readonly email: string; readonly language: string };

/**
 * Notes that a passkey was used. Returns false, and changes nothing, when it is gone, or when it has counted further
 * before: then there is a copy of it, which a mail tells (§7.2, step 22 of WebAuthn).
 */
export async function takeUse(
  app: App,
  tx: Tx,
  { user, passkey: { id, name }, use }: { user: Person; passkey: PasskeyRow; use: Use },
): Promise<boolean> {
  const counter = await lockCounter(tx, id);
  if (counter === undefined) return false;
  // Authenticators that do not count say 0.
  if (use.counter > counter || (use.counter === 0 && counter === 0)) {
    await updateUse(tx, id, use);
    return true;
  }
  await sendMail(app, tx, user.email, passkeyRefused(user.language as Language, name));
  return false;
}
