/**
 * Checks of the audit trail in the browser, by nothing but WebCrypto: what docs/audit.md promises, held against what
 * the service says. Merkle trees are those of RFC 6962, checkpoints those of C2SP's tlog-checkpoint.
 */
import type { Schemas } from '@lastro/sdk';

type Proof = Pick<Schemas['AuditProof'], 'leaf_index' | 'leaf_hash' | 'path' | 'checkpoint'>;

/**
 * Whether the path leads from the leaf to the root of the checkpoint (RFC 9162 §2.1.3.2), and whether that root is the
 * one that the checkpoint's note says.
 */
export async function provesInclusion({
  leaf_index: index,
  leaf_hash: leaf,
  path,
  checkpoint,
}: Proof): Promise<boolean> {
  const { size, root, note } = checkpoint;
  if (index < 0 || index >= size) return false;
  let [at, last] = [index, size - 1];
  let hash = bytesOfHex(leaf);
  for (const text of path) {
    if (last === 0) return false;
    const sibling = bytesOfHex(text);
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = await nodeHash(hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  const [, sizeOfNote, rootOfNote] = note.split('\n');
  return last === 0 && hexOf(hash) === root && Number(sizeOfNote) === size && hexOf(bytesOfBase64(rootOfNote)) === root;
}

/**
 * Whether the note of a checkpoint is signed by a key, as the API writes keys: `name+id+base64`. Null where the browser
 * has no Ed25519.
 */
export async function isSigned(note: string, publicKey: string): Promise<boolean | null> {
  const end = note.indexOf('\n\n');
  if (end < 0) return false;
  const text = new TextEncoder().encode(note.slice(0, end + 1));
  // A key is an algorithm byte and the key; a signature is the key's id of four bytes and the signature.
  const key = bytesOfBase64(publicKey.slice(publicKey.lastIndexOf('+', publicKey.indexOf('+') + 9) + 1));
  const lines = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line.startsWith('— '));
  try {
    const made = await crypto.subtle.importKey('raw', key.slice(1), { name: 'Ed25519' }, false, ['verify']);
    for (const line of lines) {
      const signature = bytesOfBase64(line.split(' ')[2]).slice(4);
      if (await crypto.subtle.verify({ name: 'Ed25519' }, made, signature, text)) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    throw error;
  }
}

async function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  const both = new Uint8Array(1 + left.length + right.length);
  both[0] = 1;
  both.set(left, 1);
  both.set(right, 1 + left.length);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', both));
}

type Bytes = Uint8Array<ArrayBuffer>;

const half = (number: number): number => Math.floor(number / 2);

function bytesOfHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function bytesOfBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const hexOf = (bytes: Bytes): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
