import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { clockIn } from '../kit/day.ts';
import { DaysBetween } from '../kit/days-between.tsx';
import { Segmented } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { pageNames } from '../shell/pages.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { monthOf } from './meter.ts';
import { Quotas } from './quotas.tsx';
import { Records } from './records.tsx';
import type { UsageSearch } from './search.ts';
import { Sums } from './sums.tsx';
import { usageWords } from './words.ts';

const route = getRouteApi('/_app/usage');

/** What was used: sums for those who may see them, and the log behind them for those who may see that. */
export function UsagePage() {
  const w = useWords(usageWords);
  const { usage: title } = useWords(pageNames);
  const { can, canInOrganization } = useSession();
  const timeZone = useTimeZone();
  // Of the workspace, as the days are that are counted.
  const [today] = useState(() => new Date(clockIn(timeZone, Date.now())));
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/usage' });
  const tabs = [
    can('view_usage') && ({ value: 'sums', label: w.sums } as const),
    can('view_usage_logs') && ({ value: 'records', label: w.records } as const),
  ].filter((tab) => tab !== false);
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? tabs[0].value;
  const maySeeAll = canInOrganization(tab === 'sums' ? 'view_usage' : 'view_usage_logs');
  const isOfOrganization = search.scope === 'organization' && maySeeAll;
  const span = {
    ...monthOf(today),
    ...(search.from ? { from: search.from } : {}),
    ...(search.to ? { to: search.to } : {}),
  };
  const set = (change: Partial<UsageSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        maySeeAll && (
          <Segmented
            label={w.scope}
            options={[
              { value: 'workspace', label: w.workspace },
              { value: 'organization', label: w.organization },
            ]}
            value={isOfOrganization ? 'organization' : 'workspace'}
            onValue={(scope) => set({ scope: scope === 'organization' ? scope : undefined })}
          />
        )
      }
    >
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <DaysBetween from={span.from} to={span.to} onChange={set} />
        <Button kind="quiet" onClick={() => set({ from: undefined, to: undefined })}>
          {w.thisMonth}
        </Button>
        <Button kind="quiet" onClick={() => set(monthOf(today, 1))}>
          {w.lastMonth}
        </Button>
      </div>
      <Tabs label={title} tabs={tabs} value={tab} onValue={(value) => set({ tab: value })}>
        {tab === 'sums' ? (
          <>
            <Sums search={search} span={span} today={today} isOfOrganization={isOfOrganization} onSearch={set} />
            {!isOfOrganization && <Quotas />}
          </>
        ) : (
          <Records search={search} span={span} isOfOrganization={isOfOrganization} onSearch={set} />
        )}
      </Tabs>
    </Page>
  );
}
