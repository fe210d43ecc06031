import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { useRefreshUser } from '../api/use-refresh-user.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { type MemberScope, type Role, roles, useMemberNouns } from './scope.ts';
import { memberWords } from './words.ts';

type Member = Schemas['Member'];
type Asked = { readonly act: 'role' | 'remove' | 'leave'; readonly member: Member };

/** Members with their roles, and what changes them for who may. */
export function MemberTable({
  scope,
  rows,
  onEnd,
}: {
  readonly scope: MemberScope;
  readonly rows: readonly Member[];
  onEnd(): void;
}) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const { user } = useSession();
  const { mayManage } = useMemberNouns(scope);
  const [asked, setAsked] = useState<Asked | null>(null);
  const roleNames: Readonly<Record<string, string>> = c.roles;
  const isOfScope = ({ workspace_id: id }: Member) => (scope === 'workspace') === (id !== null);
  const columns: readonly Column<Member>[] = [
    {
      key: 'name',
      head: w.name,
      width: 'minmax(110px, 1fr)',
      cell: ({ name, user_id: id }) => (
        <>
          <bdi>{name}</bdi> {id === user.id && <span className="text-ink3">({w.you})</span>}
        </>
      ),
      below: ({ role, email }) => `${roleNames[role] ?? role} · ${email}`,
    },
    { key: 'email', head: w.email, width: 'minmax(120px, 1.4fr)', isMinor: true, cell: ({ email }) => email },
    { key: 'role', head: w.role, width: '132px', isMinor: true, cell: ({ role }) => roleNames[role] ?? role },
    {
      key: 'where',
      head: w.where,
      width: '128px',
      isMinor: true,
      cell: ({ workspace_id: id }) => (id === null ? w.everywhere : w.here),
    },
    { key: 'since', head: w.since, width: '132px', isMinor: true, cell: ({ since }) => <Moment at={since} /> },
    {
      key: 'acts',
      head: <span className="sr-only">{c.edit}</span>,
      width: '178px',
      isRight: true,
      cell: (member) =>
        !isOfScope(member) ? null : (
          <span className="inline-flex gap-1">
            {mayManage && (
              <Button
                kind="quiet"
                size="small"
                aria-label={`${w.changeRole}: ${member.email}`}
                onClick={() => setAsked({ act: 'role', member })}
              >
                {w.role}
              </Button>
            )}
            {member.user_id === user.id ? (
              <Button kind="quiet" size="small" onClick={() => setAsked({ act: 'leave', member })}>
                {w.leave}
              </Button>
            ) : (
              mayManage && (
                <Button
                  kind="quiet"
                  size="small"
                  aria-label={w.removeTitle(member.email)}
                  onClick={() => setAsked({ act: 'remove', member })}
                >
                  {c.remove}
                </Button>
              )
            )}
          </span>
        ),
    },
  ];
  return (
    <>
      <Table
        label={w[scope === 'workspace' ? 'workspaceTab' : 'organizationTab']}
        columns={columns}
        rows={rows}
        keyOf={({ user_id: id, workspace_id: workspace }) => `${id} ${workspace}`}
        onEnd={onEnd}
        height="max-h-[480px]"
      />
      {asked?.act === 'role' && <ChangeRole scope={scope} member={asked.member} onClose={() => setAsked(null)} />}
      {asked?.act === 'remove' && <Remove scope={scope} member={asked.member} onClose={() => setAsked(null)} />}
      {asked?.act === 'leave' && <Leave scope={scope} onClose={() => setAsked(null)} />}
    </>
  );
}

type Props = { readonly scope: MemberScope; readonly member: Member; onClose(): void };

function ChangeRole({ scope, member, onClose }: Props) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const { members } = useMemberNouns(scope);
  const refresh = useRefreshUser();
  const [role, setRole] = useState(member.role as Role);
  const change = useChange((role: Role) => members.setRole(member.user_id, { role }), {
    changes: [['members']],
    isQuiet: true,
  });
  return (
    <Confirm
      title={w.changeRole}
      body={w.changeRoleBody(member.name)}
      action={w.changeRole}
      isDanger={false}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await change.mutateAsync(role);
        await refresh();
      }}
    >
      <Field label={w.roleOf(member.email)}>
        <Select value={role} options={roles.map((value) => ({ value, label: c.roles[value] }))} onValue={setRole} />
      </Field>
    </Confirm>
  );
}

function Remove({ scope, member, onClose }: Props) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const { members } = useMemberNouns(scope);
  const remove = useChange(() => members.remove(member.user_id), { changes: [['members']], isQuiet: true });
  return (
    <Confirm
      title={w.removeTitle(member.name)}
      body={w.removeBody}
      action={c.remove}
      typed={member.email}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutateAsync()}
    />
  );
}

function Leave({ scope, onClose }: { readonly scope: MemberScope; onClose(): void }) {
  const w = useWords(memberWords);
  const { user } = useSession();
  const { members } = useMemberNouns(scope);
  return (
    <Confirm
      title={w.leaveTitle}
      body={w.leaveBody}
      action={w.leave}
      typed={user.email}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await members.leave();
        // What they may do has changed everywhere: the page begins anew.
        location.assign('/');
      }}
    />
  );
}
