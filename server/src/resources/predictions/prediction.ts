import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Predictions } from '../../schema/tables.ts';
import { predictionExample } from './example.ts';

export type PredictionRow = Selectable<Predictions>;

export const predictionSchema = answerOf('Prediction', predictionExample, {
  id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  snapshot_id: Type.String(),
  alias: nullable(Type.String()),
  as_of: Type.String(),
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
    inputs: row.inputs,
    outputs: row.outputs,
    request_id: row.request_id,
    created_at: row.created_at.toISOString(),
  };
}
