import type { Context } from '../../access/context.ts';
import type { Answer } from '../../lib/http/server.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { type Answering, aboutRfm, sharedMoment } from './about.ts';

type MapRequest = {
  readonly entity?: string;
  readonly rfm_version_id?: string;
  readonly reference_date?: string;
  readonly limit?: number;
};

/** Most entities of a map, and how many there are by default. */
export const mappedMax = 2_000;
export const mappedDefault = 1_000;
const digits = 6;

/**
 * Shows the entities of a table in two dimensions, as of a day or of the beginning of the current hour. It counts as
 * one embedding.
 */
export async function mapEmbeddings(app: Answering, ctx: Context, asked: MapRequest): Promise<Answer> {
  await app.allowances.require(ctx, 'embeddings');
  const now = Date.now();
  const asOf = sharedMoment(ctx, asked.reference_date, now, '/query/reference_date');
  const { version, entities, explained, points } = await app.embeddings.use(ctx, asked, async (encoder) => ({
    version: encoder.version,
    ...(await encoder.layOut(asked.limit ?? mappedDefault, readableUntil(ctx.timeZone, asOf))),
  }));
  const about = aboutRfm(version);
  await app.leaveTrail(ctx, { type: 'rfm_version', id: version.id }, about.source, 1);
  return {
    status: 200,
    body: {
      ...about,
      model_snapshot: version.id,
      generated_at: new Date(now).toISOString(),
      as_of: new Date(asOf).toISOString(),
      entities,
      explained: explained.map((share) => Number(share.toFixed(digits))),
      data: points.map(({ key, x, y }) => ({ key, x: Number(x.toFixed(digits)), y: Number(y.toFixed(digits)) })),
    },
  };
}
