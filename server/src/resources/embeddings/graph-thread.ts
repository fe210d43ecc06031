// The thread that embeds entities of one version of the graph model, for every workspace that reads it.
import { assert } from '../../lib/failure.ts';
import { serveCalls } from '../../lib/threads/serve.ts';
import type { EntityKind } from '../../ml/contract/contract.ts';
import { embeddingSize } from '../../ml/gfm/fit.ts';
import { type Gfm, openGfm } from '../../ml/gfm/version.ts';
import type { Embedded } from './by-keys.ts';

let gfm: Gfm | null = null;

const calls = {
  async open(folder: string): Promise<void> {
    gfm = await openGfm(folder);
  },
  /** `at`: microseconds, the last readable moment. */
  embed({ keys, kind, at }: { keys: readonly string[]; kind?: EntityKind; at: number }): Embedded {
    assert(gfm, 'the version is opened first');
    const { find, embedAll } = gfm;
    const entities = keys.map((key) => find(key, kind));
    const known = entities.flatMap((entity, i) => (entity >= 0 ? [i] : []));
    const found = embedAll(
      known.map((i) => entities[i]!),
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
};
export type GraphCalls = typeof calls;

serveCalls(calls);
