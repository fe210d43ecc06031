import { createHash } from 'node:crypto';
import { issueToken, type TokenPurpose, takeToken, tokenLives } from '../../access/one-time-tokens.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type Assertion, type Attestation, challengeOf, encodeChallenge, partyOf } from '../../lib/crypto/webauthn.ts';
import type { App } from '../app.ts';
import type { PasskeyRow } from './sql.ts';

export type PasskeyPurpose = Extract<TokenPurpose, `passkey_${string}`>;

/**
 * Makes a challenge that can be answered once, for one purpose, within five minutes. `subject` is the session in which
 * it may be, or nobody's name where nobody is signed in; a newer challenge of both replaces it. Returns it as browsers
 * are told it.
 */
export async function issueChallenge(
  app: Pick<App, 'keys'>,
  tx: Tx,
  purpose: PasskeyPurpose,
  subject: string,
): Promise<string> {
  return encodeChallenge(await issueToken(tx, app.keys.sealing, purpose, { subject }));
}

/**
 * Takes the challenge that something is an answer to: right or wrong, no other answer to it is looked at once the
 * transaction has committed. Undefined for one that was not made for the purpose and the session, or is no more.
 */
export async function takeChallenge(
  app: Pick<App, 'keys'>,
  tx: Tx,
  purpose: PasskeyPurpose,
  answer: Assertion | Attestation,
  sessionId?: string,
): Promise<string | undefined> {
  const challenge = challengeOf(answer);
  const taken = challenge === null ? undefined : await takeToken(tx, app.keys.sealing, purpose, challenge);
  const isHere = taken && (sessionId === undefined || taken.subject === sessionId);
  return isHere ? challenge! : undefined;
}

export function challengeOver() {
  return refuse('token_invalid', 'the challenge has been used or replaced, or is older than five minutes: begin anew');
}

/** What a browser is told to have a challenge signed by one of these passkeys; if none is named, by any. */
export function requestOptions(app: Pick<App, 'publicUrl'>, challenge: string, allowed: readonly PasskeyRow[]) {
  return {
    ...{ challenge, timeout: tokenLives.passkey_sign_in, rpId: partyOf(app.publicUrl()).id },
    ...{ allowCredentials: allowed.map(descriptorOf), userVerification: 'required' },
  };
}

/** A passkey as browsers are told of it. */
export function descriptorOf({ credential_id: id, transports }: PasskeyRow) {
  return { type: 'public-key', id, transports };
}

/** By what authenticators know a user: it tells them nothing, and is the same for all passkeys of the user. */
export function handleOf(userId: string): string {
  return createHash('sha256').update(`passkeys of ${userId}`).digest('base64url');
}
