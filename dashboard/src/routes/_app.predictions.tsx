import { createFileRoute } from '@tanstack/react-router';
import { bandByName } from '../kit/bands.tsx';
import { isDay } from '../kit/day.ts';
import { Predictions } from '../predictions/predictions.tsx';

export type PredictionsSearch = {
  readonly model?: string;
  readonly band?: string;
  readonly channel?: 'api' | 'dashboard';
  readonly from?: string;
  readonly to?: string;
  readonly live?: boolean;
  /** The prediction that is open beside the list. */
  readonly open?: string;
};

export const Route = createFileRoute('/_app/predictions')({
  validateSearch: ({ model, band, channel, from, to, live, open }): PredictionsSearch => ({
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof band === 'string' && bandByName(band) ? { band } : {}),
    ...(channel === 'api' || channel === 'dashboard' ? { channel } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(live === true ? { live } : {}),
    ...(typeof open === 'string' ? { open } : {}),
  }),
  component: Predictions,
});
