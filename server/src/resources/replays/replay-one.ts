import { hash } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import { jsonDifferences } from '../../lib/json-differences.ts';
import type { Ask } from '../../serving/ask.ts';
import { engine } from '../../serving/engine.ts';
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
