import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { joinExamples } from '../ml/tasks/examples.ts';
import { fit } from '../ml/training/fit.ts';
import type { FitReport } from '../ml/training/report.ts';
import { readArguments } from './arguments.ts';
import { openDataset, openLabels, openTask } from './dataset.ts';
import { openProgress, type ProgressLine } from './progress.ts';

const usage = {
  usage: 'fit <folder> --task <name> --out <version folder>',
  positionals: 1,
  options: { task: 'value', out: 'value' },
  required: ['task', 'out'],
} as const;

/** Learns a task of a data set from all its labels and writes a version folder. */
export async function fitCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, usage);
  const progress = openProgress(log);
  const report = await fitFolder(words[0], values.task!, values.out!, progress);
  for (const { name, recipe, out_of_fold: measures } of report.outputs) {
    if (measures)
      progress.say(
        `${name}: ${Object.entries(measures.others)
          .map(([metric, value]) => `${metric} ${value.toFixed(4)}`)
          .join(', ')} (${recipe})`,
      );
  }
  progress.say(`wrote the version to ${values.out}`);
  return 0;
}

export async function fitFolder(
  folder: string,
  taskName: string,
  out: string,
  progress: ProgressLine,
): Promise<FitReport> {
  const warnings: string[] = [];
  const dataset = await openDataset(folder, progress);
  const task = openTask(folder, taskName, warnings);
  const files = ['train.csv', 'val.csv'].filter((file) => existsSync(join(folder, 'tasks', taskName, file)));
  const labels = await openLabels(dataset, task, files.length > 0 ? files : ['train.csv'], warnings);
  for (const warning of [...warnings, ...dataset.report.warnings]) progress.say(`warning: ${warning}`);
  const outputs = task.target ? labels.outputs : [{ name: 'prediction', examples: joinExamples(...labels.parts) }];
  return await fit(
    {
      tables: dataset.tables,
      contract: dataset.contract,
      task,
      classes: labels.classes,
      outputs,
      regime: { kind: 'rolling' },
    },
    out,
    progress.phase,
  );
}
