import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Page } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Failed, Skeleton, useRolesWith } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { sayRefusal } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { MemberTable } from './member-table.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import { type MemberScope, useMemberNouns } from './scope.ts';
import { memberWords } from './words.ts';

const route = getRouteApi('/_app/members');

/** Members of the workspace and of the organization, whom they invited, and what roles may. */
export function Members() {
  const w = useWords(memberWords);
  const { members: title } = useWords(pageNames);
  const { canInOrganization } = useSession();
  const navigate = useNavigate({ from: '/members' });
  const { tab = 'workspace' } = route.useSearch();
  const tabs = [
    { value: 'workspace' as const, label: w.workspaceTab },
    ...(canInOrganization('view_members') ? [{ value: 'organization' as const, label: w.organizationTab }] : []),
    { value: 'roles' as const, label: w.rolesTab },
  ];
  const chosen = tabs.some(({ value }) => value === tab) ? tab : 'workspace';
  const path = { workspace: '/v1/api/members', organization: '/v1/api/organization/members', roles: '/v1/api/roles' };
  return (
    <Page
      title={title}
      description={w.description}
      actions={<CodeButton request={{ method: 'GET', path: path[chosen] }} />}
    >
      <Tabs
        label={title}
        tabs={tabs}
        value={chosen}
        onValue={(value) => navigate({ search: value === 'workspace' ? {} : { tab: value } })}
      >
        {chosen === 'roles' ? <RoleMatrix /> : <OfScope key={chosen} scope={chosen} />}
      </Tabs>
    </Page>
  );
}

function OfScope({ scope }: { readonly scope: MemberScope }) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const { members, mayManage } = useMemberNouns(scope);
  const managers = useRolesWith('manage_members');
  const isClosed = useSession().workspace?.status === 'archived' && scope === 'workspace';
  const [isInviting, setInviting] = useState(false);
  const list = useList(['members', scope], (cursor, signal) =>
    members.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const saveHistory = async () => {
    try {
      saveAs(`members-${scope}.csv`, await (await members.downloadHistory()).text());
    } catch (error) {
      sayRefusal(error);
    }
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink2">
          {scope === 'workspace' ? w.workspaceBody : w.organizationBody}
          {!mayManage && !isClosed && managers && ` ${w.changesBy(managers)}`}
        </p>
        <div className="flex gap-2">
          {mayManage && <Button onClick={saveHistory}>{w.history}</Button>}
          <Button
            kind="primary"
            blocked={mayManage ? null : isClosed ? c.archived : c.noPermissionAction(managers)}
            onClick={() => setInviting(true)}
          >
            {w.invite}
          </Button>
        </div>
      </div>
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={5} />
      ) : (
        <MemberTable scope={scope} rows={list.rows} onEnd={list.fetchMore} />
      )}
      {mayManage && <Invitations scope={scope} />}
      {isInviting && <Invite scope={scope} onClose={() => setInviting(false)} />}
    </>
  );
}
