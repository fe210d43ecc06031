import type { Schemas } from '@lastro/sdk';

export type Weeks = {
  readonly now: number;
  readonly before: number;
  /** The share of high and very high risk among what has a band; null where nothing has. */
  readonly badNow: number | null;
  readonly badBefore: number | null;
};

type Bucket = Pick<Schemas['PredictionBucket'], 'predictions' | 'bands'>;

/** The last seven days beside the seven before: of buckets of a day each, in order of time. */
export function compareWeeks(days: readonly Bucket[]): Weeks {
  const [week, weekBefore] = [days.slice(-7), days.slice(-14, -7)];
  const count = (some: readonly Bucket[]) => some.reduce((sum, { predictions }) => sum + predictions, 0);
  return {
    ...{ now: count(week), before: count(weekBefore) },
    ...{ badNow: badShare(week), badBefore: badShare(weekBefore) },
  };
}

function badShare(days: readonly Bucket[]): number | null {
  const counted = days.flatMap(({ bands }) => bands.filter(({ band }) => band !== null));
  const sum = (some: typeof counted) => some.reduce((total, { predictions }) => total + predictions, 0);
  const all = sum(counted);
  return all === 0 ? null : sum(counted.filter(({ band }) => band === 'High Risk' || band === 'Very High Risk')) / all;
}
