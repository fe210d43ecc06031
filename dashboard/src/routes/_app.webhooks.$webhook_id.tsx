import { createFileRoute } from '@tanstack/react-router';
import { WebhookPage } from '../webhooks/webhook-page.tsx';
import { readWebhookSearch } from '../webhooks/webhook-search.ts';

export const Route = createFileRoute('/_app/webhooks/$webhook_id')({
  validateSearch: readWebhookSearch,
  component: WebhookPage,
});
