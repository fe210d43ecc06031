import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/data/')({ component: DataPage });

function DataPage() {
  return <Page title="DataPage">{null}</Page>;
}
