import { once } from 'node:events';
import type { Context } from '../../access/context.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../app.ts';
import { localName } from '../files/ending.ts';
import { leaves } from '../job.ts';
import type { inspectLabels } from './compute.ts';
import type { LabelPart } from './task.ts';

/** A label file as it is stored, which may be written down in no row yet. */
export type StoredLabels = {
  readonly part: LabelPart;
  readonly path: string;
  readonly contentType: string;
  readonly key: string;
  readonly sha256: string | null;
};

/** How long a creation waits for its label files to be looked at: for their bytes, and for a process. */
const waitMs = 5_000;

/**
 * Has the label files of a task looked at in a child process. Throws Failure 'invalid_task' when they lack columns of
 * the task, or cannot be read. When they cannot be looked at now, nothing is said: training reads them anyway.
 */
export async function checkLabels(
  app: App,
  { workspaceId }: Context,
  definition: { name: string; definition: string },
  labels: readonly StoredLabels[],
): Promise<void> {
  const { compute, storage } = app;
  if (!compute) return;
  const signal = AbortSignal.timeout(waitMs);
  const look = async () => {
    const files = [];
    for (const { part, path, contentType, key, sha256 } of labels)
      files.push({
        path: await storage.localPath(key, sha256),
        name: localName(path, contentType),
        at: `/labels/${part}`,
      });
    await compute.run<typeof inspectLabels>(
      { name: 'inspectLabels', input: { ...definition, files } },
      { signal, group: workspaceId, leaves: leaves.scoring, about: { workspace: workspaceId } },
    );
  };
  try {
    await Promise.race([look(), once(signal, 'abort')]);
  } catch (error) {
    if (error instanceof Failure && error.reason === 'invalid_task') throw error;
    app.log.warn({ err: error, workspace: workspaceId }, 'label files not looked at');
  }
}
