/**
 * What is metered, and in which unit. What is not priced is counted for quotas alone; what has no quota is never
 * refused.
 */
export const meters = {
  predictions: { unit: 'answers', isPriced: true, hasQuota: true },
  batch_rows: { unit: 'scored rows', isPriced: true, hasQuota: true },
  embeddings: { unit: 'vectors', isPriced: true, hasQuota: true },
  storage_megabyte_days: { unit: 'megabytes stored for a day', isPriced: true, hasQuota: false },
  training_minutes: { unit: 'begun minutes of training runs that succeeded', isPriced: true, hasQuota: false },
  training_runs: { unit: 'training runs', isPriced: false, hasQuota: true },
} as const satisfies Readonly<Record<string, { unit: string; isPriced: boolean; hasQuota: boolean }>>;
export type Meter = keyof typeof meters;

export const meterNames = Object.keys(meters) as Meter[];
export const pricedMeters: readonly Meter[] = meterNames.filter((name) => meters[name].isPriced);
