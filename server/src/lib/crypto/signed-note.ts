/**
 * Notes that are signed with Ed25519, in the form of C2SP's signed-note: the text, an empty line, and a line for each
 * signature with the name and id of its key.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export type NoteSigner = {
  readonly name: string;
  /** Eight hex digits, which say which of the keys of this name it is. */
  readonly keyId: string;
  /** The public key as signed-note writes it: `<name>+<id>+<base64 of 0x01 and the key>`. */
  readonly publicKey: string;
  /** Signs a text that ends with a line end, and returns the note. */
  sign(text: string): string;
};

export type NoteVerifier = {
  readonly name: string;
  readonly keyId: string;
  /** The text of a note, without its signatures; null when none of them is by this key and right. */
  open(note: string): string | null;
};

const algorithm = 1;
const keyBytes = 32;
const idBytes = 4;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Signs by the key of a seed of 32 bytes. */
export function openNoteSigner(name: string, seed: Uint8Array): NoteSigner {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const own = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
  const id = idOf(name, own);
  return {
    name,
    keyId: id.toString('hex'),
    publicKey: `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(algorithm), own]).toString('base64')}`,
    sign: (text) => {
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
      return `${text}\n— ${name} ${signature}\n`;
    },
  };
}

/** Reads a public key as `NoteSigner.publicKey` writes it; null for another text. */
export function readPublicKey(text: string): NoteVerifier | null {
  const [, name, keyId, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const bytes = Buffer.from(encoded!, 'base64');
  const own = bytes.subarray(1);
  if (bytes[0] !== algorithm || own.length !== keyBytes || idOf(name, own).toString('hex') !== keyId) return null;
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, own]), format: 'der', type: 'spki' });
  return { name, keyId, open: (note) => openNote(note, name, keyId!, key) };
}

function openNote(note: string, name: string, keyId: string, key: KeyObject): string | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [dash, by, encoded, ...rest] = line.split(' ');
    if (dash !== '—' || by !== name || encoded === undefined || rest.length > 0) continue;
    const bytes = Buffer.from(encoded, 'base64');
    if (bytes.subarray(0, idBytes).toString('hex') !== keyId) continue;
    if (verify(null, Buffer.from(text), key, bytes.subarray(idBytes))) return text;
  }
  return null;
}

function idOf(name: string, key: Uint8Array): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(algorithm))
    .update(key)
    .digest()
    .subarray(0, idBytes);
}
