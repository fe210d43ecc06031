import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { InvitationRow } from './sql.ts';

/** How long an invitation may be accepted, after it was sent last. */
export const lifeMs = 7 * 24 * 60 * 60_000;

export const invitationExample = {
  id: 'inv_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  status: 'pending',
  email: 'rui@company.com',
  role: 'developer',
  workspace_id: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  invited_by: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  created_at: '2026-03-02T12:00:00.000Z',
  sent_at: '2026-03-02T12:00:00.000Z',
  times_sent: 1,
  expires_at: '2026-03-09T12:00:00.000Z',
};

const statuses = ['pending', 'accepted', 'revoked', 'expired'] as const;

export const invitationSchema = answerOf('Invitation', invitationExample, {
  id: Type.String(),
  status: Type.Union(statuses.map((status) => Type.Literal(status))),
  email: Type.String(),
  role: Type.String(),
  workspace_id: nullable(Type.String({ description: 'null: to the organization and all its workspaces.' })),
  invited_by: nullable(Type.String()),
  created_at: Type.String(),
  sent_at: Type.String(),
  times_sent: Type.Integer(),
  expires_at: Type.String(),
});

export function presentInvitation(row: InvitationRow) {
  return {
    id: row.id,
    status: statusOf(row),
    email: row.email,
    role: row.role,
    workspace_id: row.workspace_id,
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at.toISOString(),
    times_sent: row.times_sent,
    expires_at: row.expires_at.toISOString(),
  };
}

function statusOf({ accepted_at, revoked_at, expires_at }: InvitationRow): (typeof statuses)[number] {
  if (accepted_at !== null) return 'accepted';
  if (revoked_at !== null) return 'revoked';
  return expires_at.getTime() <= Date.now() ? 'expired' : 'pending';
}
