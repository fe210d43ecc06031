import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { keptSince, type RetentionDays } from '../kept-since.ts';
import { predictionsFrom } from './filter.ts';
import type { PredictionRow } from './prediction.ts';
import { selectPrediction } from './sql.ts';

/** Throws Failure 'not_found', and 'entity_erased' where there is nothing left to read. */
export async function requirePrediction(
  tx: Tx,
  id: string,
  { predictions: days }: RetentionDays,
): Promise<PredictionRow> {
  const row = await selectPrediction(tx, id);
  if (!row) throw refuse('not_found', `there is no prediction ${id}${isExpired(id, days) ? `; ${keptFor(days)}` : ''}`);
  if (row.erased_at !== null)
    throw refuse('entity_erased', `what was asked about was erased on request, at ${row.erased_at.toISOString()}`);
  return row;
}

function isExpired(id: string, days: number): boolean {
  const since = keptSince(days);
  return since !== null && id >= predictionsFrom(0) && id < predictionsFrom(since.getTime());
}

const keptFor = (days: number) => `predictions are kept for ${days} ${days === 1 ? 'day' : 'days'}`;
