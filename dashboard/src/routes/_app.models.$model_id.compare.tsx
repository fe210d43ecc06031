import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

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
  component: CompareVersions,
});

function CompareVersions() {
  return <Page title="CompareVersions">{null}</Page>;
}
