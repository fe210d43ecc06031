import { Failure } from '../failure.ts';

/**
 * Why no answer came that counts, for programs. `blocked_address`: the address may not be reached, or is not written as
 * it must be. `dns_error`: the name is not there, or its servers failed. `connection_refused`: nobody accepts
 * connections there, or no way leads there. `response_too_large`: headers or body passed their limit. `busy`: as many
 * requests as may be are under way already, or the moment for this one has passed.
 */
export type OutboundFault =
  | 'blocked_address'
  | 'dns_error'
  | 'tls_error'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'response_too_large'
  | 'invalid_response'
  | 'request_too_large'
  | 'busy';

/** A refusal that says for programs too what was wrong. */
export class OutboundFailure extends Failure {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string, options: { readonly reason: string; readonly cause?: unknown }) {
    super('invalid', message, options);
    this.fault = fault;
  }
}

/** The refusal of an address that customers may not name. */
export function refused(message: string, fault: OutboundFault = 'blocked_address'): OutboundFailure {
  return new OutboundFailure(fault, message, { reason: 'outbound_refused' });
}

/** Why there is no answer from an address: what its host did, as the end of a sentence. */
export function failed(url: URL, fault: OutboundFault, what: string, cause?: unknown): OutboundFailure {
  return new OutboundFailure(fault, `${url.host} ${what}`, { reason: 'outbound_failed', cause });
}

/** The failure about the error of a connection, which tells nothing about the host that customers could not see. */
export function connectionFailed(url: URL, error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (error instanceof Failure || typeof code !== 'string') return error;
  const [fault, what] = reasonOf(code);
  return failed(url, fault, what, error);
}

type Reason = readonly [fault: OutboundFault, what: string];

function reasonOf(code: string): Reason {
  const reason = reasons[code];
  if (reason !== undefined) return reason;
  if (code.startsWith('HPE_')) return ['invalid_response', 'answered with what is no HTTP'];
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return ['tls_error', 'does not speak TLS as it is spoken here'];
  // What OpenSSL finds wrong with a certificate and Node has no name for, such as a weak key, is unspecified.
  if (/CERT|ISSUER|SIGNATURE|CRL|_CA$|PURPOSE|PATH_LENGTH|^UNSPECIFIED$/.test(code))
    return ['tls_error', 'has a certificate that is not valid'];
  return ['connection_refused', 'cannot be reached'];
}

/** About a connection that ended too early. */
export const cutShort = 'ended the connection before its answer was whole';
const reset: Reason = ['connection_reset', cutShort];
const unknownAuthority: Reason = ['tls_error', 'has a certificate of an authority that is not trusted here'];
const reasons: Readonly<Record<string, Reason>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_error', 'has a certificate for another name'],
  CERT_HAS_EXPIRED: ['tls_error', 'has a certificate that has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  HPE_HEADER_OVERFLOW: ['response_too_large', 'answered with headers that are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['response_too_large', 'answered with chunks whose extensions are too large'],
  ECONNRESET: reset,
  EPIPE: reset,
  ETIMEDOUT: ['timeout', 'did not accept a connection in time'],
};
