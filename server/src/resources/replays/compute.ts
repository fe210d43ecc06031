import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../lib/failure.ts';
import { jsonDifferences } from '../../lib/json-differences.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { missingTextsOf } from '../../ml/version/input-requests.ts';
import { subjectsOf } from '../../ml/version/subjects.ts';
import { type Ask, openAsk } from '../../serving/ask.ts';
import { engine } from '../../serving/engine.ts';
import type { AnsweringVersion } from '../../serving/open-data.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';
import { type Answering, answerQuestion, type Part, type Question } from '../predictions/answer.ts';

/** A prediction of the log, with all that shaped its answer. */
export type LoggedPrediction = {
  readonly id: string;
  readonly inputs: Question['body'];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Of the answer as it was sent; null where that was not kept. */
  readonly sha256: string | null;
  readonly timeZone: string;
  readonly language: Question['language'];
  readonly include: readonly Part[];
};

/** A prediction, answered again. */
export type ReplayedPrediction = {
  readonly id: string;
  readonly isIdentical: boolean;
  /** The answer as JSON and the SHA-256 of that, in hexadecimal; null where it was refused. */
  readonly outputs: string | null;
  readonly sha256: string | null;
  /** Where it differs from what the log has, as JSON Pointers: the first of them. */
  readonly differences: readonly string[];
  /** Why nothing could be answered to what the log says was asked. */
  readonly refusal: { readonly code: string; readonly detail: string } | null;
  readonly engine: string;
};

/** Places at which one answer differs that are told. */
export const differencesMax = 50;
/** Rows of one call of the version: the answer to a row does not depend on the others. */
const rowsTogether = 256;

/** Answers one prediction of the log again, and holds the answer against what was sent and what the log has. */
export async function replayOne(
  answering: Answering,
  ask: Ask,
  { id, inputs, outputs: logged, sha256: sent, include, ...question }: LoggedPrediction,
): Promise<ReplayedPrediction> {
  const now = Date.parse(String(logged.generated_at));
  try {
    const asked = { ...question, id, body: inputs, include: new Set(include), now };
    const { outputs } = await answerQuestion(answering, ask, asked);
    const sha256 = hash('sha256', outputs);
    const differences = jsonDifferences(logged, JSON.parse(outputs), differencesMax);
    const isIdentical = differences.length === 0 && (sent ?? sha256) === sha256;
    return { id, isIdentical, outputs, sha256, differences, refusal: null, engine };
  } catch (error) {
    // Inputs that the version does not take are not those that it answered to.
    if (!(error instanceof Failure) || (error.code !== 'invalid' && error.code !== 'malformed')) throw error;
    const refusal = { code: error.reason ?? error.code, detail: error.message };
    return { id, isIdentical: false, outputs: null, sha256: null, differences: [''], refusal, engine };
  }
}

export type ReplayTask = TargetsTask & {
  readonly snapshotId: string;
  readonly predictions: readonly LoggedPrediction[];
  /** Whether the answers themselves are told. */
  readonly isTold: boolean;
};

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
