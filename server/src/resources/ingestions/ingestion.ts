import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Ingestions } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { type InTurn, startEta, startEtaSchema, waitsFor, waitsForSchema } from '../turns/turn.ts';
import { ingestionExample } from './example.ts';
import { ingestionsPerWorkspace } from './queue.ts';
import { tellRefusal } from './tell-refusal.ts';

export type IngestionRow = Selectable<Ingestions>;

export const openStatuses: readonly string[] = ['queued', 'running'];

const kinds = ['delivery', 'reread'] as const;
export const modes = ['append', 'upsert', 'replace'] as const;
export type Mode = (typeof modes)[number];
/** A file of an ingestion as the caller requested it. */
export type IngestionFile = IngestionRow['files'][number];

export type AskedIngestion = {
  readonly files: readonly IngestionFile[];
  readonly acceptContract?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export const ingestionSchema = answerOf('Ingestion', ingestionExample, {
  id: Type.String(),
  status: Type.String({
    enum: ['queued', 'running', 'succeeded', 'refused', 'failed', 'interrupted'],
    description: 'refused: files deviate from the contract; nothing was taken in.',
  }),
  kind: Type.String({
    enum: [...kinds],
    description:
      'delivery: files were sent. reread: the data are brought under a contract that was accepted, for which the listed files, taken in before, are read again.',
  }),
  files: Type.Array(objectOf('IngestionFile', { file_id: Type.String(), table: Type.String(), mode: Type.String() })),
  contract_id: nullable(Type.String()),
  accept_contract: Type.Boolean({
    description: 'Whether the contract that the files propose becomes the active one if they come in under it.',
  }),
  proposed_contract_id: nullable(Type.String({ description: 'The contract version under which the files would do.' })),
  snapshot_id: nullable(Type.String()),
  changed: nullable(Type.Boolean({ description: 'False when all of it was there already.' })),
  ingestions_before: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Of a queued ingestion: ingestions of the workspace before it, of which one runs at a time.',
    }),
  ),
  waits_for: waitsForSchema,
  start_eta: startEtaSchema,
  progress: nullable(Type.Unknown()),
  report: nullable(
    Type.Unknown({
      description:
        'files: what was read of each, with rows added, changed, identical and rejected. changes: rows of each table before and after, and how many were added, changed, removed, identical (null where they cannot be compared by key). reread: files of earlier ingestions that the active contract wanted read again. reread_ingestion_id: of refused files for which a contract was accepted, the ingestion that brings the data under it without them. warnings: what to look at, also of the contract that refused files propose. warning_codes and note_codes: at the same places as warnings and notes, the code of each and what it names. event_days: the newest day with an event (it may lie ahead; null: none), and silence_max, the most days from one such day to the next, beyond which an answer is warned of as stale_data. tables: what is in the data: rows, coverage, time range on the clocks of the workspace, distinct values (distinct_is_estimate where they are more than 4,096), dropped columns.',
    }),
  ),
  failure: nullable(failureSchema),
  message: nullable(
    Type.String({ description: 'Of a refused ingestion: what is wrong with its files and what to do.' }),
  ),
  metadata: Type.Unknown(),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
});

export function presentIngestion(row: InTurn<IngestionRow>) {
  const { phase = null } = (row.progress ?? {}) as { readonly phase?: string };
  return {
    id: row.id,
    status: row.status,
    kind: row.kind,
    files: [...row.files],
    contract_id: row.contract_id,
    accept_contract: row.accept_contract,
    proposed_contract_id: row.proposed_contract_id,
    snapshot_id: row.snapshot_id,
    changed: row.changed,
    ingestions_before: row.turn?.before ?? null,
    waits_for: waitsFor(row, phase, ingestionsPerWorkspace),
    start_eta: startEta(row, ingestionsPerWorkspace),
    progress: row.progress,
    report: row.report,
    failure: row.failure,
    message: row.status === 'refused' ? tellRefusal(row) : null,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
