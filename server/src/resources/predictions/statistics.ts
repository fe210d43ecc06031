import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import { bucketsOf } from '../../lib/time-buckets.ts';
import { statisticsExample } from './example.ts';
import { type FilterQuery, predictionsFrom, readFilter, readSpan } from './filter.ts';
import { type BucketRow, countPredictions, selectStatistics, versionsMax } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const bucketNames = ['hour', 'day', 'all'] as const;
export type BucketName = (typeof bucketNames)[number];

/** Most days that are looked at by each size of bucket, and how many are by default. */
export const spansOf: Readonly<Record<BucketName, { readonly daysMax: number; readonly days: number }>> = {
  hour: { daysMax: 31, days: 1 },
  day: { daysMax: 366, days: 30 },
  all: { daysMax: 366, days: 30 },
};
/** Most predictions of the workspace, of whichever model, that are looked at for one answer. */
export const countedMax = 1_000_000;

const counted = Type.Integer({ description: 'How many predictions.' });

export const statisticsSchema = answerOf('PredictionStatistics', statisticsExample, {
  bucket: Type.String({ enum: [...bucketNames] }),
  time_zone: Type.String(),
  from: Type.String(),
  to: Type.String(),
  data: Type.Array(
    objectOf('PredictionBucket', {
      start: Type.String(),
      end: Type.String({ description: 'Not included.' }),
      predictions: counted,
      latency_ms: nullable(
        objectOf(
          'PredictionLatency',
          { p50: Type.Number(), p95: Type.Number(), p99: Type.Number() },
          { description: 'Quantiles of latency_ms of the predictions that have one; null where none has.' },
        ),
      ),
      versions: Type.Array(
        objectOf('PredictionsOfVersion', {
          model_id: nullable(Type.String()),
          version_id: nullable(
            Type.String({
              description: `Null for all others together, where more than ${versionsMax} versions answered.`,
            }),
          ),
          predictions: counted,
        }),
        { description: 'Those that answered most lead.' },
      ),
      bands: Type.Array(
        objectOf('PredictionsOfBand', {
          band: nullable(Type.String({ description: 'Null for answers without a risk_band.' })),
          predictions: counted,
        }),
      ),
      tenths: Type.Array(
        objectOf('PredictionsOfTenth', {
          tenth: nullable(
            Type.Integer({
              minimum: 1,
              maximum: 10,
              description:
                'In which tenth of its range the first output with a range lies: of a score from 0 to 1000, 1 is 0 to 99, and 10 is 900 to 1000. Null for answers without such an output.',
            }),
          ),
          predictions: counted,
        }),
      ),
      channels: Type.Array(
        objectOf('PredictionsOfChannel', { channel: nullable(Type.String()), predictions: counted }),
      ),
    }),
    { description: 'In order of time; also those in which nothing was answered.' },
  ),
});

export type StatisticsQuery = FilterQuery & { readonly bucket?: BucketName };

/**
 * Counts predictions by hours or days of the workspace's clocks. Throws Failure 'invalid_parameter' for a span that is
 * too long, 'limit_exceeded' where more predictions lie in it than are looked at.
 */
export async function predictionStatistics(
  app: { readonly db: Database },
  ctx: Context,
  { bucket = 'day', ...asked }: StatisticsQuery,
) {
  const { from, to } = spanOf(bucket, asked, Date.now());
  const starts = bucket === 'all' ? [from] : bucketsOf(ctx.timeZone, bucket, from, to);
  const bounds = [...starts, to];
  const found = await tenant(app.db, ctx, async (tx) => {
    const filter = await readFilter(tx, asked);
    const ids = bounds.map(predictionsFrom);
    const { count } = await countPredictions(tx, { from: ids[0], until: ids.at(-1) }, countedMax + 1);
    if (count > countedMax)
      throw refuse(
        'limit_exceeded',
        `more than ${countedMax} predictions lie between from and to: ask for a shorter time`,
      );
    return selectStatistics(tx, filter, ids);
  });
  const buckets = Map.groupBy(found, ({ place }) => place);
  return {
    bucket,
    time_zone: ctx.timeZone,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    data: starts.map((start, place) => ({
      start: new Date(start).toISOString(),
      end: new Date(bounds[place + 1]).toISOString(),
      ...presentBucket(buckets.get(place + 1) ?? []),
    })),
  };
}

function spanOf(bucket: BucketName, asked: FilterQuery, now: number): { from: number; to: number } {
  const { daysMax, days } = spansOf[bucket];
  const { from, to = Math.max(now, (from ?? now) + 1) } = readSpan(asked);
  const begin = from ?? to - days * dayMs;
  if (to - begin > daysMax * dayMs) {
    const message = `must be within ${daysMax} days of to, by ${bucket === 'all' ? 'all together' : bucket}`;
    throw refuse('invalid_parameter', `from ${message}`, { problems: [{ at: '/query/from', message }] });
  }
  return { from: begin, to };
}

function presentBucket(rows: readonly BucketRow[]) {
  const of = (kind: BucketRow['kind']) => rows.filter((row) => row.kind === kind);
  const [whole] = of('all');
  const total = whole?.predictions ?? 0;
  const versions = of('version').map(({ model_id, version_id, predictions }) => ({
    model_id,
    version_id,
    predictions,
  }));
  const others = total - versions.reduce((sum, { predictions }) => sum + predictions, 0);
  const [p50, p95, p99] = whole?.latency ?? [];
  return {
    predictions: total,
    latency_ms: p50 === undefined ? null : { p50, p95, p99 },
    versions: others > 0 ? [...versions, { model_id: null, version_id: null, predictions: others }] : versions,
    bands: of('band').map(({ band, predictions }) => ({ band, predictions })),
    tenths: of('tenth').map(({ tenth, predictions }) => ({ tenth, predictions })),
    channels: of('channel').map(({ channel, predictions }) => ({ channel, predictions })),
  };
}
