import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { namesEtag } from '../../lib/http/etags.ts';
import { dayAt, isDay } from '../../lib/time-zone.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireModel } from '../models/require.ts';
import { type Monitor, monitorDefaults, monitorOf } from './monitor.ts';
import { lockMonitor, type MonitorRow, selectMonitor, upsertMonitor } from './sql.ts';

type Set = { readonly modelId: string; readonly monitor: Monitor; readonly etag: string };

const etagOf = (row: MonitorRow | undefined): string => `"${row?.revision ?? 0}"`;

/** How a model, named by its id or name, is watched. Throws Failure 'not_found'. */
export function getMonitor(app: App, ctx: Context, model: string): Promise<Set> {
  return tenant(app.db, ctx, async (tx) => {
    const { id } = await requireModel(tx, model);
    const row = await selectMonitor(tx, id);
    return { modelId: id, monitor: monitorOf(row), etag: etagOf(row) };
  });
}

/**
 * Sets how a model is watched; what is left out is as by default. Throws Failure 'not_found', 'precondition_failed',
 * 'schema_mismatch'.
 */
export function setMonitor(
  app: App,
  ctx: Context,
  model: string,
  asked: Partial<Monitor>,
  ifMatch: string | undefined,
): Promise<Set> {
  const monitor = { ...monitorDefaults, ...asked };
  const today = dayAt(ctx.timeZone, Date.now());
  const { reference_from: from } = monitor;
  if (from !== null && (!isDay(from) || from > today)) {
    const message = `must be a day such as ${today}, not later`;
    throw refuse('schema_mismatch', `reference_from ${message}`, { problems: [{ at: '/reference_from', message }] });
  }
  return tenant(app.db, ctx, async (tx) => {
    const { id } = await requireModel(tx, model);
    const before = await lockMonitor(tx, id);
    if (ifMatch !== undefined && !namesEtag(ifMatch, etagOf(before), 'strong'))
      throw refuse('precondition_failed', `the monitor now has the ETag ${etagOf(before)}`);
    const row = await upsertMonitor(tx, {
      ...{ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, model_id: id },
      ...monitor,
      revision: (before?.revision ?? 0) + 1,
      updated_at: new Date(),
    });
    await record(tx, ctx, 'monitor-update', { type: 'model', id }, monitor);
    return { modelId: id, monitor: monitorOf(row), etag: etagOf(row) };
  });
}
