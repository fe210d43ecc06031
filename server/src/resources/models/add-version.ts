import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { byName, putFiles } from '../../lib/storage/put-file.ts';
import type { InputChange, ModelWarning } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { changesBetween } from './changes-between.ts';
import type { FailedGate } from './gates/gates.ts';
import { gatesAgainstNew, type Validated } from './gates/pass-gates.ts';
import type { AliasRow, StoredModelVersion } from './model.ts';
import { pointAlias } from './point-alias.ts';
import {
  insertVersion,
  type LearnedVersion,
  lockAlias,
  selectLastHolder,
  updateVersionStatus,
  type VersionRun,
} from './sql.ts';

/** Stores the files of a version folder under a new version id. */
export async function storeVersion(
  app: App,
  { organizationId, workspaceId }: Context,
  { files }: { files: readonly string[] },
): Promise<StoredModelVersion> {
  const id = newId('ver');
  const prefix = `${organizationId}/${workspaceId}/versions/${id}/`;
  return { id, prefix, files: await putFiles(app.storage, prefix, byName(files)) };
}

/**
 * Adds the version that a training run has made, activates it, and points the run's alias at it if there is one. Where
 * callers of the version behind the alias would be refused by this one, the alias stays unless the run accepts that;
 * where it holds back what is surely worse than what takes no learning, or the version does not pass the gates of the
 * model, it stays until a person moves it. `validation`: how the version did beside the one that the alias points at,
 * which is kept with it.
 * Returns the version's id, and the warning that the alias stays.
 */
export async function addVersion(
  tx: Tx,
  ctx: Context,
  run: VersionRun & {
    readonly alias: string | null;
    readonly accept_input_changes: boolean;
    readonly hold_back_worse: boolean;
  },
  stored: StoredModelVersion,
  learned: LearnedVersion,
  validation: { readonly validated: Validated; keep(tx: Tx): Promise<void> } | null,
): Promise<{ readonly id: string; readonly warnings: readonly ModelWarning[] }> {
  const { id } = stored;
  await insertVersion(tx, ctx, run, stored, learned);
  const target = { type: 'model_version', id };
  const about = { model_id: run.model_id };
  await record(tx, ctx, 'model-version-creation', target, about);
  await updateVersionStatus(tx, id, 'active');
  await record(tx, ctx, 'model-version-activation', target, about);
  await validation?.keep(tx);
  if (run.alias === null) return { id, warnings: [] };
  const before = await lockAlias(tx, run.model_id, run.alias);
  if (learned.worse && run.hold_back_worse)
    return { id, warnings: [heldBack(run, run.alias, before, id, learned.worse)] };
  const changes = before ? await changesBetween(tx, run.model_id, before.version_id, id) : [];
  if (before && changes.length > 0 && !run.accept_input_changes)
    return { id, warnings: [stays(run.alias, before, id, changes)] };
  const replaced = before?.version_id ?? (await selectLastHolder(tx, run.model_id, run.alias));
  if (replaced !== null) {
    const move = { modelId: run.model_id, alias: run.alias, versionId: id, before: replaced };
    const failed = await gatesAgainstNew(tx, move, validation?.validated ?? null);
    if (failed.length > 0) return { id, warnings: [keptBack(run.model_id, run.alias, before, id, failed)] };
  }
  await pointAlias(tx, ctx, run.model_id, run.alias, id);
  return { id, warnings: [] };
}

function heldBack(
  { model_id }: VersionRun,
  alias: string,
  before: AliasRow | undefined,
  id: string,
  { output, message }: ModelWarning,
): ModelWarning {
  return {
    code: 'alias_held_back',
    message: `${pointsNow(alias, before)}, since the new version is surely worse than what takes no learning (${message}). To use it all the same, move the alias: ${moveBy(model_id, alias, id)}`,
    ...(output !== undefined && { output }),
  };
}

function keptBack(
  model: string,
  alias: string,
  before: AliasRow | undefined,
  id: string,
  failed: readonly FailedGate[],
): ModelWarning {
  const told = failed.map(({ gate, message }) => `${gate} (${message})`).join('; ');
  return {
    code: 'gates_failed',
    message: `${pointsNow(alias, before)}, since the new version does not pass ${told}. Once it does, or to override as a Creator, move it: ${moveBy(model, alias, id)}`,
  };
}

function pointsNow(alias: string, before: AliasRow | undefined): string {
  return before ? `${alias} still points at ${before.version_id}` : `${alias} points at no version`;
}

const moveBy = (model: string, alias: string, id: string) =>
  `PUT /v1/api/models/${model}/aliases/${alias} {"version_id": "${id}"}`;

/** Most inputs that a sentence names. */
const inputsTold = 10;

function stays(alias: string, before: AliasRow, id: string, inputs: readonly InputChange[]): ModelWarning {
  const { model_id, version_id } = before;
  const told = inputs.slice(0, inputsTold).map(({ message }) => message);
  const more = inputs.length > inputsTold ? [`and ${inputs.length - inputsTold} more`] : [];
  const message = `${alias} still points at ${version_id}, since its callers would be refused by the new version: ${[...told, ...more].join('; ')}. Once they are ready, move it: ${moveBy(model_id, alias, id)}; a run with accept_input_changes moves it by itself`;
  return { code: 'inputs_changed', message, inputs };
}
