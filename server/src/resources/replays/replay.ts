import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { ReplayAsked, ReplayGone } from '../../schema/json.ts';
import type { Replays } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { parts } from '../predictions/answer.ts';
import { predictionReplayExample, replayExample } from './example.ts';

export type ReplayRow = Selectable<Replays>;

export const finishedStatuses: readonly string[] = ['succeeded', 'failed', 'interrupted'];

/** Predictions that a request may name one by one, or have chosen as a sample. */
export const idsMax = 200;
/** Predictions or rows that differ and are told. */
export const toldMax = 20;

const text = Type.String();
const integer = Type.Integer();
const hash = (description: string) => nullable(Type.String({ pattern: '^[0-9a-f]{64}$', description }));

const engineSaid = 'The release, Node, and the processor with what numerical libraries use of it.';

/** One prediction, answered again. */
export const predictionReplaySchema = answerOf('PredictionReplay', predictionReplayExample, {
  prediction_id: text,
  bit_identical: Type.Boolean({
    description: 'Whether the answer is the one that was sent, to the byte, and the log has it.',
  }),
  output_hash: hash(
    'SHA-256 of the answer as it was sent, byte for byte: of the body that the caller got. Null of predictions made before this was kept.',
  ),
  replayed_hash: hash('The same of the answer that is given now. Null where it is refused.'),
  log_intact: nullable(
    Type.Boolean({
      description:
        'Whether the log has the answer that was sent. Null where that cannot be told, as the answer now is another one, or no hash was kept.',
    }),
  ),
  differences: Type.Array(text, {
    description: 'Where the answer differs from what the log has, as JSON Pointers: the first 50.',
  }),
  outputs: Type.Unknown({ description: 'The answer that is given now. Null where it is refused.' }),
  refusal: nullable(
    Type.Object({ code: text, detail: text }, { description: 'Why what the log says was asked is refused now.' }),
  ),
  pins: objectOf('PredictionPins', {
    version_id: text,
    snapshot_id: text,
    contract_id: Type.String({ description: 'Of the version.' }),
    snapshot_contract_id: Type.String({ description: 'Of the data.' }),
    as_of: text,
    generated_at: text,
    time_zone: nullable(Type.String({ description: 'Null, as all below, of predictions made before this was kept.' })),
    language: nullable(text),
    include: nullable(Type.Array(Type.String({ enum: [...parts] }))),
    engine: nullable(Type.String({ description: engineSaid })),
  }),
  engine: Type.String({ description: `By which it was answered now. ${engineSaid}` }),
  replayed_at: text,
});

const goneNames = [
  ...['erased', 'expired', 'version', 'snapshot', 'file', 'stored', 'interrupted'],
] as (keyof ReplayGone)[];

/** Predictions of a span, or a batch, answered again. */
export const replaySchema = answerOf('Replay', replayExample, {
  id: text,
  origin: Type.String({
    enum: ['request', 'self_check'],
    description: 'self_check: the service replays a sample by itself each night.',
  }),
  asked: Type.Object({
    predictions: Type.Optional(
      Type.Object({
        ids: Type.Optional(Type.Array(text)),
        from: Type.Optional(text),
        to: Type.Optional(text),
        model_id: Type.Optional(text),
        version_id: Type.Optional(text),
      }),
    ),
    batch_id: Type.Optional(text),
  }),
  status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'interrupted'] }),
  total: nullable(Type.Integer({ description: 'Predictions, or rows of the result of a batch; null until counted.' })),
  done: integer,
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  identical: Type.Integer({ description: 'Answered again to the byte.' }),
  different: integer,
  gone: Type.Object(Object.fromEntries(goneNames.map((name) => [name, Type.Optional(integer)])), {
    title: 'ReplayGone',
    description:
      'How many cannot be answered again, by what is gone: they were erased or have expired; the version was deleted, the snapshot emptied by an erasure, the file of a batch deleted; stored bytes are missing or damaged; or the part of a batch was interrupted.',
  }),
  differences: Type.Array(
    objectOf('ReplayDifference', {
      prediction_id: Type.Optional(text),
      file_id: Type.Optional(Type.String({ description: 'The input of a batch.' })),
      row: Type.Optional(
        nullable(Type.Integer({ description: 'Of its result, from 1; null where no value differs and the bytes do.' })),
      ),
      paths: Type.Array(text, { description: 'JSON Pointers; of a batch the columns.' }),
    }),
    { description: `The first ${toldMax} that differ, without values.` },
  ),
  failure: nullable(failureSchema),
  created_by: text,
  created_at: text,
  started_at: nullable(text),
  finished_at: nullable(text),
});

export function presentReplay(row: ReplayRow) {
  const { batch_id, ...predictions } = row.asked;
  const done = doneOf(row);
  return {
    id: row.id,
    origin: row.origin,
    asked: batch_id === undefined ? { predictions } : { batch_id },
    status: row.status,
    total: row.total,
    done,
    fraction: row.total === null ? 0 : row.total === 0 ? 1 : Math.min(done / row.total, 1),
    identical: row.identical,
    different: row.different,
    gone: row.gone,
    differences: row.differences,
    failure: row.failure,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** How many predictions or rows a replay has come to. */
export function doneOf({ identical, different, gone }: Pick<ReplayRow, 'identical' | 'different' | 'gone'>): number {
  return Object.values(gone).reduce((sum, count) => sum + count, identical + different);
}

/** Which predictions a replay answers again. */
export type ReplayedRange = Omit<ReplayAsked, 'batch_id'>;
