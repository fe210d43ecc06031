import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/webhooks/$webhook_id')({ component: WebhookPage });

function WebhookPage() {
  return <Page title="WebhookPage">{null}</Page>;
}
