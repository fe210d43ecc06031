import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { signAddress } from '../../tenancy/address.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { create } from '../../tenancy/create.ts';
import type { App } from '../app.ts';
import { uploadLifetimeMs } from './file.ts';

export type DeclaredFile = { readonly path: string; readonly content_type: string; readonly md5: string };

/** Declares files and gives each an address to send its bytes to. */
export function requestUpload(app: App, ctx: Context, declared: readonly DeclaredFile[]): Promise<Answer> {
  return create(app.db, ctx, 201, async (tx) => {
    const uploadId = newId('upl');
    const own = { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, created_by: ctx.actor.label };
    const expires = new Date(Date.now() + uploadLifetimeMs);
    await tx
      .insertInto('uploads')
      .values({ ...own, id: uploadId })
      .execute();
    const rows = declared.map(({ path, content_type, md5 }) => {
      const id = newId('file');
      return {
        ...own,
        id,
        upload_id: uploadId,
        path,
        content_type,
        md5,
        storage_key: fileKey(ctx, id),
        expires_at: expires,
      };
    });
    await tx.insertInto('files').values(rows).execute();
    await record(
      tx,
      ctx,
      'batch-input-upload-request',
      { type: 'upload', id: uploadId },
      {
        files: rows.map(({ id, path }) => ({ id, path })),
      },
    );
    return {
      id: uploadId,
      files: rows.map(({ id, path, content_type, md5 }) => ({
        id,
        path,
        upload_url: `${app.publicUrl()}${signAddress(app.keys.addresses, ctx, { path: contentPath(id), method: 'PUT', expires })}`,
        method: 'PUT',
        headers: { 'Content-Type': content_type, 'Content-MD5': md5 },
        expires_at: expires.toISOString(),
      })),
    };
  });
}

/** Where the bytes of a file are kept. */
export function fileKey({ organizationId, workspaceId }: Context, id: string): string {
  return `${organizationId}/${workspaceId}/files/${id}`;
}

export function contentPath(id: string): string {
  return `/v2/api/files/${id}/content`;
}
