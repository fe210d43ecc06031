import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import type { Call } from '../../api/route.ts';
import { partOf, type SentObject, sendObject } from '../../api/send-object.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { fileNames } from './export.ts';
import { requireExport } from './require.ts';

/**
 * Sends the entries of an export or its manifest, or a range of them; each request is recorded. Throws Failure
 * 'not_found', 'conflict' while it has not succeeded, and as `sendObject` does.
 */
export async function downloadExport(
  app: App,
  ctx: Context<Scope>,
  { id, part }: { readonly id: string; readonly part: 'entries' | 'manifest' },
  { exchange, ensure }: Pick<Call<never, never, never>, 'exchange' | 'ensure'>,
): Promise<Answer> {
  const { key, sent } = await tenant(app.db, ctx, async (tx) => {
    const row = await requireExport(tx, ctx, id);
    if (row.status !== 'succeeded') throw refuse('conflict', `the export is ${row.status}: it has no files`);
    const [key, bytes, sha256] =
      part === 'entries'
        ? [row.entries_key!, row.entries_bytes!, row.entries_sha256!]
        : [row.manifest_key!, row.manifest_bytes!, row.manifest_sha256!];
    const contentType = part === 'manifest' ? 'application/json' : contentTypes[row.format];
    const sent: SentObject = { bytes, sha256, contentType, name: fileNames(row)[part] };
    if (exchange.method !== 'HEAD' && partOf(exchange.headers, sent) !== null)
      await record(tx, ctx, 'audit-export-download', { type: 'audit_export', id }, { part });
    return { key, sent };
  });
  return sendObject(app.storage, key, { exchange, ensure }, sent);
}

const contentTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};
