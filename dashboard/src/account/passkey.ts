import type { Body, Result } from '@lastro/sdk';
import { accountClient } from '../api/client.ts';

/** Whether this browser can ask for passkeys; on a page without TLS, or by an address without a name, it cannot. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Has the browser sign with a passkey. Null where the person did not go on. Throws what the service refuses. */
async function sign(
  options: Result<'sessions.createPasskeyOptions'>,
): Promise<Body<'sessions.createWithPasskey'> | null> {
  // The service writes them as WebAuthn's JSON form, which its types say less exactly.
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = await unlessDeclined(navigator.credentials.get({ publicKey }));
  return credential && ((credential as PublicKeyCredential).toJSON() as unknown as Body<'sessions.createWithPasskey'>);
}

/** Signs in with a passkey; returns whether somebody is signed in now. */
export async function signInWithPasskey(): Promise<boolean> {
  const client = accountClient();
  const assertion = await sign(await client.sessions.createPasskeyOptions());
  if (assertion) await client.sessions.createWithPasskey(assertion);
  return assertion !== null;
}

/** Proves with a passkey who is signed in; returns whether that was done. */
export async function proveWithPasskey(): Promise<boolean> {
  const client = accountClient();
  const assertion = await sign(await client.session.createPasskeyOptions());
  if (assertion) await client.session.reauthenticateByPasskey(assertion);
  return assertion !== null;
}

/** Has a device make a passkey, and registers it under a name; returns whether that was done. */
export async function registerPasskey(name: string): Promise<boolean> {
  const client = accountClient();
  const options = (await client.passkeys.createOptions()) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await unlessDeclined(navigator.credentials.create({ publicKey }));
  if (!credential) return false;
  const made = (credential as PublicKeyCredential).toJSON() as unknown as Body<'passkeys.create'>['credential'];
  await client.passkeys.create({ name, credential: made });
  return true;
}

async function unlessDeclined(asked: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null;
    throw error;
  }
}
