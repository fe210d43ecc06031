import { createFileRoute } from '@tanstack/react-router';
import { BatchPage } from '../batches/batch-page.tsx';

export const Route = createFileRoute('/_app/batches/$batch_id')({ component: BatchPage });
