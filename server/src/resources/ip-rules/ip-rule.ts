import { Type } from 'typebox';
import { ruleChannels } from '../../access/ip-rules.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { RuleRow } from './sql.ts';

/** Most rules of one level: an organization, a workspace or a key. Keys are kept in memory with theirs. */
export const rulesMax = 100;
/** Most characters of a network as text; what is longer is none. */
export const cidrLengthMax = 60;

export const appliesToSchema = Type.Union(
  ruleChannels.map((channel) => Type.Literal(channel)),
  { description: '`dashboard`: people who are signed in. `api`: keys, and the addresses that were signed for them.' },
);

export const ruleExample = {
  id: 'ipr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  workspace_id: null,
  api_key_id: null,
  applies_to: 'both',
  cidr: '203.0.113.0/24',
  note: 'office',
  created_by: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  created_at: '2026-03-02T12:00:00.000Z',
};

export const ruleSchema = answerOf('IpRule', ruleExample, {
  id: Type.String(),
  workspace_id: nullable(Type.String({ description: 'null: of the organization and all its workspaces.' })),
  api_key_id: nullable(Type.String({ description: 'The key of whose requests alone it is; null: of all.' })),
  applies_to: Type.String(),
  cidr: Type.String({ description: 'The network from which callers may come in.' }),
  note: nullable(Type.String()),
  created_by: nullable(Type.String()),
  created_at: Type.String(),
});

export function presentRule(row: RuleRow) {
  return {
    ...{ id: row.id, workspace_id: row.workspace_id, api_key_id: row.api_key_id },
    ...{ applies_to: row.applies_to, cidr: row.cidr, note: row.note, created_by: row.created_by },
    created_at: row.created_at.toISOString(),
  };
}
