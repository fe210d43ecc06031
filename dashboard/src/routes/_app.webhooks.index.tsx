import { createFileRoute } from '@tanstack/react-router';
import { Webhooks } from '../webhooks/webhooks.tsx';

export type WebhooksSearch = {
  /** The form of a new one is open. */
  readonly create?: boolean;
};

export const Route = createFileRoute('/_app/webhooks/')({
  validateSearch: ({ create }): WebhooksSearch => (create === true ? { create } : {}),
  component: Webhooks,
});
