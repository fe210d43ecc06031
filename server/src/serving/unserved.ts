import type { Tx } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { Failure } from '../lib/failure.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { selectModelNames, selectNewestRun, selectTaskNamed } from './sql.ts';

/**
 * The refusal of an alias or version that no model has. Says what a caller can do about it: wait for the run that makes
 * it, mend the run that failed to, or take another name. `asked`: the model's id or name; `aliases`: the names of all
 * models' aliases, `<model>/<alias>`. Returns Failure 'not_found', or 'model_training' while a run is making it.
 */
export async function unserved(tx: Tx, asked: string, name: string, aliases: Iterable<string>): Promise<Failure> {
  const models = await selectModelNames(tx);
  const model = models.find(({ id }) => id === asked) ?? models.find((one) => one.name === asked);
  if (!model) {
    const task = await selectTaskNamed(tx, asked);
    const known = models.map((one) => one.name);
    const why = task
      ? `; no model answers the task ${task.name}: train one with POST /v1/api/training-runs {"task_id": "${task.id}", "alias": "${name}"}`
      : didYouMean(asked, known);
    return refuse('not_found', `${unknownName(asked, name, [])}${why}`);
  }
  const run = await selectNewestRun(tx, model.id, name);
  const unknown = unknownName(model.id, name, aliases, model.name);
  if (!run) return refuse('not_found', unknown);
  const { id, status, phase, fraction, failure } = run;
  if (status === 'queued') return refuse('model_training', `model ${model.name} is training: run ${id} is queued`);
  if (status === 'running') {
    const now = phase === null ? '' : ` (${phase})`;
    const percent = Math.floor(fraction * 100);
    return refuse('model_training', `model ${model.name} is training: ${percent} %${now}, run ${id}`);
  }
  if (status === 'failed')
    return refuse('not_found', `${unknown}; run ${id}, which was to make it, failed: ${failure?.detail ?? 'unknown'}`);
  return refuse(
    'not_found',
    status === 'interrupted' ? `${unknown}; run ${id}, which was to make it, was stopped` : unknown,
  );
}

/**
 * The message that a model has no such alias or version, with the aliases that it has. `aliases` are `<model>/<alias>`.
 */
export function unknownName(modelId: string, name: string, aliases: Iterable<string>, modelName = modelId): string {
  const own = [...aliases].filter((alias) => alias.startsWith(`${modelId}/`));
  const has =
    own.length === 0 ? '' : `; the model has ${own.map((alias) => alias.slice(modelId.length + 1)).join(', ')}`;
  return `there is no model ${modelName} with an alias or version ${name}${has}`;
}
