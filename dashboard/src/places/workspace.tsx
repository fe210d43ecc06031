import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { useRefreshUser } from '../api/use-refresh-user.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton, useBlock } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { PlaceFields, type PlaceValues } from './place-fields.tsx';
import { placeWords } from './words.ts';

type Of = { readonly workspace: Schemas['Workspace'] };

/** The workspace in which the page acts: its settings, and the archive. */
export function Workspace() {
  const w = useWords(placeWords);
  const c = useWords(common);
  const { workspace: title } = useWords(pageNames);
  const client = useClient();
  const workspace = useData(['workspace'], (signal) => client.workspace.get({ signal }));
  return (
    <Page
      title={title}
      description={w.workspaceDescription}
      actions={
        <CodeButton request={{ method: 'GET', path: '/v1/api/workspace', typescript: 'lastro.workspace.get()' }} />
      }
    >
      {workspace.isError ? (
        <Failed error={workspace.error} onRetry={() => workspace.refetch()} />
      ) : !workspace.data ? (
        <Skeleton />
      ) : (
        <>
          <Settings key={workspace.data.id} workspace={workspace.data} />
          <Section title={w.facts}>
            <Panel className="p-4">
              <Facts
                of={[
                  [w.id, <Copy key="id" text={workspace.data.id} />],
                  [c.status, <Status key="status" of={workspace.data.status} />],
                  [c.created, <Moment key="created" at={workspace.data.created_at} isExact />],
                ]}
              />
            </Panel>
          </Section>
          <Archive workspace={workspace.data} />
        </>
      )}
    </Page>
  );
}

function Settings({ workspace }: Of) {
  const w = useWords(placeWords);
  const c = useWords(common);
  const client = useClient();
  const refresh = useRefreshUser();
  const { can } = useSession();
  const block = useBlock('create_workspaces');
  const mayChange = can('create_workspaces');
  const kept = valuesOf(workspace);
  const [values, setValues] = useState(kept);
  const save = useChange(
    async (changed: PlaceValues) => {
      await client.workspace.update(changed);
      await refresh();
      say(c.saved);
    },
    { changes: [['workspace']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mayChange) save.mutate(values);
  };
  const isSame = JSON.stringify(values) === JSON.stringify(kept);
  return (
    <Section title={w.settings} className="!mt-0">
      <Panel className="p-4">
        <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
          <PlaceFields values={values} onValues={setValues} isDisabled={!mayChange} />
          {save.error && <Refusal error={save.error} />}
          <Button
            submits
            kind="primary"
            className="self-start"
            isBusy={save.isPending}
            disabled={mayChange && isSame}
            blocked={block}
          >
            {c.save}
          </Button>
        </form>
      </Panel>
    </Section>
  );
}

function Archive({ workspace }: Of) {
  const w = useWords(placeWords);
  const client = useClient();
  const refresh = useRefreshUser();
  const block = useBlock('archive_workspaces');
  const [isOpen, setOpen] = useState(false);
  const isArchived = workspace.status === 'archived';
  const change = useChange(
    async () => {
      await (isArchived ? client.workspace.unarchive() : client.workspace.archive());
      await refresh();
    },
    { changes: [[]], isQuiet: true },
  );
  const action = isArchived ? w.unarchiveAction : w.archiveAction;
  const title = isArchived ? w.archivedNow : w.archive;
  const body = isArchived ? w.unarchiveBody : w.archiveBody;
  return (
    <Section title={title} description={body}>
      <Button kind={isArchived ? 'primary' : 'danger'} blocked={block} onClick={() => setOpen(true)}>
        {action}
      </Button>
      <Confirm
        title={title}
        body={body}
        action={action}
        typed={workspace.name}
        isDanger={!isArchived}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => change.mutateAsync(undefined)}
      />
    </Section>
  );
}

const valuesOf = ({ name, language, time_zone }: Schemas['Workspace']): PlaceValues => ({
  name,
  language: language === 'pt-BR' ? 'pt-BR' : 'en',
  time_zone,
});
