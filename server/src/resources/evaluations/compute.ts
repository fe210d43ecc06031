import type { TaskContext } from '../../lib/processes/serve.ts';
import { type EvaluationReport, evaluateFile } from '../../ml/evaluation/evaluate.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';

export type EvaluateTask = TargetsTask & {
  /** The local file, and its name in messages. */
  readonly path: string;
  readonly name: string;
  /** The places of the version, and of the one to compare with, among the targets; one version may be both. */
  readonly model: number;
  readonly compareWith: number | null;
  readonly segments: readonly string[];
  readonly columnMapping: ColumnMapping;
  /** Nothing later is read: local time of the workspace in microseconds. */
  readonly until: number;
};

export type EvaluateProgress = { readonly phase: string; readonly fraction: number };

/** Evaluates a version on a labelled file, beside another one if the task names it. */
export function evaluate(task: EvaluateTask, { progress }: TaskContext<EvaluateProgress>): Promise<EvaluationReport> {
  progress({ phase: 'opening the tables', fraction: 0 });
  const { path, name, segments, columnMapping, until, compareWith } = task;
  return useTargets(task, (targets) =>
    evaluateFile(
      {
        ...{ path, name, segments, columnMapping, until },
        model: targets[task.model].opened,
        compareWith: compareWith === null ? null : targets[compareWith].opened,
      },
      (phase, fraction) => progress({ phase, fraction }),
    ),
  );
}
