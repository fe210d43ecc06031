import { createFileRoute } from '@tanstack/react-router';
import { NewBatch } from '../batches/new-batch.tsx';

export type NewBatchSearch = {
  readonly model?: string;
  /** An alias or the id of a version. */
  readonly target?: string;
};

export const Route = createFileRoute('/_app/batches/new')({
  validateSearch: ({ model, target }): NewBatchSearch => ({
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof target === 'string' ? { target } : {}),
  }),
  component: NewBatch,
});
