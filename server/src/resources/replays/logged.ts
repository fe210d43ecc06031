import type { Context } from '../../access/context.ts';
import { type Part, parts } from '../predictions/answer.ts';
import type { PredictionRow } from '../predictions/prediction.ts';
import type { LoggedPrediction } from './replay-one.ts';

type Kept = Pick<PredictionRow, 'id' | 'inputs' | 'outputs' | 'outputs_sha256' | 'time_zone' | 'language' | 'include'>;

/**
 * What the log has of a prediction. Of one made before it kept how it was asked, that is read off the answer, and zone
 * and language are those of the workspace now.
 */
export function loggedOf(row: Kept, { timeZone, language }: Pick<Context, 'timeZone' | 'language'>): LoggedPrediction {
  // The casts hold: predictions are written by `predictionRows` alone.
  const outputs = row.outputs as LoggedPrediction['outputs'];
  return {
    ...{ id: row.id, inputs: row.inputs as LoggedPrediction['inputs'], outputs, sha256: row.outputs_sha256 },
    timeZone: row.time_zone ?? timeZone,
    language: (row.language ?? outputs.language ?? language) as LoggedPrediction['language'],
    include: includeOf(row) ?? parts.filter((part) => part in outputs),
  };
}

/** What was asked for beside the outputs; null where that was not kept. */
export function includeOf({ include }: Pick<Kept, 'include'>): Part[] | null {
  return include === null ? null : parts.filter((part) => include.split(',').includes(part));
}
