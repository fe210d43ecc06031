import { createFileRoute } from '@tanstack/react-router';
import { NewBatch } from '../batches/new-batch.tsx';
import { readNewBatchSearch } from '../batches/new-batch-search.ts';

export const Route = createFileRoute('/_app/batches/new')({
  validateSearch: readNewBatchSearch,
  component: NewBatch,
});
