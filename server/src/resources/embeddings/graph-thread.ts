// The thread that embeds entities with one GFM version, for every workspace that reads it.
import { assert } from '../../lib/failure.ts';
import { serveCalls } from '../../lib/threads/serve.ts';
import type { EntityKind } from '../../ml/contract/contract.ts';
import { entityKinds } from '../../ml/gfm/facts/store.ts';
import { embeddingSize } from '../../ml/gfm/fit.ts';
import { type KindNeighborhood, openKind } from '../../ml/gfm/neighbors.ts';
import { type Gfm, openGfm } from '../../ml/gfm/version.ts';
import type { Embedded, Similar } from './by-keys.ts';

const neighborhoodsKept = 2;

let gfm: Gfm | null = null;
const neighborhoods = new Map<string, Promise<KindNeighborhood>>();

const calls = {
  async open(folder: string): Promise<void> {
    gfm = await openGfm(folder);
  },
  /** `at`: readableUntil, in microseconds. */
  embed({ keys, kind, at }: { keys: readonly string[]; kind?: EntityKind; at: number }): Embedded {
    assert(gfm, 'the version is opened first');
    const { find, embedAll } = gfm;
    const entities = keys.map((key) => find(key, kind));
    const known = entities.flatMap((entity, i) => (entity >= 0 ? [i] : []));
    const found = embedAll(
      known.map((i) => entities[i]),
      at,
    );
    const vectors = new Float32Array(keys.length * embeddingSize);
    const isKnown = keys.map(() => false);
    known.forEach((i, k) => {
      const vector = found[k];
      if (!vector) return;
      vectors.set(vector, i * embeddingSize);
      isKnown[i] = true;
    });
    return { vectors, isKnown };
  },
  /**
   * Finds neighbors of the requested kind, or of the entity's own kind. Returns null when the entity of the key was not
   * known as of `at`.
   */
  async nearest({ of, kind, most, at }: GraphSearch): Promise<{ kind: EntityKind; found: Similar[] } | null> {
    assert(gfm, 'the version is opened first');
    const { find, embed, graph } = gfm;
    const entity = 'key' in of ? find(of.key, kind) : -1;
    const vector = 'vector' in of ? of.vector : entity < 0 ? null : embed(entity, at);
    if (vector === null) return null;
    const own = kind ?? entityKinds[graph.store.kinds[entity]];
    const { entities, neighborhood } = await neighborhoodOf(gfm, own, at);
    const found = neighborhood.nearest(vector, most, entities.indexOf(entity)).map(({ place, similarity }) => ({
      key: graph.store.entities.entryOf(entities[place] + 1)!.identifier,
      similarity,
    }));
    return { kind: own, found };
  },
};
export type GraphCalls = typeof calls;

export type GraphSearch = {
  /** A vector needs a kind. */
  readonly of: { readonly key: string } | { readonly vector: Float32Array };
  readonly kind?: EntityKind;
  readonly most: number;
  /** readableUntil, in microseconds. */
  readonly at: number;
};

function neighborhoodOf(from: Gfm, kind: EntityKind, at: number): Promise<KindNeighborhood> {
  const id = `${kind} ${at}`;
  const known = neighborhoods.get(id);
  if (known) return known;
  const opened = openKind(from, kind, at);
  neighborhoods.set(id, opened);
  opened.catch(() => neighborhoods.delete(id));
  if (neighborhoods.size > neighborhoodsKept) neighborhoods.delete(neighborhoods.keys().next().value!);
  return opened;
}

serveCalls(calls);
