import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { SessionRow } from './sql.ts';

export const sessionExample = {
  id: 'ses_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  current: true,
  method: 'password',
  ip: '203.0.113.7',
  request_ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  created_at: '2026-03-02T12:00:00.000Z',
  authenticated_at: '2026-03-02T12:00:00.000Z',
  last_seen_at: '2026-03-02T12:10:00.000Z',
  expires_at: '2026-03-03T00:00:00.000Z',
};

export const sessionSchema = answerOf('Session', sessionExample, {
  id: Type.String(),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  method: Type.String({ description: 'How its user proved who they are.' }),
  ip: nullable(Type.String({ description: 'From where it was begun.' })),
  request_ip: nullable(
    Type.String({ description: 'From where this request came, of the session that asks; null for the others.' }),
  ),
  user_agent: nullable(Type.String()),
  created_at: Type.String(),
  authenticated_at: Type.String({ description: 'When its user last proved who they are.' }),
  last_seen_at: Type.String({ description: 'To the minute.' }),
  expires_at: Type.String({ description: 'At the latest; sooner without requests.' }),
});

/** `asking` is whose request is answered. */
export function presentSession(
  row: SessionRow,
  asking: { readonly credentialId: string | null; readonly ip: string | null },
) {
  return {
    id: row.id,
    current: row.id === asking.credentialId,
    method: row.method,
    ip: row.ip,
    request_ip: row.id === asking.credentialId ? asking.ip : null,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    authenticated_at: row.authenticated_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
