import { createFileRoute } from '@tanstack/react-router';
import { ComparePage } from '../models/compare-page.tsx';

export type CompareSearch = {
  /** Ids of versions. */
  readonly base?: string;
  readonly candidate?: string;
  readonly output?: string;
};

export const Route = createFileRoute('/_app/models/$model_id/compare')({
  validateSearch: ({ base, candidate, output }): CompareSearch => ({
    ...(typeof base === 'string' ? { base } : {}),
    ...(typeof candidate === 'string' ? { candidate } : {}),
    ...(typeof output === 'string' ? { output } : {}),
  }),
  component: ComparePage,
});
