import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { exportFormats } from '../../trail/exported.ts';
import { failureSchema, type JobFailure } from '../job.ts';
import type { ExportRow } from './sql.ts';

/** Most exports of a workspace, or of an organization as a whole, that have not ended. */
export const openExportsMax = 5;
/** How long the files of an export are kept. */
export const keptDays = 30;

const example = {
  id: 'aex_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  format: 'ndjson',
  from: '2026-03-01T00:00:00.000Z',
  to: null,
  status: 'succeeded',
  first_index: 4_000,
  end_index: 12_000,
  progress: 1,
  entries: { bytes: 5_120_000, sha256: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184' },
  manifest: { bytes: 40_000, sha256: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' },
  failure: null,
  created_at: '2026-03-02T12:00:00.000Z',
  finished_at: '2026-03-02T12:00:09.000Z',
};

const moment = nullable(Type.String());
const file = nullable(Type.Object({ bytes: Type.Integer(), sha256: Type.String() }, { title: 'AuditExportFile' }));
export const exportSchema = answerOf('AuditExport', example, {
  id: Type.String(),
  format: Type.String({ enum: [...exportFormats] }),
  ...{ from: moment, to: moment },
  status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed'] }),
  first_index: nullable(Type.Integer({ description: 'Its first leaf; null until it runs.' })),
  end_index: nullable(Type.Integer({ description: 'The leaf after its last.' })),
  progress: Type.Number({ description: 'From 0 to 1.' }),
  ...{ entries: file, manifest: file },
  failure: nullable(failureSchema),
  created_at: Type.String(),
  finished_at: moment,
});

export function presentExport(row: ExportRow) {
  const { id, format, status, first_index, end_index, written } = row;
  const leaves = (end_index ?? 0) - (first_index ?? 0);
  return {
    ...{ id, format, from: row.from_at?.toISOString() ?? null, to: row.to_at?.toISOString() ?? null },
    ...{ status, first_index, end_index },
    progress: status === 'succeeded' ? 1 : leaves === 0 ? 0 : Math.min(0.99, written / leaves),
    entries: fileOf(row.entries_bytes, row.entries_sha256),
    manifest: fileOf(row.manifest_bytes, row.manifest_sha256),
    failure: row.failure as JobFailure | null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function fileOf(bytes: number | null, sha256: string | null) {
  return bytes === null || sha256 === null ? null : { bytes, sha256 };
}

/** The names of an export's files, which a verifier looks for beside each other. */
export function fileNames({ id, format }: { readonly id: string; readonly format: string }) {
  return { entries: `${id}.${format}`, manifest: `${id}.manifest.json` };
}
