import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { csvLine } from '../../lib/files/csv-line.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type RecordFilters, type RecordRow, selectRecords } from './sql.ts';

const header = [
  ...['recorded_at', 'workspace_id', 'meter', 'quantity', 'model_id', 'version_id', 'actor_type', 'actor_id', 'actor'],
  ...['channel', 'request_id', 'target_type', 'target_id', 'id'],
];
const pageRows = 1_000;

export const recordsExample = `${header.join(',')}\r\n2026-03-02T12:00:00.000Z,ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,predictions,1,mdl_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,ver_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,api_key,key_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,scoring,api,req_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,prediction,prd_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,aud_019f2e0c51b27c4e8a5d6f7a8b9c0d1e\r\n`;

/** The log of usage of the scope as CSV, newest first. It is read page by page while it is sent. */
export async function* writeRecords(app: App, ctx: Context<Scope>, filters: RecordFilters): AsyncGenerator<string> {
  const target = ctx.workspaceId === null ? ['organization', ctx.organizationId] : ['workspace', ctx.workspaceId];
  await tenant(app.db, ctx, (tx) => record(tx, ctx, 'usage-record-download', { type: target[0], id: target[1] }));
  yield csvLine(header);
  for (let last: string | null = null; ; ) {
    const before = last;
    const rows: RecordRow[] = await tenant(app.db, ctx, (tx) => selectRecords(tx, ctx, filters, before, pageRows));
    yield rows.map((row) => csvLine(cellsOf(row))).join('');
    if (rows.length < pageRows) return;
    last = rows.at(-1)!.id;
  }
}

function cellsOf(row: RecordRow): readonly (string | null)[] {
  return [
    ...[row.recorded_at!.toISOString(), row.workspace_id, row.meter, String(row.quantity), row.model_id],
    ...[row.version_id, row.actor_type, row.actor_id, row.actor_label, row.channel, row.request_id],
    ...[row.target_type, row.target_id, row.id],
  ];
}
