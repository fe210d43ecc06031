export const deliveryStatuses = ['queued', 'running', 'succeeded', 'failed', 'skipped', 'canceled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
