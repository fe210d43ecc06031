import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import { requireUploaded } from '../files/require.ts';
import type { readDefinition } from './parsing.ts';
import { insertTask, selectTask } from './sql.ts';
import { type LabelFiles, presentTask } from './task.ts';

/** Defines a task. Throws Failure 'invalid_task', 'name_taken', and those of `requireUploaded` for its label files. */
export async function createTask(
  app: App,
  ctx: Context,
  { name, definition, labels }: { name: string; definition: string; labels?: LabelFiles },
): Promise<Answer> {
  const contract = await tenant(app.db, ctx, selectActiveContract);
  // Before the transaction, which would keep its connection from others while the text is read.
  const read = await outcomeOf(
    app.parsing.run<typeof readDefinition>(
      { name: 'readDefinition', input: { name, definition, contract: contract?.document ?? null } },
      ctx.workspaceId,
    ),
  );
  return create(app.db, ctx, 201, async (tx) => {
    const { kind, hasTarget, query, warnings } = read();
    if (!hasTarget && !labels?.train)
      throw refuse('invalid_task', 'a task without a target learns from label files: give labels.train', {
        problems: [{ at: '/labels/train', message: 'is required, since the definition has no target' }],
      });
    for (const part of ['train', 'validation'] as const) {
      const file = labels?.[part];
      if (file) await named(`/labels/${part}`, requireUploaded(tx, file));
    }
    const id = newId('tsk');
    const isNew = await insertTask(tx, ctx, { id, name, kind, definition, query, labels: labels ?? {} });
    if (!isNew) throw refuse('name_taken', `there is a task ${name} already`);
    await record(tx, ctx, 'task-creation', { type: 'task', id }, { name });
    return { ...presentTask((await selectTask(tx, id))!), warnings };
  });
}
