import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { countRows } from '../../lib/db/page.ts';
import { allows } from '../../lib/http/validate.ts';
import type { App } from '../app.ts';
import { deleteFile } from './delete.ts';
import { downloadFile } from './download.ts';
import { contentTypes, fileSchema, filesPerUploadMax, pathLengthMax, presentFile } from './file.ts';
import { receiveFile } from './receive.ts';
import { readProgress, receiveAtOffset } from './receive-at-offset.ts';
import { requestUpload } from './request-upload.ts';
import { requireFile } from './require.ts';
import { selectFiles } from './sql.ts';
import { partType, uploadHeaders } from './upload-offset.ts';

const params = Type.Object({ id: Type.String() });
const uploadExample = {
  id: 'upl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  files: [
    {
      id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
      path: '2026/orders.csv',
      upload_url:
        'https://lastro.example/v2/api/files/file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5/content?by=…&expires=…&signature=…',
      method: 'PUT',
      headers: { 'Content-Type': 'text/csv', 'Content-MD5': 'XrY7u+Ae7tCTyyK7j1rNww==' },
      expires_at: '2026-01-31T13:00:00.000Z',
    },
  ],
};

export const fileRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v2/api/files/upload',
      operation: 'files.upload',
      summary: 'Declare files and get an address to send each to',
      access: 'upload_files',
      creates: true,
      problems: ['quota_exceeded'],
      body: Type.Object(
        {
          files: Type.Array(
            Type.Object(
              {
                path: Type.String({
                  minLength: 1,
                  maxLength: pathLengthMax,
                  description: 'A label of yours, such as 2026/orders.parquet.',
                }),
                content_type: Type.String({ enum: [...contentTypes] }),
                md5: Type.String({
                  // The last digit of 16 bytes has two bits; another one would spell the same bytes otherwise.
                  pattern: '^[A-Za-z0-9+/]{21}[AQgw]==$',
                  [allows]:
                    "the base64 of the MD5's 16 bytes, 24 characters that end in ==, not the hex that md5sum prints",
                  description: 'MD5 of the bytes, base64.',
                }),
                bytes: Type.Optional(
                  Type.Integer({
                    minimum: 0,
                    maximum: Number.MAX_SAFE_INTEGER,
                    description: 'How many it has. To be sent in parts it must be said here, or by Upload-Length.',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
            { minItems: 1, maxItems: filesPerUploadMax },
          ),
        },
        {
          title: 'UploadRequest',
          additionalProperties: false,
          examples: [
            { files: [{ path: '2026/orders.csv', content_type: 'text/csv', md5: 'XrY7u+Ae7tCTyyK7j1rNww==' }] },
          ],
        },
      ),
      answers: {
        201: answerOf('Upload', uploadExample, {
          id: Type.String(),
          files: Type.Array(
            objectOf('UploadFile', {
              id: Type.String(),
              path: Type.String(),
              upload_url: Type.String(),
              method: Type.String(),
              headers: Type.Record(Type.String(), Type.String()),
              expires_at: Type.String(),
            }),
          ),
        }),
      },
    },
    (ctx, { body }) => requestUpload(app, ctx, body.files),
  ),
  route(
    {
      method: 'PUT',
      path: '/v2/api/files/{id}/upload',
      operation: 'files.receive',
      summary: 'Send the bytes of a declared file to its upload_url',
      description: 'All of them, or nothing is stored. PATCH of the same address takes them in parts.',
      access: 'upload_files',
      signed: true,
      streams: true,
      headers: ['Content-MD5'],
      params,
      problems: [
        'content_type_mismatch',
        'digest_mismatch',
        'file_already_uploaded',
        'file_deleted',
        'limit_exceeded',
        'quota_exceeded',
      ],
      answers: { 200: fileSchema },
    },
    async (ctx, { params: { id }, exchange, ensure }) => ({
      status: 200,
      body: await receiveFile(app, ctx, id, exchange, ensure),
    }),
  ),
  route(
    {
      method: 'PATCH',
      path: '/v2/api/files/{id}/upload',
      operation: 'files.receiveAtOffset',
      summary: 'Send a part of a declared file to its upload_url, from the byte on with which it goes on',
      description: `As in tus 1.0, with Content-Type ${partType}. What arrives is kept also when the connection breaks: ask by HEAD where to go on. With the last byte the file is held against its MD5, and uploaded.`,
      access: 'upload_files',
      signed: true,
      streams: true,
      headers: ['Upload-Offset', 'Upload-Length', 'Tus-Resumable'],
      params,
      problems: [
        ...([
          'unsupported_media_type',
          'offset_mismatch',
          'precondition_failed',
          'limit_exceeded',
          'quota_exceeded',
        ] as const),
        ...(['digest_mismatch', 'file_already_uploaded', 'file_deleted'] as const),
      ],
      answers: { 204: null },
    },
    (ctx, { params: { id }, exchange, ensure }) => receiveAtOffset(app, ctx, id, exchange, ensure),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/files/{id}/upload',
      operation: 'files.uploadProgress',
      summary: 'How many bytes of a declared file have arrived; HEAD of its upload_url says it in headers',
      access: 'upload_files',
      signed: true,
      params,
      answers: {
        200: answerOf(
          'UploadProgress',
          {
            id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
            status: 'awaiting_upload',
            offset: 8_388_608,
            bytes: 20_000_000,
          },
          {
            id: Type.String(),
            status: Type.String({ enum: ['awaiting_upload', 'uploaded'] }),
            offset: Type.Integer({ description: 'Bytes that have arrived: the next part begins with this one.' }),
            bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'That it has, once it was said.' }),
          },
        ),
      },
    },
    async (ctx, { params: { id } }) => {
      const { file, progress } = await tenant(app.db, ctx, (tx) => readProgress(tx, id));
      const body = { id, status: file.status, ...progress };
      return { status: 200, headers: uploadHeaders(file, progress), body };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/files',
      operation: 'files.list',
      summary: 'Files, newest first',
      access: 'view_files',
      query: Type.Object({
        ...countedQuery,
        status: Type.Optional(Type.String({ enum: ['awaiting_upload', 'uploaded', 'deleted'] })),
        path: Type.Optional(Type.String()),
      }),
      answers: { 200: countedPageOf(fileSchema) },
    },
    async (ctx, { query: { status, path, ...page } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'files', status, path],
        page,
        (before, most) => tenant(app.db, ctx, (tx) => selectFiles(tx, { status, path }, before, most)),
        presentFile,
        (most) => tenant(app.db, ctx, (tx) => countRows(tx, { table: 'files', filters: { status, path } }, most)),
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/files/{id}',
      operation: 'files.get',
      summary: 'One file',
      access: 'view_files',
      params,
      answers: { 200: fileSchema },
    },
    async (ctx, { params: { id } }) => {
      return { status: 200, body: presentFile(await tenant(app.db, ctx, (tx) => requireFile(tx, id))) };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/files/{id}/content',
      operation: 'files.download',
      summary: 'The bytes of a file',
      access: 'download_files',
      params,
      problems: ['file_not_uploaded', 'file_deleted', 'object_damaged'],
      answers: { 200: null, 206: null, 304: null },
      produces: 'application/octet-stream',
      headers: ['Range', 'If-Range', 'If-None-Match'],
    },
    (ctx, { params: { id }, ...call }) => downloadFile(app, ctx, id, call),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v2/api/files/{id}',
      operation: 'files.delete',
      summary: 'Delete the bytes of a file',
      access: 'delete_files',
      params,
      answers: { 200: fileSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await deleteFile(app, ctx, id) }),
  ),
];
