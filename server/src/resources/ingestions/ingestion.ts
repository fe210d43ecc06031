import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Ingestions } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { ingestionExample } from './example.ts';

export type IngestionRow = Selectable<Ingestions>;

export const openStatuses: readonly string[] = ['queued', 'running'];

export const modes = ['append', 'upsert', 'replace'] as const;
export type Mode = (typeof modes)[number];
/** A file of an ingestion as the caller requested it. */
export type IngestionFile = IngestionRow['files'][number];

export const ingestionSchema = answerOf('Ingestion', ingestionExample, {
  id: Type.String(),
  status: Type.String({
    enum: ['queued', 'running', 'succeeded', 'refused', 'failed', 'interrupted'],
    description: 'refused: files deviate from the contract; nothing was taken in.',
  }),
  files: Type.Array(objectOf('IngestionFile', { file_id: Type.String(), table: Type.String(), mode: Type.String() })),
  contract_id: nullable(Type.String()),
  proposed_contract_id: nullable(Type.String({ description: 'The contract version under which the files would do.' })),
  snapshot_id: nullable(Type.String()),
  changed: nullable(Type.Boolean({ description: 'False when all of it was there already.' })),
  progress: nullable(Type.Unknown()),
  report: nullable(
    Type.Unknown({
      description:
        'What is in the data: rows, coverage, time range on the clocks of the workspace, distinct values (estimated where more than 4,096), dropped columns.',
    }),
  ),
  failure: nullable(failureSchema),
  metadata: Type.Unknown(),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
});

export function presentIngestion(row: IngestionRow) {
  return {
    id: row.id,
    status: row.status,
    files: [...row.files],
    contract_id: row.contract_id,
    proposed_contract_id: row.proposed_contract_id,
    snapshot_id: row.snapshot_id,
    changed: row.changed,
    progress: row.progress,
    report: row.report,
    failure: row.failure,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
