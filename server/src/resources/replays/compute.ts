import { setImmediate as turn } from 'node:timers/promises';
import type { TaskContext } from '../../lib/processes/serve.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { missingTextsOf } from '../../ml/version/input-requests.ts';
import { subjectsOf } from '../../ml/version/subjects.ts';
import { openAsk } from '../../serving/ask.ts';
import type { AnsweringVersion } from '../../serving/open-data.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';
import { type LoggedPrediction, type ReplayedPrediction, replayOne } from './replay-one.ts';

export type ReplayTask = TargetsTask & {
  readonly snapshotId: string;
  readonly predictions: readonly LoggedPrediction[];
  /** Whether the answers themselves are told. */
  readonly isTold: boolean;
};

/** Rows of one call of the version: the answer to a row does not depend on the others. */
const rowsTogether = 256;

/** Answers predictions of one version over one snapshot again, in their order. */
export function replayPredictions(
  { predictions, isTold, snapshotId, ...task }: ReplayTask,
  { signal }: TaskContext<never>,
): Promise<ReplayedPrediction[]> {
  const ask = openAsk(rowsTogether);
  return useTargets(task, async ([{ opened, told }], eventDays) => {
    const answering = {
      ...{ modelId: told.model_id, versionId: told.version_id, snapshotId },
      ...{ opened: servedFrom(opened), eventDays },
    };
    const replayed: ReplayedPrediction[] = [];
    for (let at = 0; at < predictions.length; at += rowsTogether) {
      const block = predictions.slice(at, at + rowsTogether);
      replayed.push(...(await Promise.all(block.map((logged) => replayOne(answering, ask, logged)))));
      await turn();
      signal.throwIfAborted();
    }
    return isTold ? replayed : replayed.map((one) => ({ ...one, outputs: null }));
  });
}

/** The version as serving threads have it. */
function servedFrom({ version, inputs, documents, outputs, learnedFrom, predict }: OpenVersion): AnsweringVersion {
  return {
    ...{ inputs, documents, outputs, learnedFrom },
    missing: missingTextsOf(version),
    subjects: subjectsOf(version),
    predict: async (rows, options) => predict(rows, options),
  };
}
