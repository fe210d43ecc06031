import type { Context } from '../../access/context.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { EntityKind } from '../../ml/contract/contract.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { type Answering, aboutGfm, aboutRfm, refuseForeign, sharedMoment } from './about.ts';
import type { EntityKey, Search, Similar } from './by-keys.ts';

type NeighborsRequest = {
  readonly source?: 'rfm' | 'gfm';
  readonly kind?: EntityKind;
  readonly key?: EntityKey;
  readonly vector?: readonly number[];
  readonly limit?: number;
  readonly entity?: string;
  readonly rfm_version_id?: string;
  readonly reference_date?: string;
};

const neighborsDefault = 10;

/**
 * Finds the nearest neighbors of an entity or of a vector, as of a day. Without a day, it uses the beginning of the
 * current hour, so that requests share opened neighborhoods. Throws Failure 'invalid', 'not_found' when the entity was
 * not known as of then, 'too_many_entities'.
 */
export async function findNeighbors(app: Answering, ctx: Context, asked: NeighborsRequest): Promise<Answer> {
  await app.allowances.require(ctx, 'embeddings');
  const now = Date.now();
  const asOf = sharedMoment(ctx, asked.reference_date, now);
  refuseForeign(asked);
  const search = { of: sampleOf(asked), most: asked.limit ?? neighborsDefault, at: readableUntil(ctx.timeZone, asOf) };
  const { target, about, snapshot, found } = await (asked.source === 'gfm' ? inGraph : inWorkspace)(
    app,
    ctx,
    asked,
    search,
  );
  await app.leaveTrail(ctx, target, about.source, 1);
  return {
    status: 200,
    body: {
      ...about,
      model_snapshot: snapshot,
      generated_at: new Date(now).toISOString(),
      as_of: new Date(asOf).toISOString(),
      data: found.map(({ key, similarity }) => ({ key, similarity: Number(similarity.toFixed(6)) })),
    },
  };
}

type FoundNeighbors = {
  readonly target: { readonly type: string; readonly id: string };
  readonly about: { readonly source: string } & Readonly<Record<string, string>>;
  readonly snapshot: string;
  readonly found: readonly Similar[];
};

async function inWorkspace(
  app: Answering,
  ctx: Context,
  asked: NeighborsRequest,
  search: Search,
): Promise<FoundNeighbors> {
  const { version, found } = await app.embeddings.use(ctx, asked, async (encoder) => ({
    version: encoder.version,
    found: await encoder.nearest(search),
  }));
  if (found === null) throw refuse('not_found', `no ${version.entity} has the key ${asked.key} by then`);
  return {
    ...{ target: { type: 'rfm_version', id: version.id }, about: aboutRfm(version), snapshot: version.id },
    found,
  };
}

async function inGraph(
  app: Answering,
  ctx: Context,
  { kind, key }: NeighborsRequest,
  { of, most, at }: Search,
): Promise<FoundNeighbors> {
  if ('vector' in of && kind === undefined) {
    const message = 'say of which kind the vector is: vectors of two kinds are not compared';
    throw refuse('invalid', message, { problems: [{ at: '/kind', message }] });
  }
  const asked = 'key' in of ? { key: String(of.key) } : of;
  const { version, found } = await app.graphEmbeddings.nearest(ctx, { of: asked, most, at, ...(kind && { kind }) });
  if (found === null) throw refuse('not_found', `nobody was known as ${key} in ${version.name} by then`);
  return {
    target: { type: 'gfm_version', id: version.id },
    about: { ...aboutGfm(version), kind: found.kind },
    snapshot: version.model_snapshot,
    found: found.found,
  };
}

function sampleOf({ key, vector }: NeighborsRequest): { key: EntityKey } | { vector: Float32Array } {
  if ((key === undefined) === (vector === undefined))
    throw refuse('invalid', 'give a key or a vector, and not both', {
      problems: [{ at: '/key', message: 'give a key or a vector, and not both' }],
    });
  if (key !== undefined) return { key };
  const length = Math.hypot(...vector!);
  if (!(length > 0)) throw refuse('invalid', 'vector has no direction: all its numbers are 0');
  return { vector: Float32Array.from(vector!, (value) => value / length) };
}
