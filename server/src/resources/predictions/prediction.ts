import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Predictions } from '../../schema/tables.ts';
import { predictionExample } from './example.ts';

/** Most inputs of a prediction: more than a table has columns. */
export const inputsMax = 6_000;
/** Most bytes of the inputs of a prediction, which are kept with it. */
export const inputBytesMax = 256 * 1024;

export type PredictionRow = Selectable<Predictions>;

/** What `as_of` of an answer, and of the prediction that keeps it, is. */
export const asOfSaid =
  'As of when it is answered: the end of reference_date in the zone of the workspace, or the moment of the request without one. A new row that has its own date is answered as of that.';

export const predictionSchema = answerOf('Prediction', predictionExample, {
  id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  snapshot_id: Type.String(),
  alias: nullable(Type.String()),
  as_of: Type.String({ description: asOfSaid }),
  entity: nullable(
    objectOf(
      'PredictionEntity',
      { table: Type.String(), key: Type.String() },
      {
        description:
          'Whom it is about: of a new row, the first entity that it refers to. Null where it names none, was erased, or was made before this was kept.',
      },
    ),
  ),
  band: nullable(Type.String({ description: 'The risk_band of the answer, where it has one.' })),
  channel: nullable(Type.String({ description: 'api or dashboard; null of what was made before this was kept.' })),
  latency_ms: nullable(
    Type.Number({
      description:
        'From when the request had been read until its answer was computed, in milliseconds; null of what was made before this was kept.',
    }),
  ),
  inputs: Type.Unknown(),
  outputs: Type.Unknown(),
  request_id: Type.String(),
  created_at: Type.String(),
});

export function presentPrediction(row: PredictionRow) {
  return {
    id: row.id,
    model_id: row.model_id,
    version_id: row.version_id,
    snapshot_id: row.snapshot_id,
    alias: row.alias,
    as_of: row.as_of.toISOString(),
    entity: row.entity_key === null ? null : { table: row.entity_table!, key: row.entity_key },
    band: row.band,
    channel: row.channel,
    latency_ms: row.latency_ms,
    inputs: row.inputs,
    outputs: row.outputs,
    request_id: row.request_id,
    created_at: row.created_at.toISOString(),
  };
}
