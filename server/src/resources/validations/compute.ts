import type { TaskContext } from '../../lib/processes/serve.ts';
import { openTables } from '../../ml/lake/open.ts';
import type { ShadowTraffic } from '../../ml/validation/by-shadow.ts';
import type { Earlier } from '../../ml/validation/replay.ts';
import type { ValidationReport } from '../../ml/validation/report.ts';
import { validateVersion } from '../../ml/validation/validate.ts';
import { openTarget, type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';

export type ValidateTask = TargetsTask & {
  /** The places of the version, and of the one that it would replace, among the targets. */
  readonly model: number;
  readonly compareWith: number | null;
  /** Local label files of the task, in order; none where it makes its own. */
  readonly labelFiles: readonly string[];
  /** Earlier data and until when they were known, local time of the workspace in microseconds. */
  readonly earlier: { readonly frozen: string; readonly identifiers: string | null; readonly until: number } | null;
  readonly shadow: ShadowTraffic | null;
  readonly segments: readonly string[];
  /** The codes of what the training of the version warned of. */
  readonly warnings: readonly string[];
  /** Nothing later is read: local time of the workspace in microseconds. */
  readonly until: number;
};

export type ValidateProgress = { readonly phase: string; readonly fraction: number };

/** Holds a version against the one that it would replace. */
export function validate(task: ValidateTask, { progress }: TaskContext<ValidateProgress>): Promise<ValidationReport> {
  progress({ phase: 'opening the tables', fraction: 0 });
  const { shadow, segments, warnings, until, labelFiles } = task;
  return useTargets(task, async (targets, _, tables) => {
    const model = targets[task.model].opened;
    const compareWith = task.compareWith === null ? null : targets[task.compareWith].opened;
    const earlier = await openEarlier(task);
    try {
      return await validateVersion(
        { model, compareWith, tables, labelFiles, earlier, shadow, segments, warnings, until },
        (phase, fraction) => progress({ phase, fraction }),
      );
    } finally {
      earlier?.model.close();
      earlier?.compareWith?.close();
    }
  });
}

async function openEarlier({ earlier, targets, model, compareWith }: ValidateTask): Promise<Earlier | null> {
  if (!earlier) return null;
  const tables = await openTables(earlier.frozen, earlier.identifiers);
  return {
    model: await openTarget(targets[model], tables),
    compareWith: compareWith === null ? null : await openTarget(targets[compareWith], tables),
    ...{ tables, until: earlier.until },
  };
}
