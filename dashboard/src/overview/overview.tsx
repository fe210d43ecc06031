import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { Answered } from './answered.tsx';
import { Lately } from './lately.tsx';
import { Models } from './models.tsx';
import { Invoices, Trail, UsageOfMonth } from './operations.tsx';
import { Quickstart } from './quickstart.tsx';
import { Running } from './running.tsx';
import { Setup } from './setup.tsx';
import { StaleData } from './stale-data.tsx';
import { overviewWords } from './words.ts';

/** What changed, what runs and what happened: of that, what the reader may see. Nothing else is asked for. */
export function Overview() {
  const { overview: title } = useWords(pageNames);
  const w = useWords(overviewWords);
  const { workspace, organization, has, can, canInOrganization } = useSession();
  // Reading the trail leaves an entry in it: only for whom it is the first thing to look at.
  const isAuditing = workspace !== null && can('view_activity_logs') && !has('invoke_predictions');
  const [progress, setProgress] = useState<number | null>(null);
  const place = workspace && <bdi>{organization ? w.place(workspace.name, organization.name) : workspace.name}</bdi>;
  return (
    <Page title={title} description={place} progress={progress}>
      {!workspace && !canInOrganization('view_invoices') && <Empty title={w.noWorkspace} />}
      {workspace && (
        <>
          <Setup />
          {can('view_models') && <StaleData />}
          {can('view_models') && <Quickstart />}
          {has('invoke_predictions') && <Answered />}
        </>
      )}
      <div className="grid items-start gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          {workspace && (can('view_models') || can('view_batches')) && <Running onProgress={setProgress} />}
          {workspace && can('view_usage') && <UsageOfMonth />}
          {organization && canInOrganization('view_invoices') && <Invoices />}
          {isAuditing && <Trail />}
        </div>
        <div className="min-w-0">
          {workspace && can('view_models') && <Models />}
          {workspace && <Lately />}
        </div>
      </div>
    </Page>
  );
}
