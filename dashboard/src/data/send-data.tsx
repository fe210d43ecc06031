import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { NoPermission } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { pageNames } from '../shell/pages.ts';
import { useUploads } from '../uploads/use-uploads.ts';
import { useWords } from '../words/words.ts';
import { SendFiles } from './send-files.tsx';
import { sendWords } from './send-words.ts';
import { WriteContract } from './write-contract.tsx';

const route = getRouteApi('/_app/data/send');

export function SendData() {
  const { can } = useSession();
  return can('upload_files') ? <Form /> : <NoPermission permission="upload_files" />;
}

function Form() {
  const w = useWords(sendWords);
  const { data: list } = useWords(pageNames);
  const { tab = 'files', base, after } = route.useSearch();
  const navigate = useNavigate({ from: '/data/send' });
  // Held here, so that files go on while the contract is looked at. What is typed into that stays as well.
  const uploads = useUploads();
  return (
    <Page
      title={w.sendTitle}
      back={{ label: list, to: '/data' }}
      description={tab === 'files' ? w.sendBody : w.writeBody}
      progress={uploads.isBusy ? uploads.share : null}
    >
      <Tabs
        label={w.sendTitle}
        tabs={[
          { value: 'files', label: w.tabsOfSend.files },
          { value: 'contract', label: w.tabsOfSend.contract },
        ]}
        value={tab}
        onValue={(next) =>
          navigate({ search: (before) => ({ ...before, tab: next === 'contract' ? next : undefined }), replace: true })
        }
      >
        <div hidden={tab !== 'files'}>
          <SendFiles uploads={uploads} after={after} />
        </div>
        <div hidden={tab !== 'contract'}>
          <WriteContract key={base} base={base} />
        </div>
      </Tabs>
    </Page>
  );
}
