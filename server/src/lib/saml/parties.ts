import { Failure } from '../failure.ts';

export type SamlServiceProvider = {
  readonly entityId: string;
  /** Assertion consumer service: where browsers bring responses. */
  readonly acsUrl: string;
  /** With which assertions can be decrypted, if the provider encrypts them: a private key and its certificate, PEM. */
  readonly decryption?: { readonly key: string; readonly certificate: string };
};

export type SamlIdentityProvider = {
  readonly entityId: string;
  /** Its single sign-on service by HTTP-Redirect. */
  readonly ssoUrl: string;
  /** PEM, as `describeCertificate` returns them; during a rotation several. */
  readonly certificates: readonly string[];
};

export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
export const encryptionNamespace = 'http://www.w3.org/2001/04/xmlenc#';

export const nameIdFormats = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const;

/** The refusal of a response. It says which check failed, and nothing of what was in the response. */
export function refuseResponse(check: string): Failure {
  return new Failure('unauthenticated', `The identity provider's answer was refused: ${check}.`, {
    reason: 'sso_refused',
  });
}
