import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { Addresses } from './addresses.tsx';
import { FactorPolicy } from './policy.tsx';
import { securityTabs } from './search.ts';
import { SingleSignOn } from './single-sign-on.tsx';
import { securityWords } from './words.ts';

const route = getRouteApi('/_app/security');

const paths = {
  sso: '/v1/api/organization/sso-connections',
  addresses: '/v1/api/ip-rules',
  policy: '/v1/api/organization',
};

/** How people prove who they are, and from where they come in. */
export function Security() {
  const w = useWords(securityWords);
  const { security: title } = useWords(pageNames);
  const { canInOrganization } = useSession();
  const navigate = useNavigate({ from: '/security' });
  const isAble = canInOrganization('manage_members');
  const { tab = isAble ? 'sso' : 'addresses' } = route.useSearch();
  return (
    <Page
      title={title}
      description={w.description}
      actions={<CodeButton request={{ method: 'GET', path: paths[tab] }} />}
    >
      <Tabs
        label={title}
        tabs={securityTabs.map((value) => ({ value, label: w[value] }))}
        value={tab}
        onValue={(value) => navigate({ search: { tab: value } })}
      >
        {tab === 'addresses' ? (
          <Addresses />
        ) : !isAble ? (
          <Empty title={w[tab]}>{w.onlyOrganization}</Empty>
        ) : tab === 'sso' ? (
          <SingleSignOn />
        ) : (
          <FactorPolicy />
        )}
      </Tabs>
    </Page>
  );
}
