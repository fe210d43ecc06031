import { isDay } from '../kit/day.ts';
import { type Grouping, groupings, type Meter, meters } from './meter.ts';

export type UsageSearch = {
  readonly tab?: 'sums' | 'records';
  readonly scope?: 'organization';
  readonly from?: string;
  readonly to?: string;
  readonly by?: Grouping;
  readonly meter?: Meter;
  readonly model?: string;
  readonly actor_id?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readUsageSearch = ({
  tab,
  scope,
  from,
  to,
  by,
  meter,
  model,
  actor_id: actor,
}: Readonly<Record<string, unknown>>): UsageSearch => ({
  ...(tab === 'sums' || tab === 'records' ? { tab } : {}),
  ...(scope === 'organization' ? { scope } : {}),
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {}),
  ...(groupings.some((one) => one === by) ? { by: by as Grouping } : {}),
  ...(meters.some((one) => one === meter) ? { meter: meter as Meter } : {}),
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof actor === 'string' ? { actor_id: actor } : {}),
});
