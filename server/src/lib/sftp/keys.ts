import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';

/** Bits below which a key of RSA is refused. */
const rsaBitsMin = 2_048;

export type PublicKey = {
  /** Type and key as in `authorized_keys`, without options and comment. */
  readonly line: string;
  readonly comment: string;
  /** As `ssh-keygen -l` says it: `SHA256:…`. */
  readonly fingerprint: string;
};

/** Reads a line of `authorized_keys` or of a `.pub` file. Returns what is wrong with another text, as a sentence. */
export function readPublicKey(text: string): PublicKey | string {
  if (/PRIVATE KEY/.test(text)) return 'is a private key: keep it to yourself, and send the .pub file beside it';
  const parsed = ssh2.utils.parseKey(text.trim());
  if (parsed instanceof Error) return 'is no public key of OpenSSH, such as "ssh-ed25519 AAAA… name"';
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key === undefined || key.isPrivateKey()) return 'is no public key of OpenSSH, such as "ssh-ed25519 AAAA… name"';
  const bytes = key.getPublicSSH();
  if (key.type === 'ssh-dss') return 'is a key of DSA, which is not taken any more: use ed25519';
  if (key.type === 'ssh-rsa' && rsaBits(bytes) < rsaBitsMin)
    return `is a key of RSA with less than ${rsaBitsMin} bits: use ed25519`;
  return { line: `${key.type} ${bytes.toString('base64')}`, comment: key.comment ?? '', fingerprint: digest(bytes) };
}

/** A new host key, as PEM of OpenSSH, and its fingerprint. */
export function makeHostKey(): { readonly privateKey: string; readonly fingerprint: string } {
  for (;;) {
    const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519');
    // One key in 256 begins with a zero, which the library leaves out of what it writes, and then cannot read.
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error))
      return { privateKey, fingerprint: fingerprintOf(privateKey) };
  }
}

/** The fingerprint of a private key's public half. */
export function fingerprintOf(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return digest((Array.isArray(parsed) ? parsed[0]! : parsed).getPublicSSH());
}

function digest(bytes: Buffer): string {
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`;
}

/** The bits of the modulus: the third field of the key, after its type and the exponent (RFC 4253 §6.6). */
function rsaBits(bytes: Buffer): number {
  let at = 0;
  let field = bytes.subarray(0, 0);
  for (let number = 0; number < 3; number++) {
    const length = bytes.readUInt32BE(at);
    field = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  const significant = field[0] === 0 ? field.subarray(1) : field;
  return significant.length * 8 - Math.clz32(significant[0] ?? 0) + 24;
}
