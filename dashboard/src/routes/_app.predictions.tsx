import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/predictions')({ component: Predictions });

function Predictions() {
  return <Page title="Predictions">{null}</Page>;
}
