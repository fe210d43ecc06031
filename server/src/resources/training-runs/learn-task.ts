import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tenant } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import { gfmFolderOf, storedGfm } from '../../serving/graph-models.ts';
import { isAway, refusalOf } from '../attempt.ts';
import { localName } from '../files/ending.ts';
import { requireUploaded } from '../files/require.ts';
import { requireGfmVersion } from '../gfm-versions/require.ts';
import { leaves, waitingPhase } from '../job.ts';
import { addVersion, storeVersion } from '../models/add-version.ts';
import { requireTask } from '../tasks/require.ts';
import { validateLearned } from '../validations/after-training.ts';
import type { TrainResult, train } from './compute.ts';
import { fineTune } from './fine-tune.ts';
import type { Learn } from './learn.ts';
import { pinnedData } from './pinned-data.ts';

/** The share of a run with fine-tuning that is done when its model is trained. */
const learnedShare = 0.8;

/** Trains a model of the run's task, and adds it as a version. */
export const learnTask: Learn = async ({ app, ctx, row, folder, signal, tell }) => {
  const { task, files, gfm } = await tenant(app.db, ctx, async (tx) => {
    const task = await requireTask(tx, row.task_id!);
    const { train, validation } = task.labels;
    const files = [];
    for (const id of [train, validation]) if (id) files.push(await requireUploaded(tx, id));
    return { task, files, gfm: row.gfm_version_id === null ? null : await requireGfmVersion(tx, row.gfm_version_id) };
  });
  const labels: string[] = [];
  for (const [at, file] of files.entries()) {
    const place = join(folder, `labels-${at}`);
    await mkdir(place);
    const path = join(place, localName(file.path, file.content_type));
    await symlink(await app.storage.localPath(file.storage_key, file.sha256), path);
    labels.push(path);
  }
  const input = {
    ...(await pinnedData(app, ctx, row)),
    definition: task.definition,
    name: task.name,
    labels,
    isPretrained: row.pretrain,
    graphModel: gfm && (await gfmFolderOf(app.storage, folder, storedGfm(gfm))),
    threads: app.trainingThreads,
    out: join(folder, 'version'),
  };
  const modelShare = row.feedback ? learnedShare : 1;
  const result = await app.compute!.run<typeof train>(
    { name: 'train', input },
    {
      signal,
      group: ctx.workspaceId,
      leaves: leaves.training,
      folder,
      about: { workspace: ctx.workspaceId, run: row.id },
      onWait: () => tell({ phase: waitingPhase, fraction: 0 }),
      onProgress: ({ phase, fraction, measures }) =>
        tell({ phase, fraction: modelShare * fraction, metrics: { outputs: measures } }),
    },
  );
  const stored = await storeVersion(app, ctx, result);
  const tellFineTuning: typeof tell = ({ phase, fraction }) =>
    tell({ phase, fraction: modelShare + (1 - modelShare) * fraction });
  const given = { app, ctx, row, folder, signal, tell: tellFineTuning };
  const trained = row.feedback ? await tryFineTuning(given, input) : null;
  const metrics = {
    contract: { id: row.contract_id, number: row.contract_number },
    ...metricsOf(result),
    ...(gfm &&
      result.graph && { gfm: { gfm_version_id: gfm.id, model_snapshot: gfm.model_snapshot, ...result.graph } }),
    ...(trained && { feedback: trained.metrics }),
  };
  const warnings = [
    ...result.warnings.map((warning) => ({ code: 'data' as const, ...warning })),
    ...result.report.warnings,
  ];
  const worse = worseOf(result);
  const gfmVersionId = result.graph?.is_read ? gfm!.id : null;
  const version = { id: stored.id, model_id: row.model_id!, storage_prefix: stored.prefix, files: stored.files };
  const validation = await validateLearned(
    app,
    ctx,
    {
      run: { ...row, model_id: row.model_id!, task_id: row.task_id! },
      version: { ...version, gfm_version_id: gfmVersionId },
      warnings,
    },
    { folder, signal, tell: ({ phase }) => tell({ phase, fraction: 1 }) },
  );
  const made = { ...result, metrics, warnings, worse, gfmVersionId };
  return async (tx, current) => {
    const added = await addVersion(tx, ctx, { ...current, model_id: current.model_id! }, stored, made, validation);
    return {
      version_id: added.id,
      ...(trained?.add && { rfm_version_id: await trained.add(tx, current) }),
      metrics: JSON.stringify(metrics),
      warnings: JSON.stringify([...added.warnings, ...warnings]),
    };
  };
};

/** Fine-tunes the encoder. An error does not fail the run, so that the trained model is kept. */
async function tryFineTuning(given: Parameters<Learn>[0], read: Parameters<typeof fineTune>[1]) {
  try {
    return await fineTune(given, read);
  } catch (error) {
    if (given.signal.aborted || isAway(error)) throw error;
    given.app.log.warn({ err: error, run: given.row.id }, 'encoder not fine-tuned');
    const why =
      error instanceof Failure ? refusalOf(error).detail : 'fine-tuning broke off; the model is as it would be without';
    return { metrics: { accepted: false, why }, add: null };
  }
}

/** The warning that what a version is judged by, the output of its score or its first, is surely worse than naive. */
function worseOf({ report: { outputs, warnings }, labelOutput }: TrainResult) {
  const judged = outputs.find(({ cutoffs }) => cutoffs)?.name ?? labelOutput;
  return warnings.find(({ code, output }) => code === 'worse_than_naive' && output === judged) ?? null;
}

/** Returns the metrics of each output, measured on rows later than the training rows. */
function metricsOf({ report, labelRates, labelOutput }: TrainResult): Record<string, unknown> {
  return {
    training_rows: report.training_rows,
    features: report.features.length,
    outputs: Object.fromEntries(
      report.outputs.map(({ name, recipe, learned, out_of_fold, naive, cutoffs, graph }) => [
        name,
        {
          recipe,
          ...(learned ? { learned } : {}),
          ...(out_of_fold ?? {}),
          ...(naive ? { naive } : {}),
          ...(cutoffs ? { cutoffs } : {}),
          ...(graph ? { graph } : {}),
        },
      ]),
    ),
    label_rates: labelRates,
    label_output: labelOutput,
    notes: report.notes,
    unused_columns: report.unused_columns,
  };
}
