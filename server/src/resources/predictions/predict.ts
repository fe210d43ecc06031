import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { Ask } from '../../serving/ask.ts';
import type { Serving } from '../../serving/serving.ts';
import type { App } from '../app.ts';
import { answerQuestion, type Part } from './answer.ts';
import { useAnswering } from './challenged.ts';
import { predictionItem } from './commit.ts';

/** What predicting needs: the serving state, and the commit that makes predictions durable. */
export type Predicting = {
  readonly serving: Pick<Serving, 'use' | 'note'>;
  readonly groupCommit: Pick<App['groupCommit'], 'commit'>;
  readonly allowances: Pick<App['allowances'], 'require'>;
};

export type AskedPrediction = {
  /** Its id or name. */
  readonly model: string;
  /** An alias, or the id of a version. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly includes: ReadonlySet<Part>;
  /** Of the sentences of the answer; absent: that of the workspace. */
  readonly language?: Context['language'] | undefined;
  /** The answer must be from this snapshot or a newer one; absent if any that is served will do. */
  readonly snapshotId?: string | undefined;
};

/**
 * Predicts for one request. The answer is sent after its audit entry is durable, and only if the API key is still valid
 * then. Throws Failure 'quota_exceeded', 'not_found', 'model_training', 'version_inactive', 'no_data', and those of
 * `readBody` and `momentOf`.
 */
export async function predict(
  app: Predicting,
  ask: Ask,
  ctx: Context,
  { body, includes, language, ...asked }: AskedPrediction,
  ensure: Admission['ensure'],
): Promise<Answer> {
  const beganAt = performance.now();
  await app.allowances.require(ctx, 'predictions');
  const { question, served, answered } = await useAnswering(app.serving, ctx, asked, body, async (served) => {
    const question = {
      ...{ id: newId('prd'), body, timeZone: ctx.timeZone, language: language ?? ctx.language, now: Date.now() },
      include: language === undefined ? includes : new Set<Part>([...includes, 'language']),
    };
    return { question, served, answered: await answerQuestion(served, ask, question) };
  });
  const answeredAt = Date.now();
  const latencyMs = performance.now() - beganAt;
  const epochs = await app.groupCommit.commit(predictionItem(ctx, { question, served, answered, latencyMs }));
  app.serving.note(ctx.workspaceId, epochs.serving, answeredAt);
  // Permissions may have changed since the key was cached. A caller who has lost them gets no answer.
  await ensure({ askedAt: epochs.askedAt, already: epochs.auth === ctx.authEpoch });
  return { status: 200, body: answered.outputs };
}
