import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export type RunsSearch = {
  /** The id of the task of which a run is being started. Empty: one is to be chosen. */
  readonly start?: string;
};

export const Route = createFileRoute('/_app/training-runs/')({
  validateSearch: ({ start }): RunsSearch => (typeof start === 'string' ? { start } : {}),
  component: TrainingRuns,
});

function TrainingRuns() {
  return <Page title="TrainingRuns">{null}</Page>;
}
