import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { unknownName } from '../../serving/serving.ts';
import type { BatchModel } from './batch.ts';

/** A target as a request names it: `"<model>/<alias or version>"`, or its parts. */
export type AskedModel = string | { readonly model_id: string; readonly alias?: string; readonly version_id?: string };

/** Version ids by `<model>/<alias>` and `<model>/<version>`. */
export type Targets = Readonly<Record<string, string>>;

/** Every alias and active version of the workspace: what a row of a batch accepted now may name. */
export async function pinTargets(tx: Tx): Promise<Targets> {
  const versions = await tx
    .selectFrom('model_versions')
    .select(['id', 'model_id'])
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  const active = new Set(versions.map(({ id }) => id));
  const aliases = await tx
    .selectFrom('aliases')
    .select(['model_id', 'alias', 'version_id'])
    .orderBy('model_id')
    .orderBy('alias')
    .execute();
  return Object.fromEntries([
    ...aliases
      .filter(({ version_id }) => active.has(version_id))
      .map(({ model_id, alias, version_id }) => [`${model_id}/${alias}`, version_id]),
    ...versions.map(({ id, model_id }) => [`${model_id}/${id}`, id]),
  ]);
}

/** The version a request means. Throws Failure 'invalid', 'not_found', 'version_inactive'. */
export async function resolveModel(tx: Tx, asked: AskedModel, targets: Targets): Promise<BatchModel> {
  const { modelId, name } = partsOf(asked);
  const version_id = targets[`${modelId}/${name}`];
  if (version_id !== undefined) return { model_id: modelId, alias: name === version_id ? null : name, version_id };
  const known = await tx
    .selectFrom('model_versions')
    .select('status')
    .where('model_id', '=', modelId)
    .where('id', '=', name)
    .executeTakeFirst();
  if (known) throw refuse('version_inactive', `version ${name} is ${known.status}; activate it first`);
  throw refuse('not_found', unknownName(modelId, name, Object.keys(targets)));
}

function partsOf(asked: AskedModel): { modelId: string; name: string } {
  if (typeof asked === 'string') {
    const slash = asked.indexOf('/');
    if (slash <= 0 || slash === asked.length - 1)
      throw refuse('invalid', 'model must be "<model id>/<alias or version id>", or {model_id, alias or version_id}');
    return { modelId: asked.slice(0, slash), name: asked.slice(slash + 1) };
  }
  const { model_id, alias, version_id } = asked;
  if ((alias === undefined) === (version_id === undefined))
    throw refuse('invalid', 'model must have an alias or a version_id, and not both', {
      problems: [{ at: '/model', message: 'must have an alias or a version_id, and not both' }],
    });
  return { modelId: model_id, name: (alias ?? version_id)! };
}
