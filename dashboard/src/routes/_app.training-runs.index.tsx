import { createFileRoute } from '@tanstack/react-router';
import { TrainingRuns } from '../training-runs/runs.tsx';
import { readRunsSearch } from '../training-runs/search.ts';

export const Route = createFileRoute('/_app/training-runs/')({
  validateSearch: readRunsSearch,
  component: TrainingRuns,
});
