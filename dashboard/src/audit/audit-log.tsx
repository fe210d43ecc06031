import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { Split } from '../kit/drawer.tsx';
import { Segmented } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { Entries } from './entries.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { Exports } from './exports.tsx';
import type { AuditSearch } from './search.ts';
import { auditWords } from './words.ts';

const route = getRouteApi('/_app/audit');

export function AuditLog() {
  const w = useWords(auditWords);
  const { audit: title } = useWords(pageNames);
  const { canInOrganization } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/audit' });
  const isOfOrganization = search.scope === 'organization' && canInOrganization('view_activity_logs');
  const { tab = 'entries', open } = search;
  const set = (change: Partial<AuditSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Split
      drawer={
        open && (
          <EntryDrawer
            key={open}
            id={open}
            isOfOrganization={isOfOrganization}
            onClose={() => set({ open: undefined })}
            onFilter={set}
          />
        )
      }
    >
      <Page
        isWide
        title={title}
        description={w.description}
        actions={
          canInOrganization('view_activity_logs') && (
            <Segmented
              label={w.scope}
              options={[
                { value: 'workspace', label: w.workspace },
                { value: 'organization', label: w.organization },
              ]}
              value={isOfOrganization ? 'organization' : 'workspace'}
              onValue={(scope) =>
                set({ scope: scope === 'organization' ? scope : undefined, open: undefined, target_id: undefined })
              }
            />
          )
        }
      >
        <Tabs
          label={title}
          tabs={[
            { value: 'entries', label: w.entries },
            { value: 'exports', label: w.exports },
          ]}
          value={tab}
          onValue={(value) => set({ tab: value === 'exports' ? value : undefined, open: undefined })}
        >
          {tab === 'entries' ? (
            <Entries search={search} isOfOrganization={isOfOrganization} onSearch={set} />
          ) : (
            <Exports key={String(isOfOrganization)} isOfOrganization={isOfOrganization} />
          )}
        </Tabs>
      </Page>
    </Split>
  );
}
