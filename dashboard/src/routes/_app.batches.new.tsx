import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/batches/new')({ component: NewBatch });

function NewBatch() {
  return <Page title="NewBatch">{null}</Page>;
}
