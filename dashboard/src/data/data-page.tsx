import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { CodeButton } from '../kit/code.tsx';
import { Page } from '../kit/page.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { ContractList } from './contract-list.tsx';
import { IngestionList } from './ingestion-list.tsx';
import { SendLink } from './send-link.tsx';
import { TableList } from './table-list.tsx';
import { dataWords } from './words.ts';

const route = getRouteApi('/_app/data/');
const paths = {
  tables: { path: '/v1/api/ingestions?limit=1', typescript: 'lastro.ingestions.list({ limit: 1 })' },
  contracts: { path: '/v1/api/contracts', typescript: 'lastro.contracts.list()' },
  ingestions: { path: '/v1/api/ingestions', typescript: 'lastro.ingestions.list()' },
};

export function DataPage() {
  const w = useWords(dataWords);
  const { data: title } = useWords(pageNames);
  const { tab = 'tables' } = route.useSearch();
  const navigate = useNavigate({ from: '/data/' });
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton request={{ method: 'GET', ...paths[tab] }} />
          <SendLink />
        </>
      }
    >
      <Tabs
        label={w.views}
        tabs={(['tables', 'contracts', 'ingestions'] as const).map((value) => ({ value, label: w.tabs[value] }))}
        value={tab}
        onValue={(next) => navigate({ search: (before) => ({ ...before, tab: next }) })}
      >
        {tab === 'tables' ? <TableList /> : tab === 'contracts' ? <ContractList /> : <IngestionList />}
      </Tabs>
    </Page>
  );
}
