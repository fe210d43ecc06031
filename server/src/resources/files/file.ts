import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import type { Files } from '../../schema/tables.ts';

export type FileRow = Selectable<Files>;

/** How long an upload address is good for, and an address to download by. */
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

export const fileSchema = Type.Object({
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
