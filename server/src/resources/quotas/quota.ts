/** What a quota may be of. */
export const quotaResources = ['batch_rows', 'embeddings', 'predictions', 'training_runs'] as const;
export type QuotaResource = (typeof quotaResources)[number];

export const quotaMax = 1_000_000_000_000;
