import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ask } from '../../serving/ask.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { PredictionRow } from '../predictions/prediction.ts';
import { requirePrediction } from '../predictions/require.ts';
import { includeOf, loggedOf } from './logged.ts';
import { type Pinned, placePins, requirePins } from './pins.ts';
import type { predictionReplaySchema } from './replay.ts';
import { type LoggedPrediction, type ReplayedPrediction, replayOne } from './replay-one.ts';

/**
 * Answers a prediction of the log again: by the version, over the snapshot and as of the moment that it was answered
 * by. Changes nothing in the log, and leaves an entry in the trail. Throws Failure 'not_found', 'entity_erased';
 * 'pin_gone' where it cannot be answered again; 'budget_exceeded' where the data are too large to be open.
 */
export async function replayPrediction(
  app: App,
  ask: Ask,
  ctx: Context,
  id: string,
): Promise<Static<typeof predictionReplaySchema>> {
  const { row, pinned } = await tenant(app.db, ctx, async (tx) => {
    const row = await requirePrediction(tx, id, app.retentionDays);
    return { row, pinned: await requirePins(tx, ctx, row) };
  });
  const logged = loggedOf(row, ctx);
  const replayed = await overPinned(app, ask, ctx, row, pinned, logged);
  await tenant(app.db, ctx, (tx) =>
    record(tx, ctx, 'prediction-replay', { type: 'prediction', id }, { bit_identical: replayed.isIdentical }),
  );
  return present(row, pinned, replayed);
}

async function overPinned(
  app: App,
  ask: Ask,
  ctx: Context,
  { model_id: modelId, version_id: versionId, snapshot_id: snapshotId }: PredictionRow,
  pinned: Pinned,
  logged: LoggedPrediction,
): Promise<ReplayedPrediction> {
  try {
    return await app.serving.usePinned(ctx, { versionId, snapshotId }, (own) =>
      replayOne({ ...own, modelId, versionId, snapshotId }, ask, logged),
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== 'object_damaged') throw error;
    // Which pin the bytes are of is told by whoever places them one by one.
    await requireBytes(app, pinned);
    throw error;
  }
}

async function requireBytes(app: App, pinned: Pinned): Promise<void> {
  const folder = join(app.workFolder, newId('rpl'));
  await mkdir(folder, { recursive: true });
  try {
    await placePins(app, folder, pinned);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function present(row: PredictionRow, { version, snapshot }: Pinned, replayed: ReplayedPrediction) {
  const { sha256, differences, outputs } = replayed;
  return {
    prediction_id: row.id,
    bit_identical: replayed.isIdentical,
    output_hash: row.outputs_sha256,
    replayed_hash: sha256,
    log_intact: row.outputs_sha256 === null || row.outputs_sha256 !== sha256 ? null : differences.length === 0,
    differences: [...differences],
    outputs: outputs === null ? null : JSON.parse(outputs),
    refusal: replayed.refusal,
    pins: {
      ...{ version_id: row.version_id, snapshot_id: row.snapshot_id },
      ...{ contract_id: version.contract_id, snapshot_contract_id: snapshot.contract_id },
      as_of: row.as_of.toISOString(),
      generated_at: String((row.outputs as { readonly generated_at?: unknown }).generated_at),
      ...{ time_zone: row.time_zone, language: row.language, include: includeOf(row), engine: row.engine },
    },
    engine: replayed.engine,
    replayed_at: new Date().toISOString(),
  };
}
