import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { csvLine } from '../../lib/files/csv-line.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type HistoryRow, selectHistory } from './sql.ts';

const header = [
  ...['recorded_at', 'event', 'email', 'user_id', 'old_role', 'new_role', 'workspace_id', 'workspace'],
  ...['by_type', 'by', 'by_id'],
];
const pageRows = 1_000;

export const historyExample =
  'recorded_at,event,email,user_id,old_role,new_role,workspace_id,workspace,by_type,by,by_id\r\n2026-03-02T12:00:00.000Z,invited,rui@company.com,,,developer,ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e,Lending,user,ana@company.com,usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e\r\n';

/**
 * The history of the members of the scope as CSV (RFC 4180), oldest first, without texts that a spreadsheet would run
 * as formulas. It is read page by page while it is sent.
 */
export async function* writeHistory(app: App, ctx: Context<Scope>): AsyncGenerator<string> {
  const target = ctx.workspaceId === null ? ['organization', ctx.organizationId] : ['workspace', ctx.workspaceId];
  await tenant(app.db, ctx, (tx) => record(tx, ctx, 'membership-history-download', { type: target[0], id: target[1] }));
  yield csvLine(header);
  for (let after = ''; ; ) {
    const rows = await tenant(app.db, ctx, (tx) => selectHistory(tx, ctx, after, pageRows));
    yield rows.map((row) => csvLine(cellsOf(row))).join('');
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.id;
  }
}

function cellsOf(row: HistoryRow): readonly (string | null)[] {
  return [
    ...[row.recorded_at.toISOString(), row.kind, row.email, row.user_id, row.old_role, row.new_role],
    ...[row.workspace_id, row.workspace_name, row.actor_type, row.actor_label, row.actor_id],
  ];
}
