import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { dayAt, isDay } from '../../lib/time-zone.ts';
import type { Signal, Watched } from '../../ml/monitoring/judge.ts';
import type { App } from '../app.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { presentAlarm } from './alarms/alarm.ts';
import { selectOpenAlarms } from './alarms/sql.ts';
import { selectDays } from './counting/sql.ts';
import { binNames, monitorOf, type Report, shareOf } from './monitor.ts';
import { dayNumber, dayText } from './outcomes/measure.ts';
import { selectActiveContract, selectMonitor, selectMonitored, selectNewestVersion, selectRollbacks } from './sql.ts';

type Asked = { readonly version?: string; readonly from?: string; readonly until?: string };

const daysDefault = 90;
const rollbacksTold = 20;
const usualAlias = 'production';

/**
 * The newest judgement of a version of a model, named by its id or name, with its series between two days. Throws
 * Failure 'not_found', 'invalid_parameter'.
 */
export function readMonitoring(app: Pick<App, 'db'>, ctx: Context, model: string, asked: Asked) {
  const span = spanOf(ctx, asked);
  return tenant(app.db, ctx, async (tx) => {
    const { id } = await requireModel(tx, model);
    const version = await requireVersion(tx, model, asked.version ?? (await usualVersion(tx, id)));
    const row = await selectMonitored(tx, version.id);
    const signals = (row?.signals ?? []) as readonly Signal[];
    const report = (row?.report ?? null) as Report | null;
    const days = (await selectDays(tx, version.id, span.from)).filter(({ day }) => day <= span.until);
    const { enabled } = monitorOf(await selectMonitor(tx, id));
    return {
      ...{ model_id: id, version_id: version.id },
      status: !enabled ? 'off' : report && report.watched.length > 0 ? 'watching' : 'waiting',
      rows: days.reduce((sum, { rows }) => sum + rows, 0),
      days: days.map(({ day, rows }) => ({ day, rows })),
      counted_until: row?.counted_until?.toISOString() ?? null,
      judged_at: row?.judged_at?.toISOString() ?? null,
      contract_number: version.contract_number,
      active_contract_number: await selectActiveContract(tx, ctx),
      signals: (report?.watched ?? [])
        .map((one) => presentWatched(signals[one.signal], one, ctx.language, span))
        .sort((a, b) => beyond(b) - beyond(a)),
      performance: (report?.performance ?? []).map(({ figures, ...own }) => ({
        ...own,
        figures: figures.map(({ level: _, ...figure }) => figure),
      })),
      alarms: (await selectOpenAlarms(tx, version.id)).map(presentAlarm),
      rollbacks: (await selectRollbacks(tx, id, rollbacksTold)).map((one) => ({
        ...{ alias: one.alias, from_version_id: one.from_version_id, to_version_id: one.to_version_id },
        signals: one.reason as unknown[],
        created_at: one.created_at.toISOString(),
      })),
    };
  });
}

function spanOf(ctx: Context, { from, until }: Asked): { readonly from: string; readonly until: string } {
  for (const [name, day] of Object.entries({ from, until }))
    if (day !== undefined && !isDay(day)) {
      const message = 'must be a day such as 2026-01-31';
      throw refuse('invalid_parameter', `${name} ${message}`, { problems: [{ at: `/query/${name}`, message }] });
    }
  const end = until ?? dayAt(ctx.timeZone, Date.now());
  return { from: from ?? dayText(dayNumber(end) - daysDefault), until: end };
}

/** The version behind production, or the newest. */
async function usualVersion(tx: Tx, modelId: string): Promise<string> {
  return (await selectNewestVersion(tx, modelId, usualAlias)) ?? usualAlias;
}

function presentWatched(
  signal: Signal,
  { of, window, reference, current, series, isRaised }: Watched,
  language: Context['language'],
  span: { readonly from: string; readonly until: string },
) {
  const last = series.at(-1);
  return {
    name: signal.said?.[language] ?? signal.name,
    ...{ kind: signal.kind, of, bins: binNames(signal, of), window_days: window },
    reference: { from: dayText(reference.from), until: dayText(reference.until), ...shareOf(reference.counts) },
    current: shareOf(current),
    ...{ psi: last?.psi ?? null, upper: last?.upper ?? null, is_raised: isRaised },
    series: series
      .map(({ day, psi, upper, lower }) => ({ day: dayText(day), psi, upper, lower }))
      .filter(({ day }) => day >= span.from && day <= span.until),
  };
}

function beyond({ psi, upper }: { readonly psi: number | null; readonly upper: number | null }): number {
  return psi === null || upper === null ? 0 : psi / upper;
}
