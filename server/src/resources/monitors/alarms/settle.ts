import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { newId } from '../../../lib/crypto/ids.ts';
import { record } from '../../../trail/record.ts';
import type { AlarmSignal } from './alarm.ts';
import { type AlarmRow, insertAlarm, updateAlarm } from './sql.ts';

export type AlarmKind = 'drift' | 'performance' | 'contract';

type Concerned = { readonly modelId: string; readonly modelName: string; readonly versionId: string };

/**
 * Raises an alarm of a version when something is beyond its threshold, and clears it when nothing is; each is told
 * once. While it is on, it keeps what is beyond, and what comes to it is told, each signal once.
 */
export async function settleAlarm(
  tx: Tx,
  ctx: Context,
  { modelId, modelName, versionId }: Concerned,
  kind: AlarmKind,
  open: AlarmRow | undefined,
  signals: readonly AlarmSignal[],
  now: Date,
): Promise<void> {
  const tell = (status: 'raised' | 'extended' | 'cleared', id: string, about: readonly AlarmSignal[]) =>
    record(
      tx,
      ctx,
      kind === 'performance' ? 'model-performance' : 'model-drift',
      { type: 'model_version', id: versionId },
      { status, kind, model: modelName, model_id: modelId, alarm_id: id, signals: about.map(sayingOf) },
    );
  if (open && signals.length === 0) {
    await updateAlarm(tx, open.id, { cleared_at: now });
    await tell('cleared', open.id, open.signals as AlarmSignal[]);
  } else if (open) {
    const added = signals.filter((one) => !open.told.includes(keyOf(one)));
    await updateAlarm(tx, open.id, {
      signals: JSON.stringify(signals),
      told: [...open.told, ...added.map(keyOf)],
    });
    if (added.length > 0) await tell('extended', open.id, added);
  } else if (signals.length > 0) {
    const id = newId('alm');
    await insertAlarm(tx, {
      ...{ id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId },
      ...{ model_id: modelId, version_id: versionId, kind, signals: JSON.stringify(signals), raised_at: now },
      told: signals.map(keyOf),
    });
    await tell('raised', id, signals);
  }
}

/** What makes a signal another one than those that were told. */
function keyOf({ kind, of, name }: AlarmSignal): string {
  return `${kind} ${of} ${name}`;
}

const digits = 3;

/**
 * One line of what is beyond its threshold: `income (values): 0.21 > 0.08`; of a contract what became of it:
 * `orders.amount (retyped): number → string`.
 */
export function sayingOf({ name, of, value, threshold, before, after }: AlarmSignal): string {
  if (after !== undefined) {
    const change = [before, after].filter((one) => one !== null && one !== undefined).join(' → ');
    return change === '' ? `${name} (${of})` : `${name} (${of}): ${change}`;
  }
  const [is, than] = [value, threshold].map((one) => Number(one.toPrecision(digits)));
  return `${name} (${of}): ${is} ${value >= threshold ? '>' : '<'} ${than}`;
}
