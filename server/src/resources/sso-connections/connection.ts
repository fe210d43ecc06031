import { Type } from 'typebox';
import { roles } from '../../access/authorize.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { describeCertificate } from '../../lib/saml/certificate.ts';
import type { OidcSettings, SamlSettings } from './settings.ts';
import type { ConnectionRow } from './sql.ts';

/** Most connections of an organization. */
export const connectionsMax = 20;

/** The roles that people may get who sign in for the first time. */
export const defaultRoleSchema = Type.Union(
  roles.filter((role) => role !== 'creator').map((role) => Type.Literal(role)),
  { description: 'What people become who sign in for the first time without an invitation: member by default.' },
);

/** Where a connection is reached, below the address of the service. */
export function addressesOf(publicUrl: string, id: string) {
  const base = `${publicUrl}/v1/api/sso-connections/${id}`;
  return {
    signIn: `${base}/sign-in`,
    callback: `${base}/callback`,
    metadata: `${base}/metadata`,
    acs: `${base}/acs`,
    completion: `${base}/completion`,
  };
}

export const connectionExample = {
  id: 'sso_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  kind: 'oidc',
  name: 'Company sign-in',
  status: 'inactive',
  issuer: 'https://login.company.com',
  default_role: 'member',
  default_workspace_id: null,
  sign_in_url: 'https://lastro.example.com/v1/api/sso-connections/sso_019f2e0c51b27c4e8a5d6f7a8b9c0d1e/sign-in',
  oidc: {
    client_id: 'lastro',
    callback_url: 'https://lastro.example.com/v1/api/sso-connections/sso_019f2e0c51b27c4e8a5d6f7a8b9c0d1e/callback',
  },
  saml: null,
  created_at: '2026-03-02T12:00:00.000Z',
};

export const connectionSchema = answerOf('SsoConnection', connectionExample, {
  id: Type.String(),
  kind: Type.String({ description: '`oidc` or `saml`.' }),
  name: Type.String(),
  status: Type.String({ description: '`active`: people may sign in through it; or `inactive`.' }),
  issuer: Type.String({ description: 'What the identity provider calls itself.' }),
  default_role: defaultRoleSchema,
  default_workspace_id: nullable(
    Type.String({ description: 'Where they get it; null: in the organization and all its workspaces.' }),
  ),
  sign_in_url: Type.String({ description: 'A link to it begins to sign in, such as from a page of the company.' }),
  oidc: nullable(
    Type.Object({
      client_id: Type.String(),
      callback_url: Type.String({ description: 'What the provider must know as redirect URI.' }),
    }),
  ),
  saml: nullable(
    Type.Object({
      sso_url: Type.String({ description: 'Where the provider takes requests (HTTP-Redirect).' }),
      certificates: Type.Array(
        Type.Object({
          fingerprint: Type.String({ description: 'SHA-256, in hex.' }),
          not_before: Type.String(),
          not_after: Type.String(),
        }),
        { description: 'Those by which answers of the provider may be signed.' },
      ),
      entity_id: Type.String({ description: 'What the provider must know as the entity id, or audience, of Lastro.' }),
      acs_url: Type.String({ description: 'Where the provider must send its answers (HTTP-POST).' }),
      metadata_url: Type.String({ description: 'Both as metadata, for providers that read them.' }),
    }),
  ),
  created_at: Type.String(),
});

export function presentConnection(row: ConnectionRow, publicUrl: string) {
  const { signIn, callback, metadata, acs } = addressesOf(publicUrl, row.id);
  const isOidc = row.kind === 'oidc';
  const { client_id } = row.settings as OidcSettings;
  return {
    ...{ id: row.id, kind: row.kind, name: row.name, status: row.status, issuer: row.issuer },
    ...{ default_role: row.default_role, default_workspace_id: row.default_workspace_id },
    sign_in_url: signIn,
    oidc: isOidc ? { client_id, callback_url: callback } : null,
    saml: isOidc
      ? null
      : {
          sso_url: (row.settings as SamlSettings).sso_url,
          certificates: (row.settings as SamlSettings).certificates.map(presentCertificate),
          ...{ entity_id: metadata, acs_url: acs, metadata_url: metadata },
        },
    created_at: row.created_at.toISOString(),
  };
}

function presentCertificate(pem: string) {
  const { fingerprintSha256, notBefore, notAfter } = describeCertificate(pem);
  return { fingerprint: fingerprintSha256, not_before: notBefore.toISOString(), not_after: notAfter.toISOString() };
}
