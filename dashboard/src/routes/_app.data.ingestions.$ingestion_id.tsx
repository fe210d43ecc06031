import { createFileRoute } from '@tanstack/react-router';
import { IngestionPage } from '../data/ingestion-page.tsx';

export const Route = createFileRoute('/_app/data/ingestions/$ingestion_id')({ component: IngestionPage });
