export const inboxTabs = ['unread', 'all', 'archived', 'preferences'] as const;
export type InboxTab = (typeof inboxTabs)[number];

export type InboxSearch = {
  readonly tab?: InboxTab;
  /** The notification that is open beside the list. */
  readonly open?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readInboxSearch = ({ tab, open }: Readonly<Record<string, unknown>>): InboxSearch => ({
  ...(inboxTabs.some((one) => one === tab) ? { tab: tab as InboxTab } : {}),
  ...(typeof open === 'string' ? { open } : {}),
});
