import type { Context } from '../../access/context.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { EntityKind } from '../../ml/contract/contract.ts';
import { embeddingColumns } from '../../ml/rfm/network.ts';
import { encodeVector } from '../../ml/version/given-vectors.ts';
import { momentOf, readableUntil } from '../../serving/as-of.ts';
import { type Answering, aboutGfm, aboutRfm, refuseForeign } from './about.ts';
import type { Embedded, EntityKey } from './by-keys.ts';

export type Encoding = 'float' | 'base64';

type EmbeddingRequest = {
  readonly source?: 'rfm' | 'gfm';
  readonly kind?: EntityKind;
  readonly keys: readonly EntityKey[];
  readonly entity?: string;
  readonly rfm_version_id?: string;
  readonly reference_date?: string;
  readonly encoding?: Encoding;
};

/**
 * Embeds entities as of a day, or as of now. The answer is sent after its audit entry is durable. Throws Failure
 * 'invalid'.
 */
export async function embed(app: Answering, ctx: Context, asked: EmbeddingRequest): Promise<Answer> {
  await app.allowances.require(ctx, 'embeddings');
  const now = Date.now();
  const asOf = momentOf(asked.reference_date, ctx.timeZone, now);
  const until = readableUntil(ctx.timeZone, asOf);
  refuseForeign(asked);
  const { target, about, snapshot, vectors, isKnown } = await (asked.source === 'gfm' ? byGraph : byWorkspace)(
    app,
    ctx,
    asked,
    until,
  );
  const encode = encoderOf(asked.encoding ?? 'float');
  const shared = { model_snapshot: snapshot, generated_at: new Date(now).toISOString(), dimension: embeddingColumns };
  const data = asked.keys.map((key, i) => ({
    key,
    vector: isKnown[i] ? encode(vectors.subarray(i * embeddingColumns, (i + 1) * embeddingColumns)) : null,
    ...shared,
    data_coverage: isKnown[i] ? 'full' : 'none',
  }));
  await app.leaveTrail(ctx, target, about.source, asked.keys.length);
  return { status: 200, body: { ...about, as_of: new Date(asOf).toISOString(), data } };
}

type FoundVectors = Embedded & {
  readonly target: { readonly type: string; readonly id: string };
  readonly about: { readonly source: string } & Readonly<Record<string, string>>;
  readonly snapshot: string;
};

async function byWorkspace(app: Answering, ctx: Context, asked: EmbeddingRequest, at: number): Promise<FoundVectors> {
  return app.embeddings.use(ctx, asked, async ({ version, embed }) => ({
    ...(await embed(asked.keys, at)),
    target: { type: 'rfm_version', id: version.id },
    about: aboutRfm(version),
    snapshot: version.id,
  }));
}

async function byGraph(
  app: Answering,
  ctx: Context,
  { keys, kind }: EmbeddingRequest,
  at: number,
): Promise<FoundVectors> {
  const { version, ...found } = await app.graphEmbeddings.embed(ctx, {
    keys: keys.map(String),
    at,
    ...(kind && { kind }),
  });
  return {
    ...found,
    target: { type: 'gfm_version', id: version.id },
    about: aboutGfm(version),
    snapshot: version.model_snapshot,
  };
}

/** The number of significant digits after which a float32 reads back the same. */
const float32Digits = 9;

function encoderOf(encoding: Encoding): (vector: Float32Array) => readonly number[] | string {
  if (encoding === 'float') return (vector) => Array.from(vector, (value) => Number(value.toPrecision(float32Digits)));
  return encodeVector;
}
