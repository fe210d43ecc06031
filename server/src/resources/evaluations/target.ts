import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type AskedModel, partsOf } from '../batches/target.ts';
import { requireVersion } from '../models/require.ts';
import type { EvaluatedModel } from './evaluation.ts';
import { selectRunModel } from './sql.ts';

const runPrefix = 'run_';

/**
 * Returns the version that a request names, by id, number or alias, whatever its status, or by the training run that
 * made it. Throws Failure 'invalid', 'not_found'.
 */
export async function resolveEvaluated(tx: Tx, asked: AskedModel): Promise<EvaluatedModel> {
  if (typeof asked === 'string' && asked.startsWith(runPrefix)) return modelOfRun(tx, asked);
  const { model, name } = partsOf(asked);
  const { id, model_id, number } = await requireVersion(tx, model, name);
  return { model_id, alias: name === id || name === String(number) ? null : name, version_id: id, number };
}

async function modelOfRun(tx: Tx, id: string): Promise<EvaluatedModel> {
  const run = await selectRunModel(tx, id);
  if (!run) throw refuse('not_found', `there is no training run ${id}`);
  if (run.model_id === null || run.version_id === null)
    throw refuse('invalid', `training run ${id} is ${run.status} and has made no version of a model`);
  if (run.number === null)
    throw refuse('not_found', `the version that training run ${id} made was deleted with its model`);
  return { model_id: run.model_id, alias: null, version_id: run.version_id, number: run.number! };
}
