// Encryption of stored values (AES-256-GCM). Each value names its key, so that keys can be rotated one by one.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert } from '../failure.ts';

/** 32-byte keys by id. New values are sealed with `current`; the other keys open values that were sealed before. */
export type KeyRing = { readonly current: string; readonly keys: ReadonlyMap<string, Uint8Array> };

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals text as `v1.<key id>.<base64url of nonce, ciphertext, tag>`. `context` says where the value belongs (a table,
 * a column, a row's id): a sealed value moved elsewhere does not open.
 */
export function seal(ring: KeyRing, text: string, context: string): string {
  const key = ring.keys.get(ring.current);
  assert(key !== undefined, `the key ring lacks its current key ${ring.current}`);
  assert(/^[A-Za-z0-9_-]+$/.test(ring.current), `${ring.current} is no id of a key`);
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encryption.setAAD(associated(ring.current, context));
  const sealed = Buffer.concat([nonce, encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()]);
  return `v1.${ring.current}.${sealed.toString('base64url')}`;
}

/** Opens a value that `seal` made. Throws when its key is not on the ring, or the value or `context` has changed. */
export function unseal(ring: KeyRing, value: string, context: string): string {
  const [version, keyId, body, ...rest] = value.split('.');
  if (version !== 'v1' || body === undefined || rest.length > 0) throw new Error('not a sealed value');
  const key = ring.keys.get(keyId);
  if (key === undefined) throw new Error(`a value is sealed with the key ${keyId}, which is not on the ring`);
  const sealed = Buffer.from(body, 'base64url');
  if (sealed.length < nonceBytes + tagBytes) throw new Error('not a sealed value: too short');
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decryption.setAAD(associated(keyId, context));
  decryption.setAuthTag(sealed.subarray(-tagBytes));
  return decryption.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decryption.final('utf8');
}

function associated(keyId: string, context: string): Buffer {
  return Buffer.from(`v1.${keyId}.${context}`, 'utf8');
}
