import { createFileRoute } from '@tanstack/react-router';
import { SendData } from '../data/send-data.tsx';

export type SendSearch = {
  readonly tab?: 'contract';
  /** The contract whose text is the start of a new one. */
  readonly base?: string;
};

export const Route = createFileRoute('/_app/data/send')({
  validateSearch: ({ tab, base }): SendSearch => ({
    ...(tab === 'contract' ? { tab } : {}),
    ...(typeof base === 'string' ? { base } : {}),
  }),
  component: SendData,
});
