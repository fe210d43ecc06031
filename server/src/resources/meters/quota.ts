import { type Meter, meterNames, meters } from './meter.ts';

type Limited = { [M in Meter]: (typeof meters)[M]['hasQuota'] extends true ? M : never };

/** What a quota may be of. */
export type QuotaResource = Limited[Meter];
export const quotaResources = meterNames.filter((name): name is QuotaResource => meters[name].hasQuota);

export const quotaMax = 1_000_000_000_000;
