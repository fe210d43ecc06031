import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import type { Files } from '../../schema/tables.ts';

/** Most characters of the path that a file is declared with. */
export const pathLengthMax = 1_024;

/** A file as a request names it by its path. */
export const fileByPath = Type.Object(
  { path: Type.String({ maxLength: pathLengthMax, description: 'Means its newest uploaded file.' }) },
  { title: 'FileByPath', additionalProperties: false },
);

export type FileRow = Selectable<Files>;

/** How long an upload address or a download address is valid. */
export const uploadLifetimeMs = 60 * 60 * 1000;
export const filesPerUploadMax = 1000;

export const contentTypes = [
  'application/vnd.apache.parquet',
  'application/x-parquet',
  'application/octet-stream',
  'text/csv',
  'application/jsonl',
  'application/x-ndjson',
  'application/json',
  'application/gzip',
  'application/x-yaml',
  'text/plain',
] as const;

const fileExample = {
  id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  upload_id: 'upl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  path: '2026/orders.csv',
  content_type: 'text/csv',
  md5: 'XrY7u+Ae7tCTyyK7j1rNww==',
  status: 'uploaded',
  bytes: 48_211,
  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  created_at: '2026-01-31T12:00:00.000Z',
  uploaded_at: '2026-01-31T12:00:04.512Z',
  expires_at: null,
};

export const fileSchema = answerOf('File', fileExample, {
  id: Type.String(),
  upload_id: Type.String(),
  path: Type.String(),
  content_type: Type.String(),
  md5: Type.String({ description: 'Base64, as declared.' }),
  status: Type.String({ enum: ['awaiting_upload', 'uploaded', 'deleted'] }),
  bytes: Type.Union([Type.Integer(), Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()], { description: 'Hex, of what arrived.' }),
  created_at: Type.String(),
  uploaded_at: Type.Union([Type.String(), Type.Null()]),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'Of the upload address, while it waits.' }),
});

export function presentFile(row: FileRow) {
  return {
    id: row.id,
    upload_id: row.upload_id,
    path: row.path,
    content_type: row.content_type,
    md5: row.md5,
    status: row.status,
    bytes: row.bytes,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    uploaded_at: row.uploaded_at?.toISOString() ?? null,
    expires_at: row.status === 'awaiting_upload' ? row.expires_at.toISOString() : null,
  };
}
