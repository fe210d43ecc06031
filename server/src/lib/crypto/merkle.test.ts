import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  append,
  consistencyRanges,
  type Growing,
  inclusionRanges,
  type LeafRange,
  leafHash,
  peaksOf,
  provesConsistency,
  provesInclusion,
  rootOf,
  type TreeNode,
} from './merkle.ts';

/** The definition of RFC 6962 §2.1, word for word, over hashes of leaves. */
function rootByDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  const [left, right] = [rootByDefinition(leaves.slice(0, k)), rootByDefinition(leaves.slice(k))];
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

const grown = (leaves: readonly Buffer[], onNode?: (node: TreeNode) => void): Growing => {
  const tree: Growing = { size: 0, peaks: [] };
  for (const leaf of leaves) append(tree, leaf, onNode);
  return tree;
};
const hex = (text: string) => Buffer.from(text, 'hex');
const leavesOf = (count: number) => Array.from({ length: count }, (_, at) => leafHash(`leaf ${at}`));

/** The test vectors of Certificate Transparency, in which RFC 6962 was published with its first implementations. */
const published = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const ca85 = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';

test('the published trees have their roots, and their proofs hold', () => {
  const leaves = published.map((text) => leafHash(hex(text)));
  for (const [at, root] of roots.entries())
    expect(rootOf(grown(leaves.slice(0, at + 1)).peaks).toString('hex')).toBe(root);
  expect(rootOf([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const path = ['bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b', ca85, roots[3]].map(hex);
  expect(inclusionRanges(5, 8).map((range) => hashOf(leaves, range))).toEqual(path);
  expect(provesInclusion(leaves[5], { index: 5, size: 8, path }, hex(roots[7]))).toBe(true);
  const grows = ['0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a', ca85, roots[3]].map(hex);
  expect(consistencyRanges(6, 8).map((range) => hashOf(leaves, range))).toEqual(grows);
  expect(provesConsistency({ size: 6, root: hex(roots[5]) }, { size: 8, root: hex(roots[7]) }, grows)).toBe(true);
});

function hashOf(leaves: readonly Buffer[], { start, end }: LeafRange): Buffer {
  return rootByDefinition(leaves.slice(start, end));
}

test('a tree that grows leaf by leaf has the root of the definition, and tells each subtree once', () => {
  const leaves = leavesOf(200);
  for (let size = 0; size <= leaves.length; size++) {
    const nodes: TreeNode[] = [];
    const tree = grown(leaves.slice(0, size), (node) => nodes.push(node));
    expect(rootOf(tree.peaks)).toEqual(rootByDefinition(leaves.slice(0, size)));
    const places = nodes.map(({ level, position }) => `${level} ${position}`);
    expect(new Set(places).size).toBe(places.length);
    for (const { level, position, hash } of size === leaves.length ? nodes : [])
      expect(hash).toEqual(hashOf(leaves, { start: position * 2 ** level, end: (position + 1) * 2 ** level }));
  }
});

test('every range of a proof is made of subtrees that are there', () => {
  const leaves = leavesOf(70);
  const at = ({ level, position }: { level: number; position: number }) =>
    hashOf(leaves, { start: position * 2 ** level, end: (position + 1) * 2 ** level });
  for (let index = 0; index < leaves.length; index++)
    for (const range of inclusionRanges(index, leaves.length))
      expect(rootOf(peaksOf(range).map(at))).toEqual(hashOf(leaves, range));
});

test('each leaf of each tree is proved, and nothing else is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.nat(), fc.nat(), (size, one, other) => {
      const leaves = leavesOf(size);
      const index = one % size;
      const root = rootByDefinition(leaves);
      const path = inclusionRanges(index, size).map((range) => hashOf(leaves, range));
      expect(provesInclusion(leaves[index], { index, size, path }, root)).toBe(true);
      expect(provesInclusion(leafHash('other'), { index, size, path }, root)).toBe(false);
      expect(provesInclusion(leaves[index], { index, size, path: [...path, root] }, root)).toBe(false);
      if (path.length > 0) {
        expect(provesInclusion(leaves[index], { index, size, path: path.slice(1) }, root)).toBe(false);
        const wrong = other % size;
        if (wrong !== index) expect(provesInclusion(leaves[index], { index: wrong, size, path }, root)).toBe(false);
        const changed = path.with(other % path.length, leafHash('other'));
        expect(provesInclusion(leaves[index], { index, size, path: changed }, root)).toBe(false);
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('each tree is proved to have grown from each before, and from no other', () => {
  const leaves = leavesOf(66);
  const heads = Array.from({ length: leaves.length + 1 }, (_, size) => ({
    size,
    root: rootByDefinition(leaves.slice(0, size)),
  }));
  for (let size = 1; size <= leaves.length; size++)
    for (let older = 1; older <= size; older++) {
      const path = consistencyRanges(older, size).map((range) => hashOf(leaves, range));
      expect(provesConsistency(heads[older], heads[size], path)).toBe(true);
      const rewritten = { size: older, root: leafHash('other') };
      expect(provesConsistency(rewritten, heads[size], path)).toBe(false);
      expect(provesConsistency(heads[older], { size, root: leafHash('other') }, path)).toBe(false);
      expect(provesConsistency(heads[older], heads[size], [...path, heads[older].root])).toBe(false);
    }
});
