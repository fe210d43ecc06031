import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { encryptionNamespace, signatureNamespace } from './parties.ts';
import { allOf, attributeOf, childrenNamed, isNamed, textOf, type XmlElement } from './xml.ts';

const encryption11 = 'http://www.w3.org/2009/xmlenc11#';

/** Which cipher each address names, and the bytes of its key. */
const ciphers: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  [`${encryption11}aes128-gcm`]: { name: 'aes-128-gcm', keyBytes: 16 },
  [`${encryption11}aes192-gcm`]: { name: 'aes-192-gcm', keyBytes: 24 },
  [`${encryption11}aes256-gcm`]: { name: 'aes-256-gcm', keyBytes: 32 },
  [`${encryptionNamespace}aes128-cbc`]: { name: 'aes-128-cbc', keyBytes: 16 },
  [`${encryptionNamespace}aes192-cbc`]: { name: 'aes-192-cbc', keyBytes: 24 },
  [`${encryptionNamespace}aes256-cbc`]: { name: 'aes-256-cbc', keyBytes: 32 },
};

const ivBytes = { gcm: 12, cbc: 16 };
const tagBytes = 16;

/** Those that providers are told to use. */
export const encryptionMethods = [
  `${encryption11}aes256-gcm`,
  `${encryption11}aes128-gcm`,
  `${encryptionNamespace}aes256-cbc`,
  `${encryptionNamespace}aes128-cbc`,
  `${encryptionNamespace}rsa-oaep-mgf1p`,
];

const oaepHashes: Readonly<Record<string, string>> = {
  [`${signatureNamespace}sha1`]: 'sha1',
  [`${encryptionNamespace}sha256`]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  [`${encryptionNamespace}sha512`]: 'sha512',
};

/**
 * The text in an EncryptedAssertion (XML Encryption 1.1), for one recipient: AES in CBC or GCM, its key by RSA-OAEP.
 * What was decrypted is not yet known to be from anybody: CBC keeps no one from changing it, and everybody has the
 * certificate. Throws errors of any kind; whoever catches them must tell them all alike, or becomes an oracle (Jager
 * and Somorovsky 2011).
 */
export function decryptAssertion(holder: XmlElement, key: string): string {
  const data = only(childrenNamed(holder, encryptionNamespace, 'EncryptedData'));
  const encryptedKey = only(allOf(holder).filter((part) => isNamed(part, encryptionNamespace, 'EncryptedKey')));
  const cipher = ciphers[algorithmOf(methodOf(data))];
  const contentKey = privateDecrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: oaepHashOf(methodOf(encryptedKey)) },
    cipherValueOf(encryptedKey),
  );
  if (cipher === undefined || contentKey.length !== cipher.keyBytes) throw new Error('another cipher, or another key');
  const plain = cipher.name.endsWith('gcm')
    ? decryptGcm(cipher.name, contentKey, cipherValueOf(data))
    : decryptCbc(cipher.name, contentKey, cipherValueOf(data));
  return new TextDecoder('utf-8', { fatal: true }).decode(plain);
}

function only(elements: readonly XmlElement[]): XmlElement {
  if (elements.length !== 1) throw new Error('not exactly one');
  return elements[0];
}

function methodOf(element: XmlElement): XmlElement {
  return only(childrenNamed(element, encryptionNamespace, 'EncryptionMethod'));
}

function algorithmOf(element: XmlElement | undefined): string {
  return (element && attributeOf(element, 'Algorithm')) ?? '';
}

function cipherValueOf(element: XmlElement): Buffer {
  const value = only(childrenNamed(element, encryptionNamespace, 'CipherData'));
  return Buffer.from(textOf(only(childrenNamed(value, encryptionNamespace, 'CipherValue'))) ?? '', 'base64');
}

/** RSA with PKCS 1.5 is no way to send a key, and Node has OAEP with one hash for both of its uses only. */
function oaepHashOf(method: XmlElement): string {
  const [digest] = childrenNamed(method, signatureNamespace, 'DigestMethod');
  const hash = digest === undefined ? 'sha1' : oaepHashes[algorithmOf(digest)];
  const [mask] = childrenNamed(method, encryption11, 'MGF');
  const maskHash = mask === undefined ? 'sha1' : algorithmOf(mask).replace(`${encryption11}mgf1`, '');
  const isOaep = [`${encryptionNamespace}rsa-oaep-mgf1p`, `${encryption11}rsa-oaep`].includes(algorithmOf(method));
  if (!isOaep || hash === undefined || hash !== maskHash) throw new Error('another way to send a key');
  return hash;
}

function decryptGcm(name: string, key: Buffer, sent: Buffer): Buffer {
  const decipher = createDecipheriv(name as 'aes-128-gcm', key, sent.subarray(0, ivBytes.gcm), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(sent.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sent.subarray(ivBytes.gcm, -tagBytes)), decipher.final()]);
}

/** Of the padding only the last byte counts (XML Encryption 5.2). */
function decryptCbc(name: string, key: Buffer, sent: Buffer): Buffer {
  const decipher = createDecipheriv(name, key, sent.subarray(0, ivBytes.cbc)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(sent.subarray(ivBytes.cbc)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > ivBytes.cbc) throw new Error('another padding');
  return padded.subarray(0, -padding);
}
