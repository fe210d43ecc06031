import { seal, unseal } from '../../lib/crypto/sealed.ts';
import type { OidcProvider } from '../../lib/oidc/oidc.ts';
import type { SamlIdentityProvider, SamlServiceProvider } from '../../lib/saml/parties.ts';
import type { App } from '../app.ts';
import { addressesOf } from './connection.ts';
import type { OidcSettings, SamlSettings } from './settings.ts';
import type { ConnectionRow } from './sql.ts';

/** The identity provider of a connection of OpenID Connect, and how it is proved to it who asks. */
export function oidcProviderOf(app: App, { id, issuer, settings, client_secret }: ConnectionRow): OidcProvider {
  return {
    issuer,
    clientId: (settings as OidcSettings).client_id,
    clientSecret: unseal(app.keys.sealing, client_secret!, contextOf(id, 'client_secret')),
    redirectUri: addressesOf(app.publicUrl(), id).callback,
  };
}

/** The identity provider of a connection of SAML. */
export function samlProviderOf({ issuer, settings }: ConnectionRow): SamlIdentityProvider {
  const { sso_url: ssoUrl, certificates } = settings as SamlSettings;
  return { entityId: issuer, ssoUrl, certificates };
}

/** As what this service is known to the identity provider of a connection of SAML. */
export function samlServiceOf(app: App, { id, settings, decryption_key }: ConnectionRow): SamlServiceProvider {
  const { metadata, acs } = addressesOf(app.publicUrl(), id);
  const certificate = (settings as SamlSettings).encryption_certificate;
  const key = unseal(app.keys.sealing, decryption_key!, contextOf(id, 'decryption_key'));
  return { entityId: metadata, acsUrl: acs, decryption: { key, certificate } };
}

type Sealed = 'client_secret' | 'decryption_key';

export function sealSecret({ keys }: Pick<App, 'keys'>, id: string, column: Sealed, secret: string): string {
  return seal(keys.sealing, secret, contextOf(id, column));
}

function contextOf(id: string, column: Sealed): string {
  return `sso_connections.${column}.${id}`;
}
