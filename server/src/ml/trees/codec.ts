// The file format of a forest: little endian, exact.
import { Failure } from '../../lib/failure.ts';
import { type Forest, leavesLimit, type Tree } from './forest.ts';

const magic = 0x54464c4c; // "LLFT"
const version = 1;
const headerBytes = 20;
const nodeBytes = 4 + 4 + 1 + 4 + 4 + 8 + 8 + 8;
const nodesLimit = 2 * leavesLimit - 1;
const outputsLimit = 65_536;

/**
 * Writes a forest as bytes: magic, version, features, outputs, trees (u32 each), the bases (f64), then per tree its
 * output and node count (u32) and per node feature (i32), threshold (f32), missing left (u8), left, right (i32), value,
 * cover, gain (f64). The same forest gives the same bytes.
 */
export function encodeForest(forest: Forest): Uint8Array {
  const nodes = forest.trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const bytes = new Uint8Array(headerBytes + forest.outputs * 8 + forest.trees.length * 8 + nodes * nodeBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const uint32 = (value: number): void => view.setUint32((at += 4) - 4, value, true);
  const int32 = (value: number): void => view.setInt32((at += 4) - 4, value, true);
  const float64 = (value: number): void => view.setFloat64((at += 8) - 8, value, true);
  for (const word of [magic, version, forest.features, forest.outputs, forest.trees.length]) uint32(word);
  forest.base.forEach(float64);
  for (const tree of forest.trees) {
    uint32(tree.output);
    uint32(tree.feature.length);
    for (let n = 0; n < tree.feature.length; n++) {
      int32(tree.feature[n]);
      view.setFloat32((at += 4) - 4, tree.threshold[n], true);
      view.setUint8(at++, tree.missingLeft[n]);
      int32(tree.left[n]);
      int32(tree.right[n]);
      float64(tree.value[n]);
      float64(tree.cover[n]);
      float64(tree.gain[n]);
    }
  }
  return bytes;
}

/**
 * Reads what `encodeForest` wrote. Checks everything a scorer relies on: children come after their parent, each node
 * has one parent, features exist, at most 32 leaves, covers are positive, numbers are finite. Throws: Failure 'invalid'
 * when the bytes are something else, of another version, cut short or inconsistent.
 */
export function decodeForest(bytes: Uint8Array): Forest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (size: number): number => {
    refuseUnless(at + size <= bytes.byteLength, 'it is cut short');
    at += size;
    return at - size;
  };
  const uint32 = (): number => view.getUint32(take(4), true);
  const int32 = (): number => view.getInt32(take(4), true);
  const float64 = (): number => view.getFloat64(take(8), true);
  refuseUnless(uint32() === magic, 'it does not begin like one');
  const found = uint32();
  refuseUnless(found === version, `its version is ${found}, and this program reads version ${version}`);
  const [features, outputs, treeCount] = [uint32(), uint32(), uint32()];
  refuseUnless(outputs >= 1 && outputs <= outputsLimit, `it has ${outputs} outputs`);
  const base = Float64Array.from({ length: outputs }, float64);
  refuseUnless(base.every(Number.isFinite), 'a base score is not finite');
  const trees: Tree[] = [];
  for (let t = 0; t < treeCount; t++) {
    const output = uint32();
    const nodes = uint32();
    refuseUnless(output < outputs, `tree ${t} has no such output`);
    refuseUnless(nodes >= 1 && nodes <= nodesLimit, `tree ${t} has ${nodes} nodes`);
    const tree = emptyTree(output, nodes);
    for (let n = 0; n < nodes; n++) {
      tree.feature[n] = int32();
      tree.threshold[n] = view.getFloat32(take(4), true);
      tree.missingLeft[n] = view.getUint8(take(1));
      tree.left[n] = int32();
      tree.right[n] = int32();
      tree.value[n] = float64();
      tree.cover[n] = float64();
      tree.gain[n] = float64();
    }
    refuseUnless(isSound(tree, features), `tree ${t} is inconsistent`);
    trees.push(tree);
  }
  refuseUnless(at === bytes.byteLength, 'something follows it');
  return { features, outputs, base, trees };
}

function refuseUnless(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Failure('invalid', `This is not a forest: ${why}.`);
}

function emptyTree(output: number, nodes: number): Tree {
  return {
    output,
    feature: new Int32Array(nodes),
    threshold: new Float32Array(nodes),
    missingLeft: new Uint8Array(nodes),
    left: new Int32Array(nodes),
    right: new Int32Array(nodes),
    value: new Float64Array(nodes),
    cover: new Float64Array(nodes),
    gain: new Float64Array(nodes),
  };
}

function isSound(tree: Tree, features: number): boolean {
  const nodes = tree.feature.length;
  const parents = new Uint8Array(nodes);
  for (let n = 0; n < nodes; n++) {
    const numbers = [tree.value[n], tree.cover[n], tree.gain[n]];
    if (!numbers.every(Number.isFinite) || !(tree.cover[n] > 0) || Number.isNaN(tree.threshold[n])) return false;
    if (tree.feature[n] === -1) continue;
    const children = [tree.left[n], tree.right[n]];
    if (tree.feature[n] < 0 || tree.feature[n] >= features) return false;
    if (!children.every((child) => child > n && child < nodes)) return false;
    for (const child of children) parents[child]++;
  }
  return parents.every((count, n) => count === (n === 0 ? 0 : 1));
}
