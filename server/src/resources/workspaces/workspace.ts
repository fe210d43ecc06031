import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { refuse } from '../../errors.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import type { Workspaces } from '../../schema/tables.ts';

export type WorkspaceRow = Pick<
  Selectable<Workspaces>,
  'id' | 'name' | 'status' | 'time_zone' | 'language' | 'created_at'
>;

/** The current data of a workspace: its newest snapshot, and the storage key of the dictionary of names in it. */
export type Data = { readonly snapshotId: string | null; readonly identifiersKey: string | null };

export const timeZoneText = Type.String({ maxLength: 100, description: 'Of the IANA list: America/Sao_Paulo.' });
export const languageText = Type.Union([Type.Literal('en'), Type.Literal('pt-BR')]);

export const workspaceExample = {
  id: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'Lending',
  status: 'active',
  time_zone: 'America/Sao_Paulo',
  language: 'pt-BR',
  created_at: '2026-03-02T12:00:00.000Z',
};

export const workspaceSchema = answerOf('Workspace', workspaceExample, {
  id: Type.String(),
  name: Type.String(),
  status: Type.Union([Type.Literal('active'), Type.Literal('archived')]),
  time_zone: Type.String({ description: 'In which its days begin and end.' }),
  language: Type.String({ description: 'Of the reasons of its predictions, and of its mails.' }),
  created_at: Type.String(),
});

export function presentWorkspace(row: WorkspaceRow) {
  return { ...row, created_at: row.created_at.toISOString() };
}

/** Throws Failure 'schema_mismatch' for a time zone that is not known here. */
export function requireTimeZone(timeZone: string, pointer = '/time_zone'): void {
  if (isTimeZone(timeZone)) return;
  const message = `must be a zone such as America/Sao_Paulo, not ${timeZone}`;
  throw refuse('schema_mismatch', `the time zone ${message}`, { problems: [{ at: pointer, message }] });
}
