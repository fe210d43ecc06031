import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/models/$model_id/versions/$version_id')({ component: VersionPage });

function VersionPage() {
  return <Page title="VersionPage">{null}</Page>;
}
