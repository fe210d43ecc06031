import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { decidingObjective, type KindName, kindNamed } from '../../ml/kinds/kinds.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { MoveThreshold } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type AskedModel, partsOf } from '../batches/target.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { keepModels } from '../tasks/keep.ts';
import { requireList, requireLocked } from './require.ts';
import { countLists, deleteList, insertKeys, insertList, updateList } from './sql.ts';
import { listsMax, presentList } from './watch-list.ts';

export type Key = string | number;

export type WatchListRequest = {
  readonly name: string;
  readonly model: AskedModel;
  readonly threshold?: MoveThreshold | null;
  readonly keys?: readonly Key[];
};

/** By how much probabilities, and other numbers, must differ where nobody has said it. */
const usualThresholds = { binary: { difference: 0.1 }, regression: { share: 0.2 } } as const;

/**
 * Makes a watch list of an alias of a model, whose entries are scored soon. Throws Failure 'not_found', 'invalid',
 * 'limit_exceeded'.
 */
export function createWatchList(app: App, ctx: Context, asked: WatchListRequest): Promise<Answer> {
  return create(app.db, ctx, 201, async (tx) => {
    if ((await countLists(tx, ctx)) >= listsMax)
      throw refuse('limit_exceeded', `the workspace has ${listsMax} watch lists, which is the most: delete one first`);
    await keepModels(tx, ctx);
    const { model, name: alias } = partsOf(asked.model);
    const followed = await named('/model', requireFollowed(tx, model, alias));
    const id = newId('wat');
    const { name } = asked;
    await insertList(tx, {
      ...{ id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, name },
      ...{ model_id: followed.modelId, alias, entity_table: followed.table, is_personal: followed.isPersonal },
      threshold: textOf(thresholdFor(followed.kind, asked.threshold ?? null)),
      created_by: ctx.actor.label,
    });
    const added = await insertKeys(tx, ctx, id, textsOf(asked.keys ?? []));
    const about = { name, model_id: followed.modelId, alias, entries: added };
    await record(tx, ctx, 'watch-list-creation', { type: 'watch_list', id }, about);
    return presentList(await requireList(tx, id));
  });
}

export type WatchListChange = {
  readonly name?: string;
  readonly alias?: string;
  readonly threshold?: MoveThreshold | null;
};

/**
 * Changes a list. By the version of another alias its entries are scored anew; what it says otherwise is told as moves.
 * Throws Failure 'not_found', 'invalid'.
 */
export function changeWatchList(app: App, ctx: Context, id: string, asked: WatchListChange) {
  return tenant(app.db, ctx, async (tx) => {
    await keepModels(tx, ctx);
    const list = await requireLocked(tx, id);
    const { name = list.name, alias = list.alias, threshold = list.threshold } = asked;
    const { kind } = await requireModel(tx, list.model_id);
    if (asked.alias !== undefined) {
      const { table } = await named('/alias', requireFollowed(tx, list.model_id, alias));
      if (table !== list.entity_table)
        throw invalid('/alias', `is about ${table}, and the list about ${list.entity_table}: make another list`);
    }
    await updateList(tx, id, { name, alias, threshold: textOf(thresholdFor(kind, threshold)) });
    const about = { name, model_id: list.model_id, alias, added: 0, removed: 0 };
    await record(tx, ctx, 'watch-list-update', { type: 'watch_list', id }, about);
    return presentList(await requireList(tx, id));
  });
}

/** Deletes a list with its entries and moves. Throws Failure 'not_found'. */
export function deleteWatchList(app: App, ctx: Context, id: string): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const { name, model_id, alias } = await requireLocked(tx, id);
    await deleteList(tx, id);
    await record(tx, ctx, 'watch-list-deletion', { type: 'watch_list', id }, { name, model_id, alias });
  });
}

/** Keys as they are kept: as texts. */
export function textsOf(keys: readonly Key[]): string[] {
  return [...new Set(keys.map(String))];
}

/** What an alias answers about. Throws Failure 'invalid' where that is no entity of a table, or it is no alias. */
async function requireFollowed(tx: Tx, model: string, alias: string) {
  const { id: modelId, kind } = await requireModel(tx, model);
  const version = await requireVersion(tx, model, alias);
  if (alias === version.id || alias === String(version.number))
    throw refuse('invalid', `${alias} is a version: name an alias of the model, which leads to the next one too`);
  // As `inputFields` made them: a new row need not have a key yet.
  const [key] = version.inputs as readonly Field[];
  if (!key.required || key.source === undefined)
    throw refuse('invalid', `model ${model} answers about new rows, which have no key by which to follow them`);
  return { modelId, kind: kind as KindName, table: key.source.table, isPersonal: key.pii };
}

/** The threshold that a list of a model of a kind has. Throws Failure 'invalid' for one of classes. */
function thresholdFor(kind: string, asked: MoveThreshold | null): MoveThreshold | null {
  const objective = decidingObjective(kind);
  if (objective === 'multiclass') {
    if (asked === null) return null;
    throw invalid('/threshold', 'must be null: the model answers with classes, and who is in another has moved');
  }
  return asked ?? (kindNamed(kind).score ? null : usualThresholds[objective]);
}

function textOf(threshold: MoveThreshold | null): string | null {
  return threshold && JSON.stringify(threshold);
}

function invalid(at: string, message: string) {
  return refuse('invalid', `${at.slice(1)} ${message}`, { problems: [{ at, message }] });
}
