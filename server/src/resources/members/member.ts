import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { MemberRow } from './sql.ts';

export const memberExample = {
  user_id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  email: 'ana@company.com',
  name: 'Ana Souza',
  role: 'creator',
  workspace_id: null,
  since: '2026-03-02T12:00:00.000Z',
};

export const memberSchema = answerOf('Member', memberExample, {
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  workspace_id: nullable(
    Type.String({ description: 'Where the role holds; null for the organization and all its workspaces.' }),
  ),
  since: Type.String(),
});

export function presentMember(row: MemberRow) {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.display_name,
    role: row.role,
    workspace_id: row.workspace_id,
    since: row.created_at.toISOString(),
  };
}
