import type { Answer } from '../../lib/http/server.ts';
import { embeddingColumns } from '../../ml/rfm/network.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import { momentOf, readableUntil } from '../predictions/moment.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { EntityKey } from './thread.ts';

export type Encoding = 'float' | 'base64';

type Asked = {
  readonly keys: readonly EntityKey[];
  readonly entity?: string;
  readonly rfm_version_id?: string;
  readonly reference_date?: string;
  readonly encoding?: Encoding;
};

/** Embeds entities as of a day, or of now. The answer leaves after its audit entry is durable. */
export async function embed(app: App, ctx: Context, asked: Asked): Promise<Answer> {
  const now = Date.now();
  const asOf = momentOf(asked.reference_date, ctx.timeZone, now);
  const until = readableUntil(ctx.timeZone, asOf);
  const { version, vectors, isKnown } = await app.embeddings.use(ctx, asked, async (encoder) => ({
    version: encoder.version,
    ...(await encoder.embed(asked.keys, until)),
  }));
  const encode = encoderOf(asked.encoding ?? 'float');
  const shared = { ...metadataOf(version, now), dimension: embeddingColumns };
  const data = asked.keys.map((key, i) => ({
    key,
    vector: isKnown[i] ? encode(vectors.subarray(i * embeddingColumns, (i + 1) * embeddingColumns)) : null,
    ...shared,
    data_coverage: isKnown[i] ? 'full' : 'none',
  }));
  await recordRequest(app, ctx, version, asked.keys.length);
  return { status: 200, body: { ...aboutOf(version), as_of: new Date(asOf).toISOString(), data } };
}

type SearchAsked = {
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
export async function findNeighbors(app: App, ctx: Context, asked: SearchAsked): Promise<Answer> {
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
  await recordRequest(app, ctx, version, 1);
  return {
    status: 200,
    body: {
      ...aboutOf(version),
      ...metadataOf(version, now),
      as_of: new Date(asOf).toISOString(),
      data: found.map(({ key, similarity }) => ({ key, similarity: Number(similarity.toFixed(6)) })),
    },
  };
}

function sampleOf({ key, vector }: SearchAsked): { key: EntityKey } | { vector: Float32Array } {
  if ((key === undefined) === (vector === undefined))
    throw refuse('invalid', 'give a key or a vector, and not both', {
      problems: [{ at: '/key', message: 'give a key or a vector, and not both' }],
    });
  if (key !== undefined) return { key };
  const length = Math.hypot(...vector!);
  if (!(length > 0)) throw refuse('invalid', 'vector has no direction: all its numbers are 0');
  return { vector: Float32Array.from(vector!, (value) => value / length) };
}

function aboutOf(version: RfmVersionRow) {
  return { source: 'rfm', entity: version.entity, rfm_version_id: version.id };
}

function metadataOf(version: RfmVersionRow, now: number) {
  return { model_snapshot: version.id, generated_at: new Date(now).toISOString() };
}

/** Digits after which a float32 reads back the same. */
const float32Digits = 9;

function encoderOf(encoding: Encoding): (vector: Float32Array) => readonly number[] | string {
  if (encoding === 'float') return (vector) => Array.from(vector, (value) => Number(value.toPrecision(float32Digits)));
  return (vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

function recordRequest(app: App, ctx: Context, version: RfmVersionRow, entities: number): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    await record(tx, ctx, 'embedding-request', { type: 'rfm_version', id: version.id }, { source: 'rfm', entities });
  });
}
