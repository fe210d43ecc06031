import { hashText, mix } from '../../lib/files/texts.ts';
import { entityKinds } from './facts/store.ts';
import { type FactGraph, forDirections, nodeRowAt, otherEnd } from './graph.ts';

const signatureEntries = 8;

/**
 * One number per entity, from which its random signature is derived: a hash of what was known of it when it was first
 * known (its kind, the moment, its attributes, and the same of the other ends of its first facts). It contains no
 * identifier, so renaming entities changes nothing; a later entity has one too, and no later fact changes it. Entities
 * with equal data share one.
 */
export function signatureSeeds(graph: FactGraph): Int32Array {
  const { entities, bornAt, store } = graph;
  const moment = new Float64Array(1);
  const words = new Int32Array(moment.buffer);
  const hashNumber = (value: number) => {
    moment[0] = value;
    return mix(words[0] ^ mix(words[1] ^ 0x5bd1e995));
  };
  const texts = store.nodes.attributes.map((attribute) =>
    attribute.kind === 'text' ? Int32Array.from(attribute.dictionary, (text) => hashWord(text)) : null,
  );
  const names = store.nodes.attributes.map(({ name }) => hashWord(name));
  const kindWords = entityKinds.map((kind) => hashWord(kind));
  const own = new Int32Array(entities);
  for (let e = 0; e < entities; e++) {
    let hash = mix(kindWords[store.kinds[e]] ^ hashNumber(bornAt[e]));
    const row = nodeRowAt(graph, e, bornAt[e]);
    for (const [a, attribute] of store.nodes.attributes.entries()) {
      if (row < 0) break;
      // A date after that moment was not known yet and would reveal the future.
      const word =
        attribute.kind === 'text'
          ? attribute.codes[row] < 0
            ? 0
            : texts[a]![attribute.codes[row]!]!
          : Number.isNaN(attribute.values[row]) || (attribute.kind === 'time' && attribute.values[row] > bornAt[e])
            ? 0
            : hashNumber(attribute.values[row]);
      if (word !== 0) hash = mix(hash ^ mix(names[a] ^ word));
    }
    own[e] = hash;
  }
  const relationWords = store.relations.map(({ name }) => hashWord(name));
  return Int32Array.from(own, (hash, e) => {
    let sum = 0;
    // A sum, so that the order of facts known at the same moment does not matter.
    forDirections(graph, e, bornAt[e], (direction, start, end) => {
      for (let edge = start; edge < end; edge++)
        sum = (sum + mix(relationWords[direction >> 1] ^ (direction & 1) ^ own[otherEnd(graph, edge, direction)])) | 0;
    });
    return mix(hash ^ sum);
  });
}

function hashWord(text: string): number {
  const bytes = Buffer.from(text);
  return hashText(bytes, 0, bytes.length);
}

/**
 * Adds `weight` times a signature to out[at, at + size): eight entries of ±1/√8. size: a power of two. `bound`: each
 * value gives an unrelated signature of the same entity, for sums that distinguish relations.
 */
export function addSignature(
  out: Float64Array,
  at: number,
  size: number,
  seed: number,
  bound: number,
  weight: number,
): void {
  const entry = weight / Math.sqrt(signatureEntries);
  for (let k = 1; k <= signatureEntries; k++) {
    const word = mix((seed ^ Math.imul(bound, 0x85ebca6b)) + Math.imul(k, 0x9e3779b9));
    const place = at + (word & (size - 1));
    out[place] = out[place] + (word < 0 ? -entry : entry);
  }
}
