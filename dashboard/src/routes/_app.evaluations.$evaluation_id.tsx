import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/evaluations/$evaluation_id')({ component: EvaluationPage });

function EvaluationPage() {
  return <Page title="EvaluationPage">{null}</Page>;
}
