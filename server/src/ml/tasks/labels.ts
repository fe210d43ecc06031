import { type Notice, sayNotice } from '../contract/notices.ts';
import type { Tables } from '../graph/tables.ts';
import { decidingObjective, headRuleOf } from '../kinds/kinds.ts';
import type { Objective } from '../statistics/objective.ts';
import { type Classes, type Examples, joinExamples, readExamples } from './examples.ts';
import { layOutExamples } from './layout.ts';
import { defaultMetric } from './metric.ts';
import { outputNameOf } from './output-name.ts';
import { horizonsOf } from './target.ts';
import type { Task, TaskHead } from './task.ts';

/** Labels of one output. */
export type LabelledOutput = { readonly name: string; readonly objective: Objective; readonly examples: Examples };

/** Labels to learn from, one set per output. All sets have the same anchors in the same order. */
export type LabelledOutputs = { readonly outputs: readonly LabelledOutput[] };

/**
 * All labels of a task. They are laid out from its targets, with one output per horizon or head, or read from label
 * files, whose rows are joined. Outputs of a kind that names its horizons are named by their window. Dates after `now`
 * (microseconds) count as in the future. Throws Failure as `readExamples` does.
 */
export async function readOutputs(
  task: Task,
  tables: Tables,
  files: readonly string[],
  warnings: Notice[],
  now: number,
): Promise<LabelledOutputs> {
  if (task.target) {
    const laidOut = outputsOfTarget(task, tables, now, warnings);
    warnings.push(...once(laidOut.outputs.flatMap(({ objective }) => warnOfClasses(objective.classes))));
    return laidOut;
  }
  const labelled = files.map((path) => ({ path, isLabelled: true }));
  const read = await readLabelFiles(task, tables, labelled, warnings, now);
  const name = outputNameOf(task.kind, task.windowDays, 1);
  const outputs = read.map(({ head, objective, parts }) => ({
    name: head?.name ?? name,
    objective,
    examples: joinExamples(...parts),
  }));
  return { outputs };
}

/** A file of a task's rows. When it is not labelled, the labels of its rows are missing. */
type LabelFile = { readonly path: string; readonly isLabelled: boolean };

/** The labels of one head, or of a task without heads, one part per file. */
type ReadLabels = {
  readonly head: TaskHead | null;
  readonly objective: Objective;
  readonly parts: readonly Examples[];
};

/**
 * Reads the labels of files, for each head when the task has heads. Dates after `now` (microseconds) count as in the
 * future. Throws Failure as `readExamples` does.
 */
export async function readLabelFiles(
  task: Task,
  tables: Tables,
  files: readonly LabelFile[],
  warnings: Notice[],
  now: number,
): Promise<ReadLabels[]> {
  const heard: Notice[] = [];
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
  // Warnings about anchors come once per head; each is kept once.
  warnings.push(...once(heard));
  return labels;
}

/**
 * Warns about classes that differ only in upper and lower case. They are learned as different classes, which is rarely
 * intended.
 */
export function warnOfClasses(classes: readonly string[]): Notice[] {
  const alike = [...Map.groupBy(classes, (name) => name.toLowerCase()).values()].filter((names) => names.length > 1);
  if (alike.length === 0) return [];
  const shown = alike.slice(0, alikeShown);
  return [{ code: 'classes_alike', classes: shown, more: alike.length - shown.length }];
}

/** What is told by the same sentence, once. */
function once(notices: readonly Notice[]): Iterable<Notice> {
  return new Map(notices.map((notice) => [sayNotice(notice), notice])).values();
}

const alikeShown = 5;

/**
 * The outputs of a task whose labels are future rows: one per head or per horizon. When there are several horizons,
 * each output is named after its own. What the labels are not taken from is told to `warnings`.
 */
export function outputsOfTarget(task: Task, tables: Tables, now: number, warnings: Notice[] = []): LabelledOutputs {
  const { examples: sets, classes, warnings: heard } = layOutExamples(task, tables, now);
  warnings.push(...heard);
  const outputs = sets.map((examples, i): LabelledOutput => {
    const head = task.heads?.[i];
    if (head) return { name: head.name, objective: objectiveOf(task, head, classesOf(task, head)), examples };
    return {
      name: outputNameOf(task.kind, horizonsOf(task.target!)[i], sets.length),
      objective: objectiveOf(task, null, classes),
      examples,
    };
  });
  return { outputs };
}

/** The classes of a head, in order of class number, when its kind defines them; else empty. */
function classesOf(task: Task, head: TaskHead): readonly string[] {
  const rule = headRuleOf(task.kind, head.name);
  return rule.objective === 'multiclass' ? rule.classes.names : [];
}

/** The objective of a task's output. `head` is null when the task has no heads. */
export function objectiveOf(task: Task, head: TaskHead | null, classes: readonly string[]): Objective {
  if (!head) {
    const kind = decidingObjective(task.kind);
    return { kind, metric: task.metric, classes: kind === 'multiclass' ? classes : [] };
  }
  const isFirst = head === task.heads?.[0];
  const metric = isFirst ? task.metric : (headRuleOf(task.kind, head.name).metric ?? defaultMetric(head.kind));
  return { kind: head.kind, metric, classes };
}
