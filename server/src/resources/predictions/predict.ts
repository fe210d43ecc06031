import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Rows } from '../../lib/files/column.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { Unknown } from '../../ml/inference/coverage.ts';
import { isMistyped } from '../../ml/inference/documents.ts';
import {
  instantText,
  momentRead,
  readExplanation,
  readInterval,
  readOutputs,
  readOutside,
  readUnknown,
} from '../../serving/answer.ts';
import { momentOf } from '../../serving/as-of.ts';
import type { Ask } from '../../serving/ask.ts';
import { dataAge, dayOf, type EventDays, isStale } from '../../serving/event-days.ts';
import { optionsOf } from '../../serving/options.ts';
import { readBody } from '../../serving/rows/body.ts';
import { endOfToday, momentAt } from '../../serving/rows/moments.ts';
import type { Served, Serving } from '../../serving/serving.ts';
import type { App } from '../app.ts';
import { type AnsweredPrediction, predictionItem } from './commit.ts';
import { foundBy } from './found-by.ts';

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
  readonly includes: ReadonlySet<string>;
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
  const answered = await app.serving.use(ctx, asked, (served) =>
    answerBy(served, ask, ctx, { body, includes, language }),
  );
  const answeredAt = Date.now();
  const latencyMs = performance.now() - beganAt;
  const epochs = await app.groupCommit.commit(predictionItem(ctx, { ...answered, latencyMs }));
  app.serving.note(ctx.workspaceId, epochs.serving, answeredAt);
  // Permissions may have changed since the key was cached. A caller who has lost them gets no answer.
  await ensure({ askedAt: epochs.askedAt, already: epochs.auth === ctx.authEpoch });
  return { status: 200, body: answered.outputs };
}

async function answerBy(
  served: Served,
  ask: Ask,
  ctx: Context,
  { body, includes, language }: Pick<AskedPrediction, 'body' | 'includes' | 'language'>,
): Promise<Omit<AnsweredPrediction, 'latencyMs'>> {
  const now = Date.now();
  const today = endOfToday(ctx.timeZone, now);
  const { rows, day, kept } = readBody(body, served.opened.inputs, served.opened.missing, today);
  const asOf = momentOf(day, ctx.timeZone, now);
  const wishes = {
    language: language ?? ctx.language,
    interval: includes.has('interval'),
    explanation: includes.has('explanation'),
    unknown: true,
    outside: true,
  };
  const options = optionsOf(wishes, momentAt(ctx.timeZone, asOf));
  const { answer, row } = await ask({ opened: served.opened, rows, options });
  const id = newId('prd');
  // A new row stands at a moment of its own.
  const standsAt = momentRead(answer, row);
  const age = dataAge(served.eventDays, standsAt, options.dataUntil);
  const outputs: Record<string, unknown> = {
    ...readOutputs(answer, row, served.opened.outputs, ctx.timeZone),
    prediction_id: id,
    model_id: served.modelId,
    version_id: served.versionId,
    snapshot_id: served.snapshotId,
    generated_at: new Date(now).toISOString(),
    data_age: age,
    ...(language && { language }),
  };
  if (options.interval) outputs.interval = readInterval(answer, row);
  const unknown = readUnknown(answer, row);
  if (includes.has('unknown')) outputs.unknown = unknown;
  const warnings = [
    ...unknown
      .filter(({ name }) => isGiven(rows, name))
      .flatMap((one) => absentWarning(one, rows, served.opened.documents)),
    ...outsideWarning(readOutside(answer, row)),
    ...staleWarning(served.eventDays, age, standsAt),
    ...beforeWarning(served.opened.learnedFrom, standsAt),
  ];
  if (warnings.length > 0) outputs.warnings = warnings;
  if (options.explanation) Object.assign(outputs, readExplanation(answer, row));
  return {
    ...{ id, served, asOf: instantText(standsAt, ctx.timeZone) },
    ...{ inputs: JSON.stringify(kept), outputs: JSON.stringify(outputs) },
    foundBy: foundBy(served.opened, rows, outputs),
  };
}

function absentWarning({ kind, name }: Unknown, rows: Rows, documents: ReadonlySet<string>): PredictionWarning[] {
  const about = 'nothing is known of it, and what the answer draws from it is only what is usual, not an assessment';
  if (kind === 'entity')
    return [
      {
        code: 'unknown_entity',
        input: name,
        message: `what ${name} names is not in the data, or was not by then: ${about}`,
      },
      ...(isMistyped(rows.columns.get(name), 0, documents.has(name)) ? [mistypedWarning(name)] : []),
    ];
  if (kind === 'value')
    return [
      {
        code: 'unknown_value',
        input: name,
        message: `no row of the data has this value of ${name}, or none had by then: ${about}`,
      },
    ];
  return [];
}

function mistypedWarning(name: string): PredictionWarning {
  const message = `${name} is no CPF or CNPJ with right check digits: no such document is issued, look whether it is mistyped`;
  return { code: 'wrong_check_digits', input: name, message };
}

/** Warns of a case that the question is not about: the model learned from none such. */
function outsideWarning(told: ReturnType<typeof readOutside>): PredictionWarning[] {
  if (told === null) return [];
  const message = `the question is about cases with ${told.said.en}, and this one does not meet it as of then: the model learned only from those that do, and the answer holds for them`;
  return [{ code: 'outside_population', input: null, ...told, message }];
}

const msPerDay = 86_400_000;

/** Warns where the data have been silent for longer than they ever were: what was not sent looks as if it were not. */
function staleWarning(eventDays: EventDays, age: number | null, standsAt: number): PredictionWarning[] {
  if (!isStale(eventDays, age)) return [];
  const { silenceMax } = eventDays;
  const newest = dayOf(standsAt - 1000 * age * msPerDay);
  const message = `the newest data are of ${newest}, ${age} days before: what happened since is read as if it had not (until then they were silent for ${silenceMax} ${silenceMax === 1 ? 'day' : 'days'} at most). Send newer data, or ask as of then with reference_date`;
  return [{ code: 'stale_data', input: null, message }];
}

/** Warns of a moment before all that the model learned from. */
function beforeWarning(from: number | null, standsAt: number): PredictionWarning[] {
  if (from === null || standsAt >= from) return [];
  const learned = dayOf(from);
  const message = `as_of lies before the first case that the model learned from, which is of ${learned}: what it learned is of later times, and need not hold then. Ask as of that day or later with reference_date`;
  return [{ code: 'before_learned', input: null, learned_from: learned, message }];
}

type PredictionWarning = {
  readonly code: string;
  readonly input: string | null;
  readonly condition?: string;
  readonly said?: Readonly<Record<'en' | 'pt-BR', string>>;
  readonly learned_from?: string;
  readonly message: string;
};

/** Whether the only row has a value in a column. */
function isGiven({ columns }: Rows, name: string): boolean {
  const column = columns.get(name);
  if (column === undefined) return false;
  return column.kind === 'text' ? column.codes[0] >= 0 : !Number.isNaN(column.values[0]);
}
