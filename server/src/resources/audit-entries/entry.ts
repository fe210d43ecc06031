import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { auditClasses } from '../../trail/acts/act.ts';
import { auditClassOf } from '../../trail/catalog.ts';
import { actorTypes, channels, outcomes } from './filter.ts';
import type { EntryRow } from './sql.ts';

const example = {
  id: 'aud_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  recorded_at: '2026-03-02T12:00:00.000000Z',
  organization_id: 'org_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  workspace_id: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  action: 'api-key-creation',
  class: 'admin',
  outcome: 'succeeded',
  actor: { type: 'user', id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', label: 'ana@company.com' },
  target: { type: 'api_key', id: 'key_019f2e0c51b27c4e8a5d6f7a8b9c0d1e' },
  context: {
    channel: 'dashboard',
    ip: '203.0.113.7',
    user_agent: 'Mozilla/5.0',
    request_id: 'req_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  },
  data: { name: 'nightly' },
  is_redacted: false,
  leaf_index: 4711,
};

const id = nullable(Type.String());
export const entrySchema = answerOf('AuditEntry', example, {
  id: Type.String(),
  recorded_at: Type.String({ description: 'By the clock of the database, in UTC, with microseconds.' }),
  organization_id: Type.String(),
  workspace_id: nullable(Type.String({ description: 'Null for an act in the organization as a whole.' })),
  action: Type.String({ description: 'As the catalog of events names it; acts are added over time.' }),
  class: nullable(Type.String({ enum: [...auditClasses] })),
  outcome: Type.String({ enum: outcomes }),
  actor: objectOf('AuditActor', { type: Type.String({ enum: actorTypes }), id, label: id }),
  target: objectOf('AuditTarget', { type: Type.String(), id }),
  context: objectOf('AuditContext', {
    channel: Type.String({ enum: channels }),
    ip: id,
    user_agent: id,
    request_id: id,
  }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'By action.' }),
  is_redacted: Type.Boolean({ description: "Whether the actor's label, address and agent have been taken out." }),
  leaf_index: nullable(Type.Integer({ description: 'Its place in the tree, about a second after it was recorded.' })),
});

export function presentEntry(row: EntryRow) {
  const { id, recorded_at, organization_id, workspace_id, action, outcome, data, leaf_index } = row;
  return {
    ...{ id, recorded_at, organization_id, workspace_id, action },
    class: auditClassOf(action),
    outcome,
    actor: { type: row.actor_type, id: row.actor_id, label: row.actor_label },
    // Every act is recorded with what it is of.
    target: { type: row.target_type ?? '', id: row.target_id },
    context: { channel: row.channel, ip: row.ip, user_agent: row.user_agent, request_id: row.request_id },
    data,
    is_redacted: row.salt === null,
    leaf_index,
  };
}
