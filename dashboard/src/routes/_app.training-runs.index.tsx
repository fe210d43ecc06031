import { createFileRoute } from '@tanstack/react-router';
import { TrainingRuns } from '../training-runs/runs.tsx';

export type RunsSearch = {
  /** The id of the task of which a run is being started. Empty: one is to be chosen. */
  readonly start?: string;
  readonly state?: 'open' | 'ended';
};

export const Route = createFileRoute('/_app/training-runs/')({
  validateSearch: ({ start, state }): RunsSearch => ({
    ...(typeof start === 'string' ? { start } : {}),
    ...(state === 'open' || state === 'ended' ? { state } : {}),
  }),
  component: TrainingRuns,
});
