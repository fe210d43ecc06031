import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useInboxCounts } from '../shell/inbox-counts.ts';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { NotificationList } from './notification-list.tsx';
import { Preferences } from './preferences.tsx';
import { type InboxSearch, inboxTabs } from './search.ts';
import { useNews } from './use-news.ts';
import { inboxWords } from './words.ts';

const route = getRouteApi('/_app/inbox');

export function Inbox() {
  const w = useWords(inboxWords);
  const { inbox: title } = useWords(pageNames);
  const { tab = 'unread', open } = route.useSearch();
  const navigate = useNavigate({ from: '/inbox' });
  const counts = useInboxCounts();
  useNews();
  const set = (change: Partial<InboxSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Page title={title} description={w.description}>
      <Tabs
        label={title}
        tabs={inboxTabs.map((value) => ({
          value,
          label: w[value],
          count: value === 'unread' && counts?.unread.count ? counts.unread.count : null,
        }))}
        value={tab}
        onValue={(value) => set({ tab: value === 'unread' ? undefined : value, open: undefined })}
      >
        {tab === 'preferences' ? (
          <Preferences />
        ) : (
          <NotificationList key={tab} show={tab} open={open} onOpen={(id) => set({ open: id })} />
        )}
      </Tabs>
    </Page>
  );
}
