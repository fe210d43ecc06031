import { Type } from 'typebox';
import { permissionNames } from '../../access/authorize.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { KeyRow } from './sql.ts';

/** How long the secret before a rotation stays good: at most a week, a day by default. */
export const overlapHoursMax = 168;
export const overlapHoursDefault = 24;
/** How long a key is good unless its maker says otherwise, in days. */
export const lifeDaysDefault = 90;
export const lifeDaysMax = 3_650;

export const scopeSchema = Type.Union(permissionNames.map((name) => Type.Literal(name)));

export const keyExample = {
  id: 'key_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'nightly batches',
  hint: 'lst_8fKq…x2Vd',
  user_id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  scopes: null,
  created_at: '2026-03-02T12:00:00.000Z',
  expires_at: '2026-05-31T12:00:00.000Z',
  previous_until: null,
  last_used_at: '2026-03-02T12:10:00.000Z',
  last_used_ip: '203.0.113.7',
  last_used_agent: 'curl/8.5.0',
};

const fields = {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The beginning and the end of the secret.' }),
  user_id: Type.String({ description: 'Whose role the key acts with, as it is at each request.' }),
  scopes: nullable(Type.Array(Type.String(), { description: 'What it may at most; null for all that the role may.' })),
  created_at: Type.String(),
  expires_at: nullable(Type.String()),
  previous_until: nullable(Type.String({ description: 'Until when the secret before the last rotation is good.' })),
  last_used_at: nullable(Type.String({ description: 'To the minute.' })),
  last_used_ip: nullable(Type.String()),
  last_used_agent: nullable(Type.String()),
};

export const keySchema = answerOf('ApiKey', keyExample, fields);
export const newKeySchema = answerOf(
  'NewApiKey',
  { ...keyExample, secret: 'lst_…' },
  { ...fields, secret: Type.String({ description: 'Shown here and never again.' }) },
);

export function presentKey(row: KeyRow) {
  const instant = (date: Date | null): string | null => date?.toISOString() ?? null;
  return {
    ...{ id: row.id, name: row.name, hint: row.hint, user_id: row.user_id, scopes: row.scopes },
    created_at: row.created_at.toISOString(),
    expires_at: instant(row.expires_at),
    previous_until: row.previous_until !== null && row.previous_until > new Date() ? instant(row.previous_until) : null,
    last_used_at: instant(row.last_used_at),
    last_used_ip: row.last_used_ip,
    last_used_agent: row.last_used_agent,
  };
}
