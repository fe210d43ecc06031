import { expect, test } from 'vitest';
import { openNoteSigner, readPublicKey } from './signed-note.ts';

/** The example of golang.org/x/mod/sumdb/note, where the form comes from. */
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const signature = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
const note = `${text}\n— PeterNeumann ${signature}\n`;

test('the published note opens with the published key, and is what its secret signs', () => {
  expect(readPublicKey(key)!.open(note)).toBe(text);
  const signer = openNoteSigner('PeterNeumann', seed);
  expect(signer.publicKey).toBe(key);
  expect(signer.sign(text)).toBe(note);
});

test('a note that was changed, or signed by another key, does not open', () => {
  const verifier = readPublicKey(key)!;
  for (const changed of [note.replace('answer', 'question'), note.replace('x08go/Z', 'x08go/Y'), text, '', `${note}\n`])
    expect(verifier.open(changed)).toBeNull();
  const other = openNoteSigner('PeterNeumann', Buffer.alloc(32, 1));
  expect(verifier.open(other.sign(text))).toBeNull();
  const both = `${note.trimEnd()}\n${other.sign(text).split('\n').at(-2)}\n`;
  expect(verifier.open(both)).toBe(text);
  expect(readPublicKey(other.publicKey)!.open(both)).toBe(text);
});

test.each(['', 'PeterNeumann', key.replace('c74f', 'c74e'), key.replace('PeterN', 'Peter'), key.slice(0, -4)])(
  '%j is no public key',
  (text) => {
    expect(readPublicKey(text)).toBeNull();
  },
);
