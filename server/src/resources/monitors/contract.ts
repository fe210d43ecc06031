import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { dayInput, type Field } from '../../ml/version/schema.ts';
import type { App } from '../app.ts';
import { readColumns } from '../models/read-columns.ts';
import { predictionsFrom } from '../predictions/filter.ts';
import type { AlarmSignal } from './alarms/alarm.ts';
import type { AlarmRow } from './alarms/sql.ts';
import type { Sent } from './monitor.ts';
import type { compareReads } from './parsing.ts';
import { countSent, isInService, selectLaterContracts, type selectStoredVersion } from './sql.ts';

type StoredVersion = NonNullable<Awaited<ReturnType<typeof selectStoredVersion>>>;

/**
 * What the active contract, and the one that files which have arrived ask for, take away from what a version in service
 * reads, or have otherwise; empty of a version that no alias leads to.
 */
export async function contractSignals(
  app: Pick<App, 'db' | 'storage' | 'parsing'>,
  ctx: Context,
  version: StoredVersion,
): Promise<AlarmSignal[]> {
  const found = await tenant(app.db, ctx, async (tx) =>
    (await isInService(tx, version.id)) ? selectLaterContracts(tx, version.contract_id) : null,
  );
  if (!found || found.others.length === 0) return [];
  const reads = await readColumns(app, version);
  const compared = await app.parsing.run<typeof compareReads>(
    { name: 'compareReads', input: { ...found, reads: [...reads.keys()] } },
    ctx.workspaceId,
  );
  const signals = compared.flat().map(({ at, table, change, before, after }): AlarmSignal => {
    const kind = at === table ? 'table' : 'column';
    const value = reads.get(at) ?? reads.get(table) ?? 0;
    return { name: at, kind, of: change, value, threshold: 0, before, after };
  });
  return [...new Map(signals.toReversed().map((one) => [`${one.name} ${one.of}`, one])).values()].reverse();
}

/** The first answers of a version, which say what its callers send, and the newest that are held against them. */
const firstRows = 1_000;
const firstRowsMin = 300;
const newestRows = 200;
const newestRowsMin = 100;
/** What fewer of the first callers sent is left out at times, and no loss. */
const sentShareMin = 0.5;
const newestMs = 7 * 24 * 60 * 60 * 1000;

/** What share of the first answers of a version each of its inputs was given in; null while there are too few. */
export async function firstSent(
  tx: Tx,
  ctx: Context,
  { id, inputs, created_at }: StoredVersion,
  now: Date,
): Promise<Sent | null> {
  const span = { from: predictionsFrom(created_at.getTime()), until: predictionsFrom(now.getTime()) };
  const { rows, given } = await countSent(tx, ctx, id, { ...span, most: firstRows, newest: false });
  if (rows < firstRowsMin) return null;
  const names = (inputs as readonly Field[]).map(({ name }) => name).filter((name) => name !== dayInput);
  return Object.fromEntries(names.map((name) => [name, (given[name] ?? 0) / rows]));
}

/**
 * The inputs of a version that callers gave and that none of its newest answers has; one that was told of is until half
 * as many give it as did. With too few new answers, those that were told of stay.
 */
export async function unsentInputs(
  tx: Tx,
  ctx: Context,
  { id }: StoredVersion,
  sent: Sent,
  alarm: AlarmRow | undefined,
  now: Date,
): Promise<AlarmSignal[]> {
  const told = ((alarm?.signals ?? []) as readonly AlarmSignal[]).filter(({ of }) => of === 'not_sent');
  const span = { from: predictionsFrom(now.getTime() - newestMs), until: predictionsFrom(now.getTime()) };
  const { rows, given } = await countSent(tx, ctx, id, { ...span, most: newestRows, newest: true });
  if (rows < newestRowsMin) return told;
  return Object.entries(sent).flatMap(([name, share]): AlarmSignal[] => {
    const value = (given[name] ?? 0) / rows;
    const isGone = told.some((one) => one.name === name) ? value < share / 2 : share >= sentShareMin && value === 0;
    return isGone ? [{ name, kind: 'input', of: 'not_sent', value, threshold: share }] : [];
  });
}
