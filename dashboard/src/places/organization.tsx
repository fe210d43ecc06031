import type { Schemas } from '@lastro/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange, useData, useList } from '../api/use-data.ts';
import { useRefreshUser } from '../api/use-refresh-user.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton, useRolesWith } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { PlaceFields, type PlaceValues } from './place-fields.tsx';
import { placeWords } from './words.ts';

const route = getRouteApi('/_app/organization');

/** The organization: its name, and its workspaces. */
export function Organization() {
  const w = useWords(placeWords);
  const c = useWords(common);
  const { organization: title } = useWords(pageNames);
  const { organizationClient: client } = useSession();
  const organization = useData(['organization'], (signal) => client.organization.get({ signal }));
  return (
    <Page
      title={title}
      description={w.organizationDescription}
      actions={<CodeButton request={{ method: 'GET', path: '/v1/api/organization' }} />}
    >
      {organization.isError ? (
        <Failed error={organization.error} onRetry={() => organization.refetch()} />
      ) : !organization.data ? (
        <Skeleton />
      ) : (
        <>
          <Settings key={organization.data.id} organization={organization.data} />
          <Section
            title={w.facts}
            actions={
              <>
                <Link to="/members" search={{ tab: 'organization' }} className={buttonClass()}>
                  {w.members}
                </Link>
                <Link to="/security" className={buttonClass()}>
                  {w.security}
                </Link>
              </>
            }
          >
            <Panel className="p-4">
              <Facts
                columns={2}
                of={[
                  [w.id, <Copy key="id" text={organization.data.id} />],
                  [c.created, <Moment key="created" at={organization.data.created_at} isExact />],
                ]}
              />
            </Panel>
          </Section>
        </>
      )}
      <Workspaces />
    </Page>
  );
}

function Settings({ organization }: { readonly organization: Schemas['Organization'] }) {
  const w = useWords(placeWords);
  const c = useWords(common);
  const { organizationClient: client, canInOrganization } = useSession();
  const refresh = useRefreshUser();
  const able = useRolesWith('manage_members');
  const mayChange = canInOrganization('manage_members');
  const [name, setName] = useState(organization.name);
  const save = useChange(
    async (name: string) => {
      await client.organization.update({ name });
      await refresh();
      say(c.saved);
    },
    { changes: [['organization']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mayChange) save.mutate(name);
  };
  return (
    <Section title={w.settings} className="!mt-0">
      <Panel className="flex flex-col gap-3 p-4">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <Field label={w.name} className="w-80">
            <Input
              required
              maxLength={300}
              disabled={!mayChange}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Button
            submits
            isBusy={save.isPending}
            disabled={mayChange && name === organization.name}
            blocked={mayChange ? null : c.noPermissionAction(able)}
          >
            {c.save}
          </Button>
        </form>
        {save.error && <Refusal error={save.error} />}
      </Panel>
    </Section>
  );
}

function Workspaces() {
  const w = useWords(placeWords);
  const c = useWords(common);
  const { organizationClient: client, canInOrganization } = useSession();
  const navigate = useNavigate();
  const able = useRolesWith('create_workspaces');
  const { add } = route.useSearch();
  const isAdding = add === true && canInOrganization('create_workspaces');
  const setAdding = (isOn: boolean) =>
    navigate({ to: '/organization', search: isOn ? { add: true } : {}, replace: true });
  const list = useList(['workspaces'], (cursor, signal) =>
    client.workspaces.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns: readonly Column<Schemas['Workspace']>[] = [
    { key: 'name', head: w.name, width: 'minmax(140px, 2fr)', cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'status', head: c.status, width: '110px', cell: ({ status }) => <Status of={status} /> },
    {
      key: 'time_zone',
      head: w.timeZone,
      width: 'minmax(140px, 1fr)',
      isMinor: true,
      cell: ({ time_zone: zone }) => zone.replaceAll('_', ' '),
    },
    {
      key: 'created',
      head: c.created,
      width: '140px',
      isMinor: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
  ];
  return (
    <Section
      title={w.workspaces}
      description={w.workspacesBody}
      actions={
        <Button
          kind="primary"
          blocked={canInOrganization('create_workspaces') ? null : c.noPermissionAction(able)}
          onClick={() => setAdding(true)}
        >
          {w.add}
        </Button>
      }
    >
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={4} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.none}</p>
      ) : (
        <Table
          label={w.workspaces}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          onOpen={({ id }) => navigate({ to: '/workspace', search: { workspace: id } })}
          onEnd={list.fetchMore}
          height="max-h-[480px]"
        />
      )}
      {isAdding && <Adding onClose={() => setAdding(false)} />}
    </Section>
  );
}

function Adding({ onClose }: { onClose(): void }) {
  const w = useWords(placeWords);
  const c = useWords(common);
  const language = useLanguage();
  const navigate = useNavigate();
  const { organizationClient: client } = useSession();
  const refresh = useRefreshUser();
  const [values, setValues] = useState<PlaceValues>(() => ({
    name: '',
    language,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));
  const add = useChange(
    async (values: PlaceValues) => {
      const { id } = await client.workspaces.create(values);
      await refresh();
      say(w.added);
      await navigate({ to: '/', search: { workspace: id } });
    },
    { changes: [['workspaces']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(values);
  };
  return (
    <Dialog title={w.addTitle} description={w.workspacesBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <PlaceFields values={values} onValues={setValues} />
        {add.error && <Refusal error={add.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={add.isPending}>
            {w.add}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
