import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useChange, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type MemberScope, useMemberNouns } from './scope.ts';
import { memberWords } from './words.ts';

type Invitation = Schemas['Invitation'];

/** Who has been invited: those that are open can be sent again or revoked. */
export function Invitations({ scope }: { readonly scope: MemberScope }) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const format = useFormat();
  const { invitations } = useMemberNouns(scope);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const list = useList(['invitations', scope], (cursor, signal) =>
    invitations.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const resend = useChange(
    async (id: string) => {
      await invitations.resend(id);
      say(w.resent);
    },
    { changes: [['invitations']] },
  );
  const revoke = useChange((id: string) => invitations.revoke(id), { changes: [['invitations']], isQuiet: true });
  const roleNames: Readonly<Record<string, string>> = c.roles;
  const columns: readonly Column<Invitation>[] = [
    {
      key: 'email',
      head: w.email,
      width: 'minmax(130px, 1.6fr)',
      cell: ({ email }) => <span title={email}>{email}</span>,
      below: ({ role, status }) => (
        <span className="inline-flex gap-2">
          <Status of={status} />
          {roleNames[role] ?? role}
        </span>
      ),
    },
    { key: 'role', head: w.role, width: '132px', isMinor: true, cell: ({ role }) => roleNames[role] ?? role },
    { key: 'status', head: c.status, width: '104px', isMinor: true, cell: ({ status }) => <Status of={status} /> },
    { key: 'sent', head: w.sent, width: '132px', isMinor: true, cell: ({ sent_at: at }) => <Moment at={at} /> },
    { key: 'expires', head: w.expires, width: '116px', isMinor: true, cell: ({ expires_at: at }) => format.day(at) },
    {
      key: 'acts',
      head: <span className="sr-only">{c.edit}</span>,
      width: '164px',
      isRight: true,
      cell: (invitation) => (
        <span className="-mr-2 inline-flex gap-1">
          {(invitation.status === 'pending' || invitation.status === 'expired') && (
            <Button
              kind="quiet"
              size="small"
              aria-label={`${w.resend}: ${invitation.email}`}
              onClick={() => resend.mutate(invitation.id)}
            >
              {w.resend}
            </Button>
          )}
          {invitation.status === 'pending' && (
            <Button
              kind="quiet"
              size="small"
              aria-label={`${w.revoke}: ${invitation.email}`}
              onClick={() => setRevoked(invitation)}
            >
              {w.revoke}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Section title={w.invitations}>
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={3} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.invitationsNone}</p>
      ) : (
        <Table
          label={w.invitations}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          onEnd={list.fetchMore}
          height="max-h-[360px]"
        />
      )}
      <Confirm
        title={w.revoke}
        body={w.revokeBody(revoked?.email ?? '')}
        action={w.revoke}
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        onConfirm={() => revoke.mutateAsync(revoked!.id)}
      />
    </Section>
  );
}
