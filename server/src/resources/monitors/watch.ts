import type { Context } from '../../access/context.ts';
import { system, type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { dayAt } from '../../lib/time-zone.ts';
import { alarmAfter } from '../../ml/monitoring/alarm.ts';
import { judgeBreak } from '../../ml/monitoring/drift.ts';
import { judgeSignals, type Signal, type Watched } from '../../ml/monitoring/judge.ts';
import { performanceRule } from '../../ml/monitoring/performance.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { App } from '../app.ts';
import { type PromisedField, readPromisedFields } from '../models/read-observed.ts';
import { rollBack } from '../models/roll-back.ts';
import { predictionsFrom } from '../predictions/filter.ts';
import type { AlarmSignal } from './alarms/alarm.ts';
import { sayingOf, settleAlarm } from './alarms/settle.ts';
import { type AlarmRow, selectAlarmed, selectOpenAlarms } from './alarms/sql.ts';
import { contractSignals, firstSent, unsentInputs } from './contract.ts';
import { addBins, countedSignals, laySignals } from './counting/count.ts';
import { countBins, deleteDays, selectDays, upsertDays } from './counting/sql.ts';
import { type FieldPerformance, type Monitor, monitorOf, type Report } from './monitor.ts';
import { backMax } from './observe.ts';
import { dayNumber, dayText, measureFields } from './outcomes/measure.ts';
import { observationQueue } from './queue.ts';
import {
  insertMonitored,
  isInService,
  lockMonitored,
  type MonitoredRow,
  selectAnswering,
  selectAnsweringVersions,
  selectBehindContract,
  selectMonitor,
  selectMonitored,
  selectStoredVersion,
  selectTakenOver,
  updateMonitored,
} from './sql.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Predictions are counted this long after they were made: those that are still being written then come next time. */
const settledMs = 60_000;
/** A version is looked at again after so long, by whoever looks every quarter of an hour: within the hour. */
const everyMs = 40 * 60_000;
/** Versions that answered within this time are looked at. */
const answeringMs = 26 * hourMs;
/** Days of counts that are kept. */
const keptDays = 420;
/** A version that has not answered for so long drifts no more. */
const silentDays = 7;

type Watching = Pick<App, 'db' | 'log' | 'storage' | 'queue' | 'parsing'>;

/**
 * Counts what every version of every workspace has answered since it was counted last, judges it, raises and clears
 * alarms, and moves aliases back where that is wanted. Each version about once an hour. An error in one is logged, and
 * the others go on. `signal` stops it soon. Returns how many versions were judged.
 */
export async function watchModels(app: Watching, signal?: AbortSignal, now = new Date()): Promise<number> {
  const bound = predictionsFrom(now.getTime() - answeringMs);
  let judged = 0;
  for (const id of await system(app.db, 'watch models', (tx) => selectAnswering(tx, bound))) {
    const ctx = await workspaceContext(app.db, id);
    const versions = await tenant(app.db, ctx, async (tx) => {
      const alarmed = await selectAlarmed(tx, ctx);
      const behind = await selectBehindContract(tx, ctx);
      const answering = await selectAnsweringVersions(tx, ctx, bound);
      const names = new Map(
        [...alarmed, ...behind, ...answering].map(({ version_id, model_id }) => [version_id, model_id]),
      );
      return [...names].map(([version_id, model_id]) => ({ version_id, model_id }));
    });
    for (const version of versions) {
      if (signal?.aborted) return judged;
      try {
        judged += Number(await watchVersion(app, ctx, version, now));
      } catch (error) {
        app.log.warn({ err: error, workspace: id, version: version.version_id }, 'version not watched');
      }
    }
  }
  return judged;
}

type Named = Pick<MonitoredRow, 'model_id' | 'version_id'>;

async function watchVersion(app: Watching, ctx: Context, named: Named, now: Date): Promise<boolean> {
  const found = await tenant(app.db, ctx, async (tx) => ({
    row: await selectMonitored(tx, named.version_id),
    monitor: monitorOf(await selectMonitor(tx, named.model_id)),
    version: await selectStoredVersion(tx, named.version_id),
  }));
  const { row, monitor, version } = found;
  if (!version || !monitor.enabled) return false;
  if (row?.judged_at && row.judged_at.getTime() > now.getTime() - everyMs) return false;
  const fields = await readPromisedFields(app, version);
  const about = { fields, inputs: version.inputs as Field[], createdAt: version.created_at };
  while (await countStep(app, ctx, named, about, now)) {
    // Each step counts a day at most, in a transaction of its own.
  }
  const changed = await contractSignals(app, ctx, version);
  return tenant(app.db, ctx, (tx) => judgeVersion(app, tx, ctx, { named, monitor, version, fields, changed, now }));
}

type About = { readonly fields: readonly PromisedField[]; readonly inputs: readonly Field[]; readonly createdAt: Date };

/** Counts what is next of a version, of a day at most. Returns whether there is more. */
function countStep(app: Watching, ctx: Context, named: Named, about: About, now: Date): Promise<boolean> {
  const end = now.getTime() - settledMs;
  return tenant(app.db, ctx, async (tx) => {
    await insertMonitored(tx, ctx, named);
    const row = await lockMonitored(tx, named.version_id);
    if (!row) return false;
    const start = Math.max(end - backMax * dayMs, about.createdAt.getTime());
    const from = row.counted_until?.getTime() ?? start;
    if (from >= end) return false;
    let signals = row.signals as readonly Signal[] | null;
    if (signals === null) {
      const span = { from: predictionsFrom(start), until: predictionsFrom(end) };
      signals = await laySignals(tx, ctx, named.version_id, about, span);
      if (signals === null) return false;
    }
    const until = Math.min(from + dayMs, end);
    const span = { from: predictionsFrom(from), until: predictionsFrom(until) };
    const added = await countBins(tx, ctx, named.version_id, span, countedSignals(signals));
    const days = await selectDays(tx, named.version_id, dayOf(ctx, from));
    await upsertDays(tx, ctx, named.version_id, addBins(signals, days, added));
    await deleteDays(tx, named.version_id, dayText(dayNumber(dayOf(ctx, end)) - keptDays));
    await updateMonitored(tx, named.version_id, { signals: JSON.stringify(signals), counted_until: new Date(until) });
    return until < end;
  });
}

function dayOf(ctx: Context, ms: number): string {
  return dayAt(ctx.timeZone, ms);
}

type Judging = {
  readonly named: Named;
  readonly monitor: Monitor;
  readonly version: NonNullable<Awaited<ReturnType<typeof selectStoredVersion>>>;
  readonly fields: readonly PromisedField[];
  /** What contracts take away from what it reads. */
  readonly changed: readonly AlarmSignal[];
  readonly now: Date;
};

/** Judges what is counted of a version, with all that follows, in the transaction of the caller. */
async function judgeVersion(app: Watching, tx: Tx, ctx: Context, judging: Judging): Promise<boolean> {
  const { named, monitor, version, fields, changed, now } = judging;
  const row = await lockMonitored(tx, named.version_id);
  if (!row) return false;
  const signals = (row.signals ?? []) as readonly Signal[];
  const open = await selectOpenAlarms(tx, named.version_id);
  const ofKind = (kind: string) => open.find((alarm) => alarm.kind === kind);
  const days = await selectDays(tx, named.version_id, null);
  const counted = days.map(({ day, counts }) => ({ day: dayNumber(day), counts }));
  const watched = judgeSignals(signals, counted, {
    referenceFrom: monitor.reference_from === null ? Number.NEGATIVE_INFINITY : dayNumber(monitor.reference_from),
    wasRaised: ({ name, kind }, of) => has(ofKind('drift'), { name, kind, of }),
  });
  const today = dayNumber(dayOf(ctx, now.getTime()));
  const isSilent = !days.some(({ day, rows }) => rows > 0 && dayNumber(day) > today - silentDays);
  const broken = isSilent ? [] : await findBreak(tx, row, signals, counted);
  const drifted = isSilent ? [] : [...broken, ...watched.filter(({ isRaised }) => isRaised).map(driftSignal(signals))];
  const performance = await measureFields(tx, ctx, named.version_id, fields, {
    now,
    outcomesMin: monitor.outcomes_min,
  });
  const earlier = row.report as Report | null;
  const sent = earlier?.sent ?? (await firstSent(tx, ctx, version, now));
  const unsent =
    sent && (await isInService(tx, version.id))
      ? await unsentInputs(tx, ctx, version, sent, ofKind('contract'), now)
      : [];
  const before = earlier?.levels ?? {};
  const levels = levelsOf(performance, before, today);
  const failing = performance.flatMap((own) => failingFigures(own, levels, ofKind('performance')));
  const concerned = { modelId: named.model_id, modelName: version.model_name, versionId: named.version_id };
  await settleAlarm(tx, ctx, concerned, 'drift', ofKind('drift'), drifted, now);
  await settleAlarm(tx, ctx, concerned, 'contract', ofKind('contract'), [...changed, ...unsent], now);
  await settleAlarm(tx, ctx, concerned, 'performance', ofKind('performance'), failing, now);
  const certain = [...broken, ...failing];
  if (monitor.auto_rollback && certain.length > 0)
    await rollBack(
      tx,
      ctx,
      { modelId: named.model_id, versionId: named.version_id, reason: certain, signals: certain.map(sayingOf) },
      { days: monitor.rollback_days, now },
    );
  const report: Report = { watched, performance, sent, levels };
  await updateMonitored(tx, named.version_id, { report: JSON.stringify(report), judged_at: now });
  if (row.observed_until === null || dayNumber(row.observed_until) < today - 1)
    await app.queue.send(
      tx,
      observationQueue,
      { version_id: named.version_id, workspace_id: ctx.workspaceId },
      { group: ctx.workspaceId },
    );
  return true;
}

function has(alarm: AlarmRow | undefined, { name, kind, of }: Pick<AlarmSignal, 'name' | 'kind' | 'of'>): boolean {
  const signals = (alarm?.signals ?? []) as readonly AlarmSignal[];
  return signals.some((one) => one.name === name && one.kind === kind && one.of === of);
}

const driftSignal =
  (signals: readonly Signal[]) =>
  ({ signal, of, series }: Watched): AlarmSignal => {
    const { name, kind } = signals[signal];
    const { psi, upper } = series.at(-1)!;
    return { name, kind, of, value: psi, threshold: upper };
  };

/**
 * Whether the score has been of another distribution since the version took over an alias, or a share of it: held
 * against the days of the version in whose place it answers.
 */
async function findBreak(
  tx: Tx,
  row: MonitoredRow,
  signals: readonly Signal[],
  days: readonly { readonly day: number; readonly counts: readonly (readonly number[] | null)[] }[],
): Promise<AlarmSignal[]> {
  const [score] = signals;
  if (score?.kind !== 'score' || score.bins.kind !== 'number') return [];
  for (const { other_version_id, day } of await selectTakenOver(tx, row.version_id)) {
    const before = await selectMonitored(tx, other_version_id);
    const [other] = (before?.signals ?? []) as readonly Signal[];
    if (other?.kind !== 'score' || other.name !== score.name) continue;
    const reference = await selectDays(tx, other_version_id, dayText(dayNumber(day) - backMax));
    const own = days
      .filter((one) => one.day >= dayNumber(day) && one.counts[0])
      .map(({ counts }) => counts[0]!.slice(1));
    if (own.length === 0) continue;
    const since = own[0].map((_, bin) => own.reduce((sum, counts) => sum + counts[bin], 0));
    const usual = reference
      .filter((one) => one.day <= day)
      .flatMap(({ counts }) => (counts[0] ? [counts[0].slice(1)] : []));
    const judged = judgeBreak(usual, since);
    if (judged?.isBroken)
      return [{ name: score.name, kind: 'score', of: 'break', value: judged.psi, threshold: judged.threshold }];
  }
  return [];
}

type Levels = Report['levels'];

const levelName = (output: string, figure: string) => `${output} ${figure}`;

/** The levels of each figure on the newest days on which it was measured: of a day, the last. */
function levelsOf(performance: readonly FieldPerformance[], before: Levels, today: number): Levels {
  return Object.fromEntries(
    performance.flatMap(({ output, figures }) =>
      figures.map(({ name, level }) => {
        const own = (before[levelName(output, name)] ?? []).filter(({ day }) => day < today);
        return [levelName(output, name), [...own, { day: today, level }].slice(-performanceRule.clear)];
      }),
    ),
  );
}

/** Figures of a field that are beyond what was promised on days in a row, or were and are not yet back. */
function failingFigures(
  { output, figures, coverage }: FieldPerformance,
  levels: Levels,
  alarm: AlarmRow | undefined,
): AlarmSignal[] {
  return figures.flatMap(({ name: of, value, promised }) => {
    const wasOn = has(alarm, { name: output, kind: 'outcome', of });
    // Of what comes back of few predictions it is not known whether it is like the rest.
    if (coverage < coverageMin && !wasOn) return [];
    const own = levels[levelName(output, of)].map(({ level }) => level);
    return alarmAfter(wasOn, own, performanceRule)
      ? [{ name: output, kind: 'outcome', of, value, threshold: promised }]
      : [];
  });
}

const coverageMin = 0.5;
