import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { dayAt } from '../../lib/time-zone.ts';
import type { Signal } from '../../ml/monitoring/judge.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { leaves } from '../job.ts';
import { type PromisedField, readPromisedFields } from '../models/read-observed.ts';
import { closesOf } from '../outcomes/record.ts';
import { recordTold, type ToldOutcome } from '../outcomes/record-told.ts';
import { predictionsFrom } from '../predictions/filter.ts';
import type { AskedPredictions, Observed, ObserveTask, observe } from './compute.ts';
import { selectDays, upsertDays } from './counting/sql.ts';
import { dayNumber, dayText } from './outcomes/measure.ts';
import { type AskedRow, selectSampled, selectUnlabelled } from './outcomes/sql.ts';
import type { ObservationJob } from './queue.ts';
import { awaitMonitored, selectMonitored, selectStoredVersion, updateMonitored } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Days that are looked back at for a version that was not observed before. */
export const backMax = 35;
const readPerDay = 1_000;
const labelledMax = 20_000;

/**
 * Observes a version: what it read of those whom it was asked about on days that have ended, and what the tables tell
 * by now of its predictions. Idempotent: counts of a day replace those before, and outcomes that are there stay.
 */
export async function observeVersion(
  app: App,
  job: ObservationJob,
  stop: AbortSignal,
  now = Date.now(),
): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const version = await tenant(app.db, ctx, (tx) => selectStoredVersion(tx, job.version_id));
  if (!version) return;
  const fields = await readPromisedFields(app, version);
  const found = await findAsked(app, ctx, version, fields, now);
  const yesterday = dayText(dayNumber(dayAt(ctx.timeZone, now)) - 1);
  if (found) await observeRows(app, ctx, { ...found, version, fields, now }, stop);
  await tenant(app.db, ctx, (tx) => updateMonitored(tx, version.id, { observed_until: yesterday }));
}

type StoredVersion = NonNullable<Awaited<ReturnType<typeof selectStoredVersion>>>;

/** What is to be asked about; null where there is nothing, or no data. */
function findAsked(app: App, ctx: Context, version: StoredVersion, [deciding]: readonly PromisedField[], now: number) {
  return tenant(app.db, ctx, async (tx) => {
    const monitored = await selectMonitored(tx, version.id);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) return null;
    const until = monitored?.observed_until ?? null;
    const span = {
      from: predictionsFrom(until === null ? now - backMax * dayMs : (dayNumber(until) - 1) * dayMs),
      until: predictionsFrom(now),
    };
    const sampled = await selectSampled(tx, ctx, version.id, { ...span, most: readPerDay });
    const today = dayAt(ctx.timeZone, now);
    const readRows = sampled.filter(({ day }) => day < today && day > (until ?? ''));
    const labelledRows = deciding
      ? await selectUnlabelled(tx, ctx, version.id, { output: deciding.name, before: new Date(now), most: labelledMax })
      : [];
    if (readRows.length === 0 && labelledRows.length === 0) return null;
    const graphModels = await selectStoredGfms(tx, [version]);
    const names = await currentIdentifiers(tx, ctx);
    // What `laySignals` and `keepCounts` have written, so that the cast holds.
    const signals = (monitored?.signals ?? []) as readonly Signal[];
    return { snapshot, names, graphModels, readRows, labelledRows, signals };
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findAsked>>> & {
  readonly version: StoredVersion;
  readonly fields: readonly PromisedField[];
  readonly now: number;
};

async function observeRows(app: App, ctx: Context, found: Found, stop: AbortSignal): Promise<void> {
  const { version, fields, readRows, labelledRows, now } = found;
  const folder = join(app.workFolder, newId('obs'));
  try {
    await mkdir(folder, { recursive: true });
    const leading = found.signals.filter(({ kind }) => kind === 'feature');
    const input: ObserveTask = {
      data: { id: `${found.snapshot.id} ${found.names}`, ...(await localData(app, found)) },
      targets: await placeTargets(app, folder, [version], found.graphModels),
      leading:
        leading.length === 0
          ? null
          : leading.map(({ name, said, bins }) => ({ feature: Number(name), said: said!, bins })),
      read: askedOf(ctx, readRows),
      labelled: { ...askedOf(ctx, labelledRows), tables: labelledRows.map(({ table }) => table) },
      until: readableUntil(ctx.timeZone, now),
    };
    const about = { workspace: ctx.workspaceId, version: version.id };
    const observed = await app.compute!.run<typeof observe>(
      { name: 'observe', input },
      { signal: stop, group: ctx.workspaceId, leaves: leaves.evaluation, folder, about },
    );
    await keepCounts(app, ctx, version.id, observed);
    await keepOutcomes(app, ctx, fields, labelledRows, observed, version);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function localData(app: App, { snapshot, names }: Pick<Found, 'snapshot' | 'names'>) {
  const local = await localSnapshot(app.storage, snapshot, names);
  return { frozen: local.frozen, identifiers: local.names };
}

function askedOf(ctx: Context, rows: readonly AskedRow[]): AskedPredictions {
  return {
    keys: rows.map(({ key }) => key),
    at: rows.map(({ as_of }) => readableUntil(ctx.timeZone, as_of.getTime())),
    days: rows.map(({ day }) => dayNumber(day)),
  };
}

/** Adds the counts of features to the days; those of features are laid with the first of them. */
function keepCounts(app: App, ctx: Context, versionId: string, observed: Observed): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const row = await awaitMonitored(tx, versionId);
    // It was forgotten meanwhile, with a name that stood in it.
    if (!row?.signals) return;
    const known = row.signals as readonly Signal[];
    const isLaid = known.some(({ kind }) => kind === 'feature');
    const added = observed.leading.map(
      ({ feature, said, bins }): Signal => ({ name: String(feature), kind: 'feature', said, bins }),
    );
    const signals = isLaid ? known : [...known, ...added];
    const first = signals.findIndex(({ kind }) => kind === 'feature');
    const days = new Map((await selectDays(tx, versionId, null)).map((day) => [day.day, day]));
    const counted = observed.days.flatMap(({ day, counts }) => {
      const had = days.get(dayText(day));
      if (!had || first < 0) return [];
      return [{ ...had, counts: signals.map((_, s) => (s < first ? (had.counts[s] ?? null) : counts[s - first])) }];
    });
    await upsertDays(tx, ctx, versionId, counted);
    await updateMonitored(tx, versionId, { signals: JSON.stringify(signals) });
  });
}

async function keepOutcomes(
  app: App,
  ctx: Context,
  fields: readonly PromisedField[],
  rows: readonly AskedRow[],
  { labels }: Observed,
  { id, model_id }: StoredVersion,
): Promise<void> {
  const outcomes = fields.flatMap(({ name, output, kind, classes, windowDays }) =>
    (labels[output] ?? []).flatMap((label, place): ToldOutcome[] => {
      if (label === null) return [];
      const row = rows[place];
      const closes = closesOf(row.as_of.getTime(), windowDays, ctx.timeZone);
      return [
        {
          ...{ prediction_id: row.id, model_id, version_id: id, output: name },
          value: kind === 'multiclass' ? classes[label] : label,
          closes: closes === null ? null : new Date(closes),
        },
      ];
    }),
  );
  await recordTold(app, ctx, outcomes);
}
