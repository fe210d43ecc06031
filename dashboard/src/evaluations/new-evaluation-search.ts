import { isMapping, type Mapping } from '../batches/mapping.ts';
import { isDay } from '../kit/day.ts';

export type NewEvaluationSearch = {
  readonly model?: string;
  readonly version?: string;
  /** The version that it is compared with. */
  readonly against?: string;
  /** What an evaluation that is repeated was asked with: its file, columns, segments and day. */
  readonly file?: string;
  readonly columns?: Mapping;
  readonly segments?: string;
  readonly day?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readNewEvaluationSearch = ({
  model,
  version,
  against,
  file,
  columns,
  segments,
  day,
}: Readonly<Record<string, unknown>>): NewEvaluationSearch => ({
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof version === 'string' ? { version } : {}),
  ...(typeof against === 'string' ? { against } : {}),
  ...(typeof file === 'string' ? { file } : {}),
  ...(isMapping(columns) ? { columns } : {}),
  ...(typeof segments === 'string' ? { segments } : {}),
  ...(isDay(day) ? { day } : {}),
});
