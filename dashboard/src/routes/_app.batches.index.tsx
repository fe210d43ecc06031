import { createFileRoute } from '@tanstack/react-router';
import { Batches } from '../batches/batches.tsx';

const statuses = ['queued', 'running', 'succeeded', 'failed'] as const;

export type BatchesSearch = { readonly status?: (typeof statuses)[number] };

export const Route = createFileRoute('/_app/batches/')({
  validateSearch: (search): BatchesSearch => {
    const status = statuses.find((one) => one === search.status);
    return status ? { status } : {};
  },
  component: Batches,
});
