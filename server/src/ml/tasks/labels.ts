import type { Tables } from '../graph/tables.ts';
import { decidingObjective, headRuleOf, horizonNamesOf } from '../kinds/kinds.ts';
import type { Objective } from '../statistics/objective.ts';
import { type Classes, type Examples, joinExamples, readExamples } from './examples.ts';
import { layOutExamples } from './layout.ts';
import { defaultMetric } from './metric.ts';
import { horizonsOf, textOfDays } from './target.ts';
import type { Task, TaskHead } from './task.ts';

/** Labels of one output. */
export type LabelledOutput = { readonly name: string; readonly objective: Objective; readonly examples: Examples };

/** Labels to learn from, one set per output, over the same anchors in the same order. */
export type LabelledOutputs = { readonly outputs: readonly LabelledOutput[] };

/**
 * All labels of a task: laid out from its targets, one output per horizon or head, or read from label files, whose rows
 * are joined; those of a kind that names its horizons are called by their window. `now` (microseconds) is what a date
 * in the future is told by. Throws Failure as `readExamples` does.
 */
export async function readOutputs(
  task: Task,
  tables: Tables,
  files: readonly string[],
  warnings: string[],
  now: number,
): Promise<LabelledOutputs> {
  if (task.target) {
    const laidOut = outputsOfTarget(task, tables, now);
    warnings.push(...new Set(laidOut.outputs.flatMap(({ objective }) => warnOfClasses(objective.classes))));
    return laidOut;
  }
  const labelled = files.map((path) => ({ path, isLabelled: true }));
  const read = await readLabelFiles(task, tables, labelled, warnings, now);
  const name = horizonNamesOf(task.kind)?.nameOf(task.windowDays!) ?? 'prediction';
  const outputs = read.map(({ head, objective, parts }) => ({
    name: head?.name ?? name,
    objective,
    examples: joinExamples(...parts),
  }));
  return { outputs };
}

/** A file of a task's rows; where it is not labelled their labels are missing. */
type LabelFile = { readonly path: string; readonly isLabelled: boolean };

/** Labels of one head, or of a task without heads, file by file. */
type ReadLabels = {
  readonly head: TaskHead | null;
  readonly objective: Objective;
  readonly parts: readonly Examples[];
};

/**
 * The labels of files, per head where the task has heads. `now` (microseconds) is what a date in the future is told by.
 * Throws Failure as `readExamples` does.
 */
export async function readLabelFiles(
  task: Task,
  tables: Tables,
  files: readonly LabelFile[],
  warnings: string[],
  now: number,
): Promise<ReadLabels[]> {
  const heard: string[] = [];
  const labels: ReadLabels[] = [];
  for (const head of task.heads ?? [null]) {
    const classes: Classes = head ? [...classesOf(task, head)] : [];
    const isClosed = classes.length > 0;
    const asked = head ? { ...task, kind: head.kind, label: head.label } : task;
    const parts: Examples[] = [];
    for (const { path, isLabelled } of files)
      parts.push(await readExamples(path, asked, tables, isLabelled, classes, heard, now, isClosed));
    heard.push(...warnOfClasses(classes));
    labels.push({ head, objective: objectiveOf(task, head, classes), parts });
  }
  // What is wrong with anchors is heard of each head.
  warnings.push(...new Set(heard));
  return labels;
}

/**
 * Names classes that differ in nothing but the case of letters: they are learned as different ones, which is rarely
 * meant.
 */
export function warnOfClasses(classes: readonly string[]): string[] {
  const alike = [...Map.groupBy(classes, (name) => name.toLowerCase()).values()].filter((names) => names.length > 1);
  if (alike.length === 0) return [];
  const shown = alike.slice(0, alikeShown).map((names) => names.map((name) => JSON.stringify(name)).join(' and '));
  const rest = alike.length > shown.length ? `; and ${alike.length - shown.length} more` : '';
  return [
    `classes of the label differ only in upper and lower case, and are learned as different ones: ${shown.join('; ')}${rest}; write them alike if they are the same`,
  ];
}

const alikeShown = 5;

/**
 * The outputs of a task whose labels are future rows: one per head, or per horizon, named after it where there are
 * several.
 */
export function outputsOfTarget(task: Task, tables: Tables, now: number): LabelledOutputs {
  const { examples: sets, classes } = layOutExamples(task, tables, now);
  const outputs = sets.map((examples, i): LabelledOutput => {
    const head = task.heads?.[i];
    if (head) return { name: head.name, objective: objectiveOf(task, head, classesOf(task, head)), examples };
    const days = horizonsOf(task.target!)[i];
    const several = sets.length > 1 ? `prediction_${textOfDays(days)}` : 'prediction';
    return {
      name: horizonNamesOf(task.kind)?.nameOf(days) ?? several,
      objective: objectiveOf(task, null, classes),
      examples,
    };
  });
  return { outputs };
}

/** The classes of a head where its kind of task says them, in order of number; else none. */
function classesOf(task: Task, head: TaskHead): readonly string[] {
  const rule = headRuleOf(task.kind, head.name);
  return rule.objective === 'multiclass' ? rule.classes.names : [];
}

/** What an output of a task is learned as; `head`: null where the task has no heads. */
export function objectiveOf(task: Task, head: TaskHead | null, classes: readonly string[]): Objective {
  if (!head) {
    const kind = decidingObjective(task.kind);
    return { kind, metric: task.metric, classes: kind === 'multiclass' ? classes : [] };
  }
  const isFirst = head === task.heads?.[0];
  const metric = isFirst ? task.metric : (headRuleOf(task.kind, head.name).metric ?? defaultMetric(head.kind));
  return { kind: head.kind, metric, classes };
}
