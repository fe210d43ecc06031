import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { KeepFiles, ReceivedFile } from '../files/receive-parts.ts';
import { requireUploaded } from '../files/require.ts';
import { checkLabels, type StoredLabels } from './check-labels.ts';
import type { Definition } from './parsing.ts';
import { readUnderContract } from './read-definition.ts';
import { insertTask, selectTask } from './sql.ts';
import { type LabelFiles, labelParts, presentTask } from './task.ts';

/** What defines a task, as it was asked for. */
type AskedTask = { readonly name: string; readonly definition: string; readonly labels?: LabelFiles };

/**
 * Defines a task; `keepFiles` writes down label files that came with the request, which are `received`. Throws Failure
 * 'invalid_task', 'name_taken', and those of `requireUploaded` for its label files.
 */
export async function createTask(
  app: App,
  ctx: Context,
  asked: AskedTask,
  keepFiles: KeepFiles = async () => {},
  received: readonly ReceivedFile[] = [],
): Promise<Answer> {
  const { name, definition, labels = {} } = asked;
  // Before the transaction, which would keep its connection from others while texts and files are read.
  const read = await outcomeOf(readAsked(app, ctx, asked, received));
  return create(app.db, ctx, 201, async (tx) => {
    await keepFiles(tx);
    const { kind, hasTarget, query, question } = read();
    if (!hasTarget && !labels.train)
      throw refuse('invalid_task', 'a task without a target learns from label files: give labels.train', {
        problems: [{ at: '/labels/train', message: 'is required, since the definition has no target' }],
      });
    await requireLabels(tx, labels);
    const id = newId('tsk');
    const isNew = await insertTask(tx, ctx, { id, name, kind, definition, query, question, labels });
    if (!isNew) throw refuse('name_taken', `there is a task ${name} already`);
    await record(tx, ctx, 'task-creation', { type: 'task', id }, { name });
    return presentTask((await selectTask(tx, id))!);
  });
}

/** Reads the definition, and looks at the files that its labels come in. */
async function readAsked(
  app: App,
  ctx: Context,
  { name, definition, labels = {} }: AskedTask,
  received: readonly ReceivedFile[],
): Promise<Definition> {
  const read = await readUnderContract(app, ctx, { name, definition });
  if (read.hasTarget) return read;
  const came = labelParts.flatMap((part): StoredLabels[] => {
    const file = received.find(({ id }) => id === labels[part]);
    return file ? [{ ...file, part, sha256: file.stored.sha256 }] : [];
  });
  const others = Object.fromEntries(Object.entries(labels).filter(([part]) => came.every((one) => one.part !== part)));
  const named = await tenant(app.db, ctx, (tx) => requireLabels(tx, others));
  await checkLabels(app, ctx, { name, definition }, [...came, ...named]);
  return read;
}

/** The label files of a task, which must be uploaded. Throws the Failures of `requireUploaded`. */
async function requireLabels(tx: Tx, labels: LabelFiles): Promise<StoredLabels[]> {
  const files: StoredLabels[] = [];
  for (const part of labelParts) {
    const id = labels[part];
    if (!id) continue;
    const { path, content_type, storage_key, sha256 } = await named(`/labels/${part}`, requireUploaded(tx, id));
    files.push({ part, path, contentType: content_type, key: storage_key, sha256 });
  }
  return files;
}
