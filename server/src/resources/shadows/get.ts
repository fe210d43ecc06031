import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type Cutoff, compareAnswers } from '../../ml/evaluation/compare-answers.ts';
import { requireVersion } from '../models/require.ts';
import { comparedMax, presentShadow, type ShadowAnswers } from './shadow.ts';
import { countAnswers, selectPairs, selectShadow } from './sql.ts';

/** A shadow and how its newest answers differ from what was answered. Throws Failure 'not_found'. */
export async function getShadow(tx: Tx, model: string, version: string) {
  const { id: versionId, model_id: modelId } = await requireVersion(tx, model, version);
  const key = { modelId, versionId };
  const row = await selectShadow(tx, key);
  if (!row)
    throw refuse('not_found', `version ${versionId} shadows no alias of its model; start with PUT at this address`);
  const pairs = row.answers === null ? [] : await selectPairs(tx, key, comparedMax);
  const comparison =
    pairs.length === 0
      ? null
      : compareAnswers(
          row.answers as ShadowAnswers,
          {
            before: Float64Array.from(pairs, ({ before }) => before),
            after: Float64Array.from(pairs, ({ after }) => after),
          },
          row.cutoff as Cutoff | null,
        );
  return presentShadow(row, await countAnswers(tx, key), comparison);
}
