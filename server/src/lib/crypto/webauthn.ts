// Web Authentication (https://www.w3.org/TR/webauthn-3): what an authenticator answers to a challenge.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/** ES256, EdDSA and RS256, by their numbers in COSE, the best liked first. */
export const algorithms = [-7, -8, -257] as const;

/** Whose pages a credential is for: their one origin, and its host, by which authenticators know them. */
export type Party = { readonly origin: string; readonly id: string };

export function partyOf(url: string): Party {
  const { origin, hostname } = new URL(url);
  return { origin, id: hostname };
}

/** What an authenticator answers, as browsers write it in JSON: all texts are base64url. */
type Answered<T> = { readonly id: string; readonly rawId: string; readonly type: 'public-key'; readonly response: T };
export type Attestation = Answered<{ readonly clientDataJSON: string; readonly attestationObject: string }>;
export type Assertion = Answered<{
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | undefined;
}>;

/** A credential that an authenticator has made. */
export type NewCredential = {
  /** In base64url. */
  readonly id: string;
  /** Of COSE. */
  readonly publicKey: Buffer;
  readonly counter: number;
  /** Whether the authenticator may copy it to others, and whether it has. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
};

/** What an authenticator says with a signature. */
export type Use = Pick<NewCredential, 'counter' | 'isBackedUp'>;

/** A challenge as browsers are told it. */
export function encodeChallenge(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** The challenge that something is an answer to, as its sender says; null when it cannot be read. */
export function challengeOf({ response: { clientDataJSON } }: Attestation | Assertion): string | null {
  const said = readOrNull(() => decodeClientDataJSON(clientDataJSON));
  return typeof said?.challenge === 'string' ? Buffer.from(said.challenge, 'base64url').toString() : null;
}

/**
 * Reads the credential that an authenticator made upon a challenge, for a user whom it has verified. Null for anything
 * else: of another challenge, origin, party or algorithm, without the user's presence or verification. Who made the
 * authenticator is not asked, and not looked up.
 */
export async function readAttestation(
  { origin, id }: Party,
  challenge: string,
  attestation: Attestation,
): Promise<NewCredential | null> {
  try {
    if (isFramed(attestation) || isCertified(attestation)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, response: { ...attestation.response }, clientExtensionResults: {} },
      ...{ expectedChallenge: encodeChallenge(challenge), expectedOrigin: origin, expectedRPID: id },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: [...algorithms] },
    });
    if (!verified || registrationInfo.credential.id !== attestation.id) return null;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      ...{ id: credential.id, publicKey: Buffer.from(credential.publicKey), counter: credential.counter },
      ...{ isBackupEligible: credentialDeviceType === 'multiDevice', isBackedUp: credentialBackedUp },
    };
  } catch {
    // The parser throws plain errors at whatever it cannot read.
    return null;
  }
}

/**
 * Reads what an authenticator signed upon a challenge with a known credential, for a user whom it has verified. Null
 * for anything else. Whether the counter has grown is the caller's to ask: only now is it the authenticator who says
 * it.
 */
export async function readAssertion(
  { origin, id }: Party,
  challenge: string,
  known: Pick<NewCredential, 'id' | 'publicKey' | 'isBackupEligible'>,
  assertion: Assertion,
): Promise<Use | null> {
  try {
    if (isFramed(assertion) || assertion.id !== known.id) return null;
    const { userHandle, ...response } = assertion.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, response, clientExtensionResults: {} },
      ...{ expectedChallenge: encodeChallenge(challenge), expectedOrigin: origin, expectedRPID: id },
      requireUserVerification: true,
      // It would compare counters before it has checked the signature: from 0 it lets every counter pass.
      credential: { id: known.id, publicKey: new Uint8Array(known.publicKey), counter: 0 },
    });
    const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    // What may be copied is settled when a credential is made (§7.2, step 17).
    if (!verified || (credentialDeviceType === 'multiDevice') !== known.isBackupEligible) return null;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  } catch {
    // As above.
    return null;
  }
}

/** Whether it was answered within a frame of a page of another origin. */
function isFramed({ response: { clientDataJSON } }: Attestation | Assertion): boolean {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  return crossOrigin === true || topOrigin !== undefined;
}

/**
 * Whether certificates come with a credential, though none were asked for: to check them would ask servers that they
 * name.
 */
function isCertified({ response: { attestationObject } }: Attestation): boolean {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format !== 'none' && (format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined);
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
