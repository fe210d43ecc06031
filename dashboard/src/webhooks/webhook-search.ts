import { isOneOf } from '../kit/one-of.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery-status.ts';

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

/** Reads the query of the page's address; what it does not know is left out. */
export const readWebhookSearch = ({
  tab,
  status,
  event,
  live,
  open,
}: Readonly<Record<string, unknown>>): WebhookSearch => ({
  ...(isOneOf(webhookTabs, tab) ? { tab } : {}),
  ...(isOneOf(deliveryStatuses, status) ? { status } : {}),
  ...(typeof event === 'string' ? { event } : {}),
  ...(live === true ? { live } : {}),
  ...(typeof open === 'string' ? { open } : {}),
});
