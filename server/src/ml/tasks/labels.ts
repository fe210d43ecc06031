import type { Tables } from '../graph/tables.ts';
import { type Classes, type Examples, joinExamples, readExamples } from './examples.ts';
import { layOutExamples } from './layout.ts';
import { horizonsOf, textOfDays } from './target.ts';
import type { Task } from './task.ts';

/** Labels to learn from, one set per output, over the same anchors in the same order. */
export type LabelledOutputs = {
  readonly classes: readonly string[];
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
  if (task.target) return outputsOfTarget(task, tables, now);
  const classes: Classes = [];
  const parts: Examples[] = [];
  for (const file of files) parts.push(await readExamples(file, task, tables, true, classes, warnings, now));
  return { classes, outputs: [{ name: 'prediction', examples: joinExamples(...parts) }] };
}

/** The outputs of a task whose labels are future rows: one per horizon, named after it where there are several. */
export function outputsOfTarget(task: Task, tables: Tables, now: number): LabelledOutputs {
  const { examples: horizons, classes } = layOutExamples(task, tables, now);
  const days = horizonsOf(task.target!);
  const outputs = horizons.map((examples, h) => {
    if (task.kind === 'credit') return { name: `pd_${days[h]}d`, examples };
    return { name: horizons.length > 1 ? `prediction_${textOfDays(days[h]!)}` : 'prediction', examples };
  });
  return { classes, outputs };
}
