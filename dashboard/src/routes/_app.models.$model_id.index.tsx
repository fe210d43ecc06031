import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/models/$model_id/')({ component: ModelPage });

function ModelPage() {
  return <Page title="ModelPage">{null}</Page>;
}
