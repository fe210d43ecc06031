import type { Meter } from './meter.ts';

/** What a quota of a month may be of: meters, by which its use is counted. */
const monthly = ['predictions', 'batch_rows', 'embeddings', 'training_runs'] as const satisfies readonly Meter[];

/** What a quota of now may be of, in words: what there is at once, which is counted when more is asked for. */
export const quotaWords = {
  open_batches: 'batches queued or running',
  open_ingestions: 'ingestions queued or running',
  open_training_runs: 'training runs queued or running',
  open_evaluations: 'evaluations queued or running',
  stored_megabytes: 'megabytes of files and results',
} as const;
export type StandingResource = keyof typeof quotaWords;
// The cast holds: the keys are those of the literal.
const standing = Object.keys(quotaWords) as StandingResource[];

/** What a quota may be of. */
export const quotaResources = [...monthly, ...standing, 'predictions_per_second'] as const;
export type QuotaResource = (typeof quotaResources)[number];

export function isStanding(resource: QuotaResource): resource is StandingResource {
  return resource in quotaWords;
}

/** Over what a quota counts. */
export const quotaPeriods = ['month', 'now', 'second'] as const;

export function periodOf(resource: QuotaResource): (typeof quotaPeriods)[number] {
  if (resource === 'predictions_per_second') return 'second';
  return isStanding(resource) ? 'now' : 'month';
}

export const quotaMax = 1_000_000_000_000;
