import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  append,
  type Growing,
  inclusionRanges,
  leafHash,
  nodeHash,
  rootOf,
} from '../../server/src/lib/crypto/merkle.ts';
import { isSigned, provesInclusion } from '../src/audit/verify.ts';

const sizes = [1, 2, 3, 5, 8, 13, 64, 100];

/** The root of some leaves, by the definition of RFC 6962. */
function rootOfLeaves(leaves: readonly Buffer[]): Buffer {
  const tree: Growing = { size: 0, peaks: [] };
  for (const leaf of leaves) append(tree, leaf);
  return rootOf(tree.peaks);
}

function proofOf(index: number, size: number) {
  const leaves = Array.from({ length: size }, (_, at) => leafHash(`entry ${at}`));
  const path = inclusionRanges(index, size).map(({ start, end }) =>
    rootOfLeaves(leaves.slice(start, end)).toString('hex'),
  );
  const root = rootOfLeaves(leaves);
  const note = `origin\n${size}\n${root.toString('base64')}\n\n— origin AAAA\n`;
  return {
    leaf_index: index,
    leaf_hash: leaves[index]!.toString('hex'),
    path,
    checkpoint: { tree: 'ws_1', size, previous_size: 0, root: root.toString('hex'), at: '', key_id: '', note },
  };
}

test('each leaf of trees of many sizes is proved', async () => {
  for (const size of sizes)
    for (let index = 0; index < size; index++) expect(await provesInclusion(proofOf(index, size))).toBe(true);
});

test('another leaf, another path, another root and another note are not', async () => {
  const proof = proofOf(5, 13);
  const other = nodeHash(leafHash('a'), leafHash('b')).toString('hex');
  expect(await provesInclusion({ ...proof, leaf_hash: other })).toBe(false);
  expect(await provesInclusion({ ...proof, leaf_index: 6 })).toBe(false);
  expect(await provesInclusion({ ...proof, leaf_index: 13 })).toBe(false);
  expect(await provesInclusion({ ...proof, path: proof.path.slice(1) })).toBe(false);
  expect(await provesInclusion({ ...proof, path: [other, ...proof.path.slice(1)] })).toBe(false);
  expect(await provesInclusion({ ...proof, checkpoint: { ...proof.checkpoint, root: other } })).toBe(false);
  const { note } = proofOf(5, 14).checkpoint;
  expect(await provesInclusion({ ...proof, checkpoint: { ...proof.checkpoint, note } })).toBe(false);
});

test('a note is signed by its key, and neither changed nor by another one', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = (key: typeof publicKey) => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
  const written = (key: typeof publicKey) =>
    `lastro.audit+d0a3018e+${Buffer.concat([Buffer.from([1]), raw(key)]).toString('base64')}`;
  const text = 'lastro.audit/ws_1\n129\n8iVUXEAC\nat 2026-11-24\n';
  const signature = Buffer.concat([Buffer.from('d0a3018e', 'hex'), sign(null, Buffer.from(text), privateKey)]);
  const note = `${text}\n— lastro.audit ${signature.toString('base64')}\n`;
  expect(await isSigned(note, written(publicKey))).toBe(true);
  expect(await isSigned(note.replace('129', '130'), written(publicKey))).toBe(false);
  expect(await isSigned(note, written(generateKeyPairSync('ed25519').publicKey))).toBe(false);
});
