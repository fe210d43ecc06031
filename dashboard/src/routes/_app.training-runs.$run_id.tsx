import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/training-runs/$run_id')({ component: TrainingRunPage });

function TrainingRunPage() {
  return <Page title="TrainingRunPage">{null}</Page>;
}
