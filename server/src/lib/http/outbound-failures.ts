import { Failure } from '../failure.ts';

/** The refusal of an address that customers may not name. */
export function refused(message: string): Failure {
  return new Failure('invalid', message, { reason: 'outbound_refused' });
}

/** Why there is no answer from an address: what its host did, as the end of a sentence. */
export function failed(url: URL, what: string, cause?: unknown): Failure {
  return new Failure('invalid', `${url.host} ${what}`, { reason: 'outbound_failed', cause });
}

/** The Failure about the error of a connection, which tells nothing about the host that customers could not see. */
export function connectionFailed(url: URL, error: unknown): unknown {
  const code = errorCode(error);
  return error instanceof Failure || code === undefined ? error : failed(url, reasonOf(code), error);
}

/** The code of an error of the system or of Node. */
export function errorCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function reasonOf(code: string): string {
  const reason = reasons[code];
  if (reason !== undefined) return reason;
  if (code.startsWith('HPE_')) return 'answered with what is no HTTP';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'does not speak TLS as it is spoken here';
  return /CERT|ISSUER|SIGNATURE|CRL|_CA$/.test(code) ? 'has a certificate that is not valid' : 'cannot be reached';
}

/** About a connection that ended too early. */
export const cutShort = 'ended the connection before its answer was whole';
const unknownAuthority = 'has a certificate of an authority that is not trusted here';
const reasons: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  HPE_HEADER_OVERFLOW: 'answered with headers that are too large',
  ECONNRESET: cutShort,
};
