import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type AskedModel, partsOf } from '../batches/target.ts';
import { modelIdOf } from '../models/require.ts';
import type { EvaluatedModel } from './evaluation.ts';
import { hasVersion, selectAliasVersion, selectNames, selectRunModel } from './sql.ts';

/** Names of a model that a refusal tells. */
const namesTold = 10;
const runPrefix = 'run_';

/**
 * Returns the version that a request names: as batches name one, whatever its status, or by the training run that made
 * it. Throws Failure 'invalid', 'not_found'.
 */
export async function resolveEvaluated(tx: Tx, asked: AskedModel): Promise<EvaluatedModel> {
  if (typeof asked === 'string' && asked.startsWith(runPrefix)) return modelOfRun(tx, asked);
  const { model, name } = partsOf(asked);
  const modelId = await modelIdOf(tx, model);
  const pointed = await selectAliasVersion(tx, modelId, name);
  if (pointed !== undefined) return { model_id: modelId, alias: name, version_id: pointed };
  if (await hasVersion(tx, modelId, name)) return { model_id: modelId, alias: null, version_id: name };
  const names = await selectNames(tx, modelId, namesTold);
  throw refuse(
    'not_found',
    names.length === 0
      ? `there is no model ${model} with a version`
      : `model ${model} has neither an alias nor a version ${name}; it has ${names.join(', ')}`,
  );
}

async function modelOfRun(tx: Tx, id: string): Promise<EvaluatedModel> {
  const run = await selectRunModel(tx, id);
  if (!run) throw refuse('not_found', `there is no training run ${id}`);
  if (run.model_id === null || run.version_id === null)
    throw refuse('invalid', `training run ${id} is ${run.status} and has made no version of a model`);
  if (!(await hasVersion(tx, run.model_id, run.version_id)))
    throw refuse('not_found', `the version that training run ${id} made was deleted with its model`);
  return { model_id: run.model_id, alias: null, version_id: run.version_id };
}
