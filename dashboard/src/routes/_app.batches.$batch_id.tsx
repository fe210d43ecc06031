import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/batches/$batch_id')({ component: BatchPage });

function BatchPage() {
  return <Page title="BatchPage">{null}</Page>;
}
