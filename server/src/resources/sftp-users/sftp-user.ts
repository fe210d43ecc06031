import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { readPublicKey } from '../../lib/sftp/keys.ts';
import type { SftpUserRow } from './sql.ts';

export const usersMax = 50;
export const publicKeysMax = 10;
export const publicKeyLengthMax = 4_096;

const example = {
  id: 'sftp_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'nightly scoring',
  login: 'nightly-scoring-7kq2xd',
  user_id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  password_hint: 'lsp_8fKq…x2Vd',
  public_keys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:Yt3vH4bqf1gkqJfXl3Bkz0dWm2mS2m4h0o7Qw8nB1cE' }],
  priority: -5,
  created_at: '2026-03-02T12:00:00.000Z',
  last_used_at: '2026-03-02T12:10:00.000Z',
  last_used_ip: '203.0.113.7',
};

const fields = {
  id: Type.String(),
  name: Type.String(),
  login: Type.String({ description: 'What a client signs in as.' }),
  user_id: Type.String({ description: 'Whose role it acts with, as it is at each request.' }),
  password_hint: nullable(Type.String({ description: 'The beginning and the end of the password; null without one.' })),
  public_keys: Type.Array(objectOf('SftpPublicKey', { type: Type.String(), fingerprint: Type.String() }), {
    description: 'Keys that let it in, with their fingerprints as ssh-keygen -l says them.',
  }),
  priority: Type.Integer({ description: 'Of the batches that are made of its files.' }),
  created_at: Type.String(),
  last_used_at: nullable(Type.String({ description: 'When it signed in last.' })),
  last_used_ip: nullable(Type.String()),
};

export const sftpUserSchema = answerOf('SftpUser', example, fields);
export const newSftpUserSchema = answerOf(
  'NewSftpUser',
  { ...example, password: 'lsp_…' },
  {
    ...fields,
    password: nullable(Type.String({ description: 'Shown here and never again; null where none was asked for.' })),
  },
);

export function presentSftpUser(row: SftpUserRow) {
  return {
    ...{ id: row.id, name: row.name, login: row.login, user_id: row.user_id, password_hint: row.password_hint },
    public_keys: row.public_keys.map((line) => {
      const key = readPublicKey(line);
      return { type: line.split(' ')[0]!, fingerprint: typeof key === 'string' ? '' : key.fingerprint };
    }),
    priority: row.priority,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip: row.last_used_ip,
  };
}
