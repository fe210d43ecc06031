import { createFileRoute } from '@tanstack/react-router';
import { SendData } from '../data/send-data.tsx';

export type SendSearch = {
  readonly tab?: 'contract';
  /** The contract whose text is the start of a new one. */
  readonly base?: string;
  /** The refused ingestion whose files are sent corrected. */
  readonly after?: string;
};

export const Route = createFileRoute('/_app/data/send')({
  validateSearch: ({ tab, base, after }): SendSearch => ({
    ...(tab === 'contract' ? { tab } : {}),
    ...(typeof base === 'string' ? { base } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  }),
  component: SendData,
});
