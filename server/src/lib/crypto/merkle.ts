/**
 * Merkle trees of RFC 6962: a leaf is SHA-256(0x00 ‖ bytes), a node SHA-256(0x01 ‖ left ‖ right). A tree grows on its
 * right alone, so all that it needs to grow are the roots of the perfect subtrees that it is made of.
 */
import { hash } from 'node:crypto';
import { assert } from '../failure.ts';

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

export function leafHash(bytes: Uint8Array | string): Buffer {
  return sha256(Buffer.concat([leafPrefix, typeof bytes === 'string' ? Buffer.from(bytes) : bytes]));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([nodePrefix, left, right]));
}

/** In one call: trees have millions of hashes, and an object for each would wait for the collector of garbage. */
function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/** A tree that grows: how many leaves it has, and the roots of its perfect subtrees, the largest first. */
export type Growing = { size: number; readonly peaks: Buffer[] };

/** The root of the subtree of leaves `[position · 2^level, (position + 1) · 2^level)`. */
export type TreeNode = { readonly level: number; readonly position: number; readonly hash: Buffer };

/** Adds a leaf to the tree, and tells `onNode` each perfect subtree that it completes, itself not among them. */
export function append(tree: Growing, leaf: Buffer, onNode: (node: TreeNode) => void = () => {}): void {
  let hash = leaf;
  let level = 0;
  let position = tree.size;
  while (position % 2 === 1) {
    hash = nodeHash(tree.peaks.pop()!, hash);
    position = (position - 1) / 2;
    level++;
    onNode({ level, position, hash });
  }
  tree.peaks.push(hash);
  tree.size++;
}

/** The root of a tree by its peaks; of no leaves, the hash of nothing. */
export function rootOf(peaks: readonly Buffer[]): Buffer {
  if (peaks.length === 0) return sha256(Buffer.alloc(0));
  return peaks.reduceRight((right, left) => nodeHash(left, right));
}

/** Leaves from `start` to before `end`, which have a node of their own in some tree. */
export type LeafRange = { readonly start: number; readonly end: number };
/** A perfect subtree without its hash. */
export type Place = Omit<TreeNode, 'hash'>;

/** The perfect subtrees that a range is made of, from the left. It begins where a subtree of its size does. */
export function peaksOf({ start, end }: LeafRange): Place[] {
  const places: Place[] = [];
  for (let at = start; at < end; ) {
    const level = levelOf(end - at);
    assert(at % 2 ** level === 0, 'the range begins where a subtree of its size does');
    places.push({ level, position: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

/** The largest power of two below `size`. */
function split(size: number): number {
  const power = 2 ** levelOf(size);
  return power === size ? power / 2 : power;
}

/** Of the largest perfect subtree of at most `size` leaves. A logarithm is rounded, and wrong for large sizes. */
function levelOf(size: number): number {
  let level = 0;
  while (2 ** (level + 1) <= size) level++;
  return level;
}

/** The ranges whose hashes prove that a leaf is in the tree of `size` leaves (RFC 6962 §2.1.1), the lowest first. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  assert(index >= 0 && index < size, 'the leaf is in the tree');
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** The ranges whose hashes prove that a tree of `older` leaves has grown to one of `size` (RFC 6962 §2.1.2). */
export function consistencyRanges(older: number, size: number): LeafRange[] {
  assert(older > 0 && older <= size, 'the older tree has leaves, and no more than the newer one');
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  let isWhole = true;
  while (older !== end) {
    const middle = start + split(end - start);
    if (older <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
      isWhole = false;
    }
  }
  if (!isWhole) ranges.push({ start, end });
  return ranges.reverse();
}

/** Whether a path proves that the leaf of this hash is in the tree of this root (RFC 9162 §2.1.3.2). */
export function provesInclusion(
  leaf: Buffer,
  { index, size, path }: { readonly index: number; readonly size: number; readonly path: readonly Buffer[] },
  root: Buffer,
): boolean {
  if (index < 0 || index >= size) return false;
  let [at, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = nodeHash(hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && hash.equals(root);
}

/** A tree at some moment. */
export type Head = { readonly size: number; readonly root: Buffer };

/** Whether a path proves that the older tree has grown to the newer one (RFC 9162 §2.1.4.2). */
export function provesConsistency(older: Head, newer: Head, path: readonly Buffer[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && older.root.equals(newer.root);
  if (older.size === 0) return path.length === 0;
  const isPower = 2 ** levelOf(older.size) === older.size;
  const [first, ...rest] = isPower ? [older.root, ...path] : path;
  if (first === undefined) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      before = nodeHash(sibling, before);
      after = nodeHash(sibling, after);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else after = nodeHash(after, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && before.equals(older.root) && after.equals(newer.root);
}

function half(number: number): number {
  return Math.floor(number / 2);
}
