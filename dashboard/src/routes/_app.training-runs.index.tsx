import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/training-runs/')({ component: TrainingRuns });

function TrainingRuns() {
  return <Page title="TrainingRuns">{null}</Page>;
}
