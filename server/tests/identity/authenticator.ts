/**
 * An authenticator in software and the browser before it, after the text of the standard
 * (https://www.w3.org/TR/webauthn-3, RFC 8949, RFC 9053); test support. It does what it is told, also what no
 * authenticator would.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

/** A credential, as its authenticator keeps it. */
export type Credential = {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly algorithm: Algorithm;
  /** By which the authenticator knows the user. */
  readonly userHandle: string;
  counter: number;
};

/** What is otherwise than it should be. */
export type Faults = {
  readonly origin?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly crossOrigin?: boolean;
  /** Flags to take away: user present 0x01, verified 0x04; or to add: may be copied 0x08, has been 0x10. */
  readonly without?: number;
  readonly with?: number;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  /** By whose key the authenticator attests what it made: that of the credential, or one of its maker. */
  readonly attestedBy?: 'itself' | 'maker';
  readonly alterSignature?: boolean;
};

const [present, verified, attested] = [0x01, 0x04, 0x40];

// biome-ignore lint/suspicious/noExplicitAny: options as the service answers them
type Options = any;

/** Makes a credential as the options ask. Returns it, and what the browser would send. */
export function makeCredential(
  options: Options,
  pageOrigin: string,
  { algorithm = 'ES256', id = randomBytes(32), ...faults }: Faults & { algorithm?: Algorithm; id?: Buffer } = {},
) {
  const { publicKey, privateKey } = keyPairOf(algorithm);
  const credential: Credential = { id, privateKey, algorithm, userHandle: options.user.id, counter: 0 };
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const authData = Buffer.concat([
    authenticatorData(options.rp.id, attested, faults, faults.counter ?? 0),
    ...[Buffer.alloc(16), length, id, cbor(coseOf(publicKey, algorithm))],
  ]);
  const client = clientData('webauthn.create', options.challenge, pageOrigin, faults);
  const statement = faults.attestedBy ? statementOf(credential, authData, client, faults.attestedBy) : [];
  const attestationObject = cbor(
    new Map<unknown, unknown>([
      ['fmt', faults.attestedBy ? 'packed' : 'none'],
      ['attStmt', new Map(statement)],
      ['authData', authData],
    ]),
  );
  const sent = {
    ...headOf(id),
    response: {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    },
  };
  return { credential, sent };
}

/** Has a credential sign as the options ask, and count. Returns what the browser would send. */
export function useCredential(credential: Credential, options: Options, pageOrigin: string, faults: Faults = {}) {
  const counter = faults.counter ?? credential.counter;
  const authData = authenticatorData(options.rpId, 0, faults, counter);
  const client = clientData('webauthn.get', options.challenge, pageOrigin, faults);
  const signature = signatureOf(credential, Buffer.concat([authData, sha256(client)]));
  if (faults.alterSignature) signature[signature.length - 1] ^= 1;
  const userHandle = 'userHandle' in faults ? faults.userHandle : credential.userHandle;
  return {
    ...headOf(credential.id),
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  };
}

function headOf(id: Buffer) {
  const text = id.toString('base64url');
  return {
    ...{ id: text, rawId: text, type: 'public-key', authenticatorAttachment: 'platform' },
    clientExtensionResults: { credProps: { rk: true } },
  };
}

/** §8.2, of an algorithm with 256 bits. */
function statementOf(
  credential: Credential,
  authData: Buffer,
  client: Buffer,
  by: 'itself' | 'maker',
): [string, unknown][] {
  const signed = Buffer.concat([authData, sha256(client)]);
  if (by === 'itself')
    return [
      ['alg', -7],
      ['sig', signatureOf(credential, signed)],
    ];
  const key = createPrivateKey({ key: Buffer.from(makerKey, 'base64'), format: 'der', type: 'pkcs8' });
  return [
    ['alg', -7],
    ['sig', sign('sha256', signed, key)],
    ['x5c', [Buffer.from(makerCertificate, 'base64')]],
  ];
}

/** Of nobody: a certificate that satisfies §8.2.1 and its key, made for this file. */
const makerCertificate =
  'MIIBvTCCAWSgAwIBAgIBATAKBggqhkjOPQQDAjBPMQswCQYDVQQGEwJCUjENMAsGA1UECgwEVGVzdDEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAwwEVGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowTzELMAkGA1UEBhMCQlIxDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQEbegQZuWCox1ABve/mDqPckRBuqtBIgyNQwS15kjig8anOoI3nQkP+cpD7RBnzth5RncY8pwYipADEpYOBROUoy8wLTAMBgNVHRMBAf8EAjAAMB0GA1UdDgQWBBSPGK8TH0vIsokNGO9fbrdSzFPeDTAKBggqhkjOPQQDAgNHADBEAiA1MWZJUudBwBhrJ2Az+qLgJKHYtSfY0Zcx5lBROxa2aAIgYyJWzvWPCb9u5dkq7Uqkw8Q3zYeMVGgboFLdKHnkntk=';
const makerKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGZf4RsMF/73CsPCjdXfmViC1BA7Lm/KEo0K6SycHv3yhRANCAAQEbegQZuWCox1ABve/mDqPckRBuqtBIgyNQwS15kjig8anOoI3nQkP+cpD7RBnzth5RncY8pwYipADEpYOBROU';

function keyPairOf(algorithm: Algorithm) {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function signatureOf({ privateKey, algorithm }: Credential, data: Buffer): Buffer {
  return sign(algorithm === 'EdDSA' ? null : 'sha256', data, privateKey);
}

/** A public key in COSE (RFC 9053 §7). */
function coseOf(key: KeyObject, algorithm: Algorithm): Map<unknown, unknown> {
  const { x, y, n, e } = key.export({ format: 'jwk' });
  const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
  const parts: Readonly<Record<Algorithm, readonly (readonly [number, unknown])[]>> = {
    ES256: [
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, bytes(x)],
        [-3, bytes(y)],
      ] as const),
    ],
    EdDSA: [
      ...([
        [1, 1],
        [3, -8],
        [-1, 6],
      ] as const),
      [-2, bytes(x)],
    ],
    RS256: [
      ...([
        [1, 3],
        [3, -257],
      ] as const),
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return new Map(parts[algorithm]);
}

/** §6.1: hash of the party, flags, counter. */
function authenticatorData(rpId: string, flags: number, faults: Faults, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const all = ((present | verified | flags) & ~(faults.without ?? 0)) | (faults.with ?? 0);
  return Buffer.concat([sha256(faults.rpId ?? rpId), Buffer.from([all]), count]);
}

/** §5.8.1. */
function clientData(type: string, challenge: string, pageOrigin: string, faults: Faults): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? pageOrigin,
      crossOrigin: faults.crossOrigin ?? false,
    }),
  );
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** RFC 8949: whole numbers, texts, bytes, lists and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map)
    return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([name, part]) => [cbor(name), cbor(part)])]);
  throw new Error(`no CBOR for ${typeof value}`);
}

function cborHead(major: number, length: number): Buffer {
  const top = major << 5;
  if (length < 24) return Buffer.from([top | length]);
  if (length < 0x100) return Buffer.from([top | 24, length]);
  return Buffer.from([top | 25, length >> 8, length & 0xff]);
}
