import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/batches/')({ component: Batches });

function Batches() {
  return <Page title="Batches">{null}</Page>;
}
