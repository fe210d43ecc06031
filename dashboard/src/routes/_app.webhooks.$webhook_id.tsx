import { createFileRoute } from '@tanstack/react-router';
import { isOneOf } from '../kit/one-of.ts';
import { type DeliveryStatus, deliveryStatuses } from '../webhooks/webhook.ts';
import { WebhookPage } from '../webhooks/webhook-page.tsx';

export const webhookTabs = ['deliveries', 'settings', 'secrets', 'recover', 'verify'] as const;
export type WebhookTab = (typeof webhookTabs)[number];

export type WebhookSearch = {
  readonly tab?: WebhookTab;
  readonly status?: DeliveryStatus;
  readonly event?: string;
  readonly live?: boolean;
  /** The delivery that is open beside the list. */
  readonly open?: string;
};

export const Route = createFileRoute('/_app/webhooks/$webhook_id')({
  validateSearch: ({ tab, status, event, live, open }): WebhookSearch => ({
    ...(isOneOf(webhookTabs, tab) ? { tab } : {}),
    ...(isOneOf(deliveryStatuses, status) ? { status } : {}),
    ...(typeof event === 'string' ? { event } : {}),
    ...(live === true ? { live } : {}),
    ...(typeof open === 'string' ? { open } : {}),
  }),
  component: WebhookPage,
});
