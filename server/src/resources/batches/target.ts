import { Type } from 'typebox';
import type { Tx } from '../../access/transactions.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { unserved } from '../../serving/unserved.ts';
import { modelIdOf } from '../models/require.ts';
import type { BatchModel } from './batch.ts';
import { selectActiveVersions, selectAliases, selectVersionStatus } from './sql.ts';

/** A target as a request names it: `"<model>/<alias or version>"`, or its parts. */
export type AskedModel = string | { readonly model_id: string; readonly alias?: string; readonly version_id?: string };

/** Characters of `<model>/<alias or version id>`. */
export const modelLengthMax = 200;

/** The schema of a target as a request names it. */
export const targetSchema = (description: string) =>
  Type.Union(
    [
      Type.String({ minLength: 1, maxLength: modelLengthMax }),
      Type.Object(
        {
          model_id: shortText(),
          alias: Type.Optional(shortText()),
          version_id: Type.Optional(shortText()),
        },
        { title: 'TargetByParts', additionalProperties: false },
      ),
    ],
    { description },
  );

/** Version ids by `<model>/<alias>` and `<model>/<version>`, where the model is named by its id or its name. */
export type Targets = Readonly<Record<string, string>>;

/**
 * Returns every alias and active version of the workspace with the version id that it means now. Rows of a batch
 * accepted now may name any of these.
 */
export async function listTargets(tx: Tx): Promise<Targets> {
  const versions = await selectActiveVersions(tx);
  const active = new Set(versions.map(({ id }) => id));
  const aliases = await selectAliases(tx);
  return Object.fromEntries([
    ...aliases
      .filter(({ version_id }) => active.has(version_id))
      .flatMap(({ model_id, name, alias, version_id }) => [
        [`${model_id}/${alias}`, version_id],
        [`${name}/${alias}`, version_id],
      ]),
    ...versions.flatMap(({ id, model_id, name }) => [
      [`${model_id}/${id}`, id],
      [`${name}/${id}`, id],
    ]),
  ]);
}

/** Keeps the targets that the files of a batch name. */
export function pinTargets(targets: Targets, named: Iterable<string>): Targets {
  return Object.fromEntries([...new Set(named)].map((name) => [name, targets[name]]));
}

/**
 * Returns the version that a request names. Throws Failure 'invalid', 'not_found', 'model_training',
 * 'version_inactive'.
 */
export async function resolveModel(tx: Tx, asked: AskedModel, targets: Targets): Promise<BatchModel> {
  const { model, name } = partsOf(asked);
  const modelId = await modelIdOf(tx, model);
  const version_id = targets[`${modelId}/${name}`];
  if (version_id !== undefined) return { model_id: modelId, alias: name === version_id ? null : name, version_id };
  const status = await selectVersionStatus(tx, modelId, name);
  if (status !== undefined) throw refuse('version_inactive', `version ${name} is ${status}; activate it first`);
  const versions = new Set(Object.values(targets));
  const aliases = Object.keys(targets).filter((target) => !versions.has(target.slice(target.indexOf('/') + 1)));
  throw await unserved(tx, model, name, aliases);
}

/** The model, by id or name, and the alias or version that a request names. Throws Failure 'invalid'. */
export function partsOf(asked: AskedModel): { model: string; name: string } {
  if (typeof asked === 'string') {
    const slash = asked.indexOf('/');
    if (slash <= 0 || slash === asked.length - 1)
      throw refuse(
        'invalid',
        'model must be "<model>/<alias or version id>", as in "churn/production", or {model_id, alias or version_id}',
      );
    return { model: asked.slice(0, slash), name: asked.slice(slash + 1) };
  }
  const { model_id, alias, version_id } = asked;
  if ((alias === undefined) === (version_id === undefined))
    throw refuse('invalid', 'model must have an alias or a version_id, and not both', {
      problems: [{ at: '/model', message: 'must have an alias or a version_id, and not both' }],
    });
  return { model: model_id, name: (alias ?? version_id)! };
}
