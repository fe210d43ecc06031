import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/evaluations/')({ component: Evaluations });

function Evaluations() {
  return <Page title="Evaluations">{null}</Page>;
}
