import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/models/$model_id/compare')({ component: CompareVersions });

function CompareVersions() {
  return <Page title="CompareVersions">{null}</Page>;
}
