/** What is kept of a provider of OpenID Connect, beside issuer and secret. */
export type OidcSettings = { readonly client_id: string };

/** What is kept of a provider of SAML, beside its entity id; certificates as PEM. */
export type SamlSettings = {
  readonly sso_url: string;
  /** Those by which it signs. */
  readonly certificates: readonly string[];
  /** Ours, by which it may encrypt. */
  readonly encryption_certificate: string;
};
