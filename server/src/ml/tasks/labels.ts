import type { Tables } from '../graph/tables.ts';
import { type Classes, type Examples, joinExamples, layOutExamples, readExamples } from './examples.ts';
import type { Task } from './task.ts';

/** Labels to learn from, one set per output, over the same anchors in the same order. */
export type LabelledOutputs = {
  readonly classes: Classes;
  readonly outputs: readonly { readonly name: string; readonly examples: Examples }[];
};

/**
 * All labels of a task: laid out from its target, one output per horizon, or read from label files, whose rows are joined.
 * `now` (microseconds) is what a date in the future is told by. Throws Failure as `readExamples` does.
 */
export async function readOutputs(
  task: Task,
  tables: Tables,
  files: readonly string[],
  warnings: string[],
  now: number,
): Promise<LabelledOutputs> {
  const classes: Classes = [];
  if (task.target) return { classes, outputs: outputsOfTarget(task, tables) };
  const parts: Examples[] = [];
  for (const file of files) parts.push(await readExamples(file, task, tables, true, classes, warnings, now));
  return { classes, outputs: [{ name: 'prediction', examples: joinExamples(...parts) }] };
}

/** The outputs of a task whose labels are future rows. */
export function outputsOfTarget(task: Task, tables: Tables): LabelledOutputs['outputs'] {
  const horizons = layOutExamples(task, tables);
  const days = task.target!.horizonsDays;
  return horizons.map((examples, h) => {
    if (task.kind === 'credit') return { name: `pd_${days[h]}d`, examples };
    return { name: horizons.length > 1 ? `prediction_${days[h]}d` : 'prediction', examples };
  });
}
