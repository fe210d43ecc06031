import { decidingObjective } from '../kinds/kinds.ts';
import type { LabelledOutputs } from './labels.ts';
import type { Task } from './task.ts';

/** How many labels a month has, and their mean: of what is yes or no, how often it came. */
export type LabelMonth = { readonly month: string; readonly rows: number; readonly mean: number };

/** The labels of the first output, by month of the anchor; none of categories, which have no mean. */
export function labelMonths({ kind }: Pick<Task, 'kind'>, { outputs }: LabelledOutputs): LabelMonth[] {
  if (decidingObjective(kind) === 'multiclass') return [];
  const { at, labels } = outputs[0].examples;
  const months = new Map<string, { rows: number; sum: number }>();
  for (let i = 0; i < at.length; i++) {
    if (Number.isNaN(labels[i]) || !Number.isFinite(at[i])) continue;
    const month = new Date(at[i] / 1000).toISOString().slice(0, 7);
    const entry = months.get(month) ?? { rows: 0, sum: 0 };
    months.set(month, { rows: entry.rows + 1, sum: entry.sum + labels[i] });
  }
  return [...months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, { rows, sum }]) => ({ month, rows, mean: sum / rows }));
}
