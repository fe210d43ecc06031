import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/data/ingestions/$ingestion_id')({ component: IngestionPage });

function IngestionPage() {
  return <Page title="IngestionPage">{null}</Page>;
}
