import { Type } from 'typebox';
import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import { create } from '../../../api/idempotency.ts';
import { answerOf } from '../../../api/named.ts';
import { nullable } from '../../../api/nullable.ts';
import { refuse } from '../../../errors.ts';
import { newId } from '../../../lib/crypto/ids.ts';
import type { Answer } from '../../../lib/http/server.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import { keepModels } from '../../tasks/keep.ts';
import { approvalExample } from '../example.ts';
import { requireVersion } from '../require.ts';
import { insertApproval, selectApprovals, selectHeld, selectPerson, selectTrainer } from './sql.ts';

export const approvalSchema = answerOf('VersionApproval', approvalExample, {
  id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  alias: Type.String(),
  approved_by: Type.String(),
  comment: nullable(Type.String()),
  created_at: Type.String(),
});

export const approvalsSchema = answerOf(
  'VersionApprovals',
  { data: [approvalExample] },
  { data: Type.Array(approvalSchema) },
);

type Asked = { readonly alias: string; readonly comment?: string };

/**
 * Approves a version of a model for an alias, as the person who asks or whose key asks. Whoever had the version trained
 * does not approve it, and whoever approves does not count as another person when they move the alias. Throws Failure
 * 'not_found', 'forbidden', 'conflict' where the person has approved it already.
 */
export function approveVersion(app: App, ctx: Context, model: string, version: string, asked: Asked): Promise<Answer> {
  return create(app.db, ctx, 201, async (tx) => {
    await keepModels(tx, ctx);
    const { id, model_id, training_run_id } = await requireVersion(tx, model, version);
    const person = await selectPerson(tx, ctx);
    if (person === null) throw refuse('forbidden', 'only people approve versions, themselves or by a key of theirs');
    if ((await selectTrainer(tx, training_run_id)) === person)
      throw refuse(
        'forbidden',
        'you had this version trained, yourself or by a key of yours: another person approves it',
      );
    const row = {
      ...{ id: newId('apr'), model_id, version_id: id, alias: asked.alias, user_id: person },
      ...{ approved_by: ctx.actor.label, comment: asked.comment ?? null },
    };
    const { rolledBackAt } = await selectHeld(tx, model_id, asked.alias, id);
    const made = await insertApproval(tx, ctx, row, rolledBackAt);
    if (!made) throw refuse('conflict', `you have approved version ${id} for ${asked.alias} already`);
    const about = { model_id, alias: asked.alias, ...(asked.comment !== undefined && { comment: asked.comment }) };
    await record(tx, ctx, 'model-version-approval', { type: 'model_version', id }, about);
    return presentApproval(made);
  });
}

/** Lists the approvals of a version, the newest first. Throws Failure 'not_found'. */
export function listApprovals(app: App, ctx: Context, model: string, version: string) {
  return tenant(app.db, ctx, async (tx) => {
    const { id } = await requireVersion(tx, model, version);
    return { data: (await selectApprovals(tx, id)).map(presentApproval) };
  });
}

type Approval = Awaited<ReturnType<typeof selectApprovals>>[number];

function presentApproval({ id, model_id, version_id, alias, approved_by, comment, created_at }: Approval) {
  return { id, model_id, version_id, alias, approved_by, comment, created_at: created_at.toISOString() };
}
