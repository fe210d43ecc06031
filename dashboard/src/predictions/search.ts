import { bandByName } from '../kit/bands.tsx';
import { isDay } from '../kit/day.ts';

export type PredictionsSearch = {
  readonly model?: string;
  readonly band?: string;
  readonly channel?: 'api' | 'dashboard';
  /** Those that were answered from data with rows of this file. */
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
  readonly live?: boolean;
  /** The prediction that is open beside the list. */
  readonly open?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readPredictionsSearch = ({
  model,
  band,
  channel,
  file,
  from,
  to,
  live,
  open,
}: Readonly<Record<string, unknown>>): PredictionsSearch => ({
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof band === 'string' && bandByName(band) ? { band } : {}),
  ...(channel === 'api' || channel === 'dashboard' ? { channel } : {}),
  ...(typeof file === 'string' ? { file } : {}),
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {}),
  ...(live === true ? { live } : {}),
  ...(typeof open === 'string' ? { open } : {}),
});
