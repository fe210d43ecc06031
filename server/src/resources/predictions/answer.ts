import type { Context } from '../../access/context.ts';
import type { Rows } from '../../lib/files/column.ts';
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
import type { AnsweringVersion } from '../../serving/open-data.ts';
import { optionsOf } from '../../serving/options.ts';
import { readBody } from '../../serving/rows/body.ts';
import { endOfToday, momentAt } from '../../serving/rows/moments.ts';
import type { Served } from '../../serving/serving.ts';
import { type FoundBy, foundBy } from './found-by.ts';

/** What may be asked for besides the outputs; `language` where that was named, which the answer then says. */
export const parts = ['explanation', 'interval', 'unknown', 'language'] as const;
export type Part = (typeof parts)[number];

/** All that shapes an answer, besides the version and the data that give it. */
export type Question = {
  /** Of the prediction. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly include: ReadonlySet<Part>;
  /** Of its sentences. */
  readonly language: Context['language'];
  /** In which its days end. */
  readonly timeZone: string;
  /** When it is answered, in milliseconds since 1970. */
  readonly now: number;
};

export type Answered = {
  /** The inputs as they are kept. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** The answer as JSON, as it is sent. */
  readonly outputs: string;
  /** The moment that the answer is as of, as its outputs have it. */
  readonly asOf: string;
  readonly foundBy: FoundBy;
};

/** What answers: a version that is open over a snapshot. */
export type Answering = Pick<Served, 'modelId' | 'versionId' | 'snapshotId' | 'eventDays'> & {
  readonly opened: AnsweringVersion;
};

/**
 * Answers one question. The same question to the same version over the same snapshot has the same answer to the byte,
 * whenever it is asked: a replay of the log asks it again. Throws as `readBody` and `momentOf` do.
 */
export async function answerQuestion(
  { opened, eventDays, ...served }: Answering,
  ask: Ask,
  { id, body, include, language, timeZone, now }: Question,
): Promise<Answered> {
  const today = endOfToday(timeZone, now);
  const { rows, day, kept } = readBody(body, opened.inputs, opened.missing, today);
  const asOf = momentOf(day, timeZone, now);
  const wishes = {
    language,
    interval: include.has('interval'),
    explanation: include.has('explanation'),
    unknown: true,
    outside: true,
  };
  const options = optionsOf(wishes, momentAt(timeZone, asOf));
  const { answer, row } = await ask({ opened, rows, options });
  // A new row stands at a moment of its own.
  const standsAt = momentRead(answer, row);
  const age = dataAge(eventDays, standsAt, options.dataUntil);
  const outputs: Record<string, unknown> = {
    ...readOutputs(answer, row, opened.outputs, timeZone),
    prediction_id: id,
    model_id: served.modelId,
    version_id: served.versionId,
    snapshot_id: served.snapshotId,
    generated_at: new Date(now).toISOString(),
    data_age: age,
    ...(include.has('language') && { language }),
  };
  if (options.interval) outputs.interval = readInterval(answer, row);
  const unknown = readUnknown(answer, row);
  if (include.has('unknown')) outputs.unknown = unknown;
  const warnings = [
    ...unknown.filter(({ name }) => isGiven(rows, name)).flatMap((one) => absentWarning(one, rows, opened.documents)),
    ...outsideWarning(readOutside(answer, row)),
    ...staleWarning(eventDays, age, standsAt),
    ...beforeWarning(opened.learnedFrom, standsAt),
  ];
  if (warnings.length > 0) outputs.warnings = warnings;
  if (options.explanation) Object.assign(outputs, readExplanation(answer, row));
  return {
    ...{ kept, outputs: JSON.stringify(outputs) },
    ...{ asOf: instantText(standsAt, timeZone), foundBy: foundBy(opened, rows, outputs) },
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
