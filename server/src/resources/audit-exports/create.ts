import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { create } from '../../api/idempotency.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { ExportFormat } from '../../trail/exported.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { openExportsMax, presentExport } from './export.ts';
import { auditExportQueue, type ExportJob } from './queue.ts';
import { countOpen, insertExport } from './sql.ts';

type Asked = { readonly format: ExportFormat; readonly from: Date | null; readonly to: Date | null };

/** Queues an export of the scope's entries. Throws Failure 'limit_exceeded' while too many have not ended. */
export function createExport(app: App, ctx: Context<Scope>, { format, from, to }: Asked): Promise<Answer> {
  const { organizationId: organization_id, workspaceId: workspace_id } = ctx;
  return create(app.db, ctx, 202, async (tx) => {
    if ((await countOpen(tx, ctx, openExportsMax)) >= openExportsMax)
      throw refuse('limit_exceeded', `${openExportsMax} exports have not ended: wait for one of them`);
    const row = await insertExport(tx, ctx, { id: newId('aex'), format, from_at: from, to_at: to });
    const about = { format, from: from?.toISOString() ?? null, to: to?.toISOString() ?? null };
    await record(tx, ctx, 'audit-export-request', { type: 'audit_export', id: row.id }, about);
    const job: ExportJob = { id: row.id, organization_id, workspace_id };
    await app.queue.send(tx, auditExportQueue, job, { group: workspace_id ?? organization_id });
    return presentExport(row);
  });
}
