/** What is metered, and in which unit. What is not priced is counted for quotas alone. */
export const meters = {
  predictions: { unit: 'answers', isPriced: true },
  batch_rows: { unit: 'scored rows', isPriced: true },
  embeddings: { unit: 'vectors', isPriced: true },
  storage_megabyte_days: { unit: 'megabytes stored for a day', isPriced: true },
  training_minutes: { unit: 'begun minutes of training runs that succeeded', isPriced: true },
  training_runs: { unit: 'training runs', isPriced: false },
} as const satisfies Readonly<Record<string, { unit: string; isPriced: boolean }>>;
export type Meter = keyof typeof meters;

export const meterNames = Object.keys(meters) as Meter[];
export const pricedMeters: readonly Meter[] = meterNames.filter((name) => meters[name].isPriced);
