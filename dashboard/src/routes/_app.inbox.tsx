import { createFileRoute } from '@tanstack/react-router';
import { Inbox } from '../inbox/inbox.tsx';

export const inboxTabs = ['unread', 'all', 'archived', 'preferences'] as const;
export type InboxTab = (typeof inboxTabs)[number];

export type InboxSearch = {
  readonly tab?: InboxTab;
  /** The notification that is open beside the list. */
  readonly open?: string;
};

export const Route = createFileRoute('/_app/inbox')({
  validateSearch: ({ tab, open }): InboxSearch => ({
    ...(inboxTabs.some((one) => one === tab) ? { tab: tab as InboxTab } : {}),
    ...(typeof open === 'string' ? { open } : {}),
  }),
  component: Inbox,
});
