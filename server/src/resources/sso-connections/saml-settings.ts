import { refuse, refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { describeCertificate } from '../../lib/saml/certificate.ts';
import { readIdpMetadata } from '../../lib/saml/metadata.ts';
import { requireWebAddress } from './require.ts';
import type { SamlSettings } from './settings.ts';

/** What is told about a provider of SAML: its metadata, or what stands in them. */
export type AskedSaml = {
  readonly metadata?: string;
  readonly issuer?: string;
  readonly sso_url?: string;
  readonly certificates?: readonly string[];
};

/** What is kept of a provider. */
type ReadSaml = Omit<SamlSettings, 'encryption_certificate'> & { readonly issuer: string };

/** What is kept of a provider of SAML. Throws Failure 'schema_mismatch'. */
export function readSaml(asked: AskedSaml): ReadSaml {
  const { metadata, issuer, sso_url: ssoUrl, certificates } = asked;
  if (metadata !== undefined) {
    if (issuer !== undefined || ssoUrl !== undefined || certificates !== undefined)
      throw unfit('/metadata', 'has issuer, sso_url and certificates in it: leave those out, or the metadata');
    const read = at('/metadata', () => readIdpMetadata(metadata));
    requireWebAddress('/metadata', read.ssoUrl);
    const kept = readCertificates(read.certificates, '/metadata');
    return { issuer: read.entityId, sso_url: read.ssoUrl, certificates: kept };
  }
  if (issuer === undefined || ssoUrl === undefined || certificates === undefined)
    throw unfit('/metadata', 'is missing: send the metadata of the provider, or issuer, sso_url and certificates');
  requireWebAddress('/sso_url', ssoUrl);
  return { issuer, sso_url: ssoUrl, certificates: readCertificates(certificates) };
}

/** Certificates in one spelling. Throws Failure 'schema_mismatch'. */
export function readCertificates(certificates: readonly string[], pointer = '/certificates'): string[] {
  return certificates.map((text, index) =>
    at(pointer === '/certificates' ? `${pointer}/${index}` : pointer, () => describeCertificate(text).pem),
  );
}

/** Points the Failure of a parser to the field of the body that it read. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) throw refuseText('schema_mismatch', pointer, error);
    throw error;
  }
}

function unfit(at: string, message: string) {
  return refuse('schema_mismatch', `${at} ${message}`, { problems: [{ at, message }] });
}
