import { createFileRoute } from '@tanstack/react-router';
import { isDay } from '../kit/day.ts';
import { type Grouping, groupings, type Meter, meters } from '../usage/meter.ts';
import { UsagePage } from '../usage/usage-page.tsx';

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

export const Route = createFileRoute('/_app/usage')({
  validateSearch: ({ tab, scope, from, to, by, meter, model, actor_id: actor }): UsageSearch => ({
    ...(tab === 'sums' || tab === 'records' ? { tab } : {}),
    ...(scope === 'organization' ? { scope } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(groupings.some((one) => one === by) ? { by: by as Grouping } : {}),
    ...(meters.some((one) => one === meter) ? { meter: meter as Meter } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof actor === 'string' ? { actor_id: actor } : {}),
  }),
  component: UsagePage,
});
