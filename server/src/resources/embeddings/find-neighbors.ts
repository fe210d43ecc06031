import type { Answer } from '../../lib/http/server.ts';
import type { Context } from '../../tenancy/context.ts';
import { refuse } from '../../tenancy/errors.ts';
import { momentOf, readableUntil } from '../predictions/moment.ts';
import { type Answering, aboutRfm } from './about.ts';
import type { EntityKey } from './by-keys.ts';

type Asked = {
  readonly key?: EntityKey;
  readonly vector?: readonly number[];
  readonly limit?: number;
  readonly entity?: string;
  readonly rfm_version_id?: string;
  readonly reference_date?: string;
};

const neighborsDefault = 10;
const hourMs = 60 * 60 * 1000;

/**
 * The entities most like one of them, or like a vector, as of a day or of the hour that has begun, which many requests share.
 * Throws Failure 'invalid', 'not_found' when the entity was not known by then, 'too_many_entities'.
 */
export async function findNeighbors(app: Answering, ctx: Context, asked: Asked): Promise<Answer> {
  const now = Date.now();
  const asOf =
    asked.reference_date === undefined
      ? Math.floor(now / hourMs) * hourMs
      : momentOf(asked.reference_date, ctx.timeZone, now);
  const of = sampleOf(asked);
  const search = { of, most: asked.limit ?? neighborsDefault, at: readableUntil(ctx.timeZone, asOf) };
  const { version, found } = await app.embeddings.use(ctx, asked, async (encoder) => ({
    version: encoder.version,
    found: await encoder.nearest(search),
  }));
  if (found === null) throw refuse('not_found', `no ${version.entity} has the key ${asked.key} by then`);
  await app.leaveTrail(ctx, { type: 'rfm_version', id: version.id }, 'rfm', 1);
  return {
    status: 200,
    body: {
      ...aboutRfm(version),
      model_snapshot: version.id,
      generated_at: new Date(now).toISOString(),
      as_of: new Date(asOf).toISOString(),
      data: found.map(({ key, similarity }) => ({ key, similarity: Number(similarity.toFixed(6)) })),
    },
  };
}

function sampleOf({ key, vector }: Asked): { key: EntityKey } | { vector: Float32Array } {
  if ((key === undefined) === (vector === undefined))
    throw refuse('invalid', 'give a key or a vector, and not both', {
      problems: [{ at: '/key', message: 'give a key or a vector, and not both' }],
    });
  if (key !== undefined) return { key };
  const length = Math.hypot(...vector!);
  if (!(length > 0)) throw refuse('invalid', 'vector has no direction: all its numbers are 0');
  return { vector: Float32Array.from(vector!, (value) => value / length) };
}
