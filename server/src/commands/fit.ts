import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTrainingThreads } from '../config.ts';
import { type Notice, sayNotice } from '../ml/contract/notices.ts';
import { isFresh } from '../ml/features/anchors.ts';
import { cellsMaxUsual } from '../ml/graph/sample.ts';
import { readOutputs } from '../ml/tasks/labels.ts';
import { type FitInput, fit } from '../ml/training/fit.ts';
import { describeLayers } from '../ml/training/layers.ts';
import { describeNaive } from '../ml/training/naive.ts';
import { describeSureness, type FitReport } from '../ml/training/report.ts';
import { describeWidening } from '../ml/training/widen.ts';
import { readArguments, readCellsMax, readMinutes, requireNewFolder, type Usage } from './arguments.ts';
import { openDataset, openGraphLink, openSample, openTask } from './dataset.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const fitUsage = {
  usage:
    'fit <folder> --task <name> [--pretrain] [--gfm <graph model>] [--layers] [--minutes <number>] [--max-cells <number>] --out <version folder>',
  about: `Learns a task from the tables of a folder and all its labels, and writes the model as a version folder.

  <folder>  holds tables/ (CSV, Parquet, JSONL), contract.yaml (inferred when there is none) and tasks/<name>/
  --task    the task's folder name under tasks/: task.yaml, with train.csv and val.csv unless it makes its own labels
  --out     the version folder; it must not exist yet
  --pretrain  first learn, from all of the history and without labels, what the entity's events usually lead to: for
            tasks about entities with few labels
  --gfm     a version of the graph model, whose vectors of the entities that rows are linked to may be read: by the columns
            marked graphKey in the contract, by the model and by its encoder. Predictions then need the same
  --gfm-key the column (table.column) that links rows to the graph, where several do or none is marked
  --layers  also say what each layer of the model adds on the rows that chose it: a row's own features, the rows it refers
            to and met, the encoder, the graph model; takes about as long again for each
  --minutes   average more models, that read other features, for about so long in all, and say what that gained; how many
            there is time for depends on the machine
  --max-cells  rows times columns of all tables together, 50000000 by default. Of larger tables a sample is learned from:
            of the rows that the task is about, or that these belong to, some, with all that refers to them`,
  positionals: 1,
  options: {
    task: 'value',
    out: 'value',
    pretrain: 'flag',
    layers: 'flag',
    minutes: 'value',
    'max-cells': 'value',
    gfm: 'value',
    'gfm-key': 'value',
  },
  required: ['task', 'out'],
} as const satisfies Usage;

/** Trains a model of a data set's task on all its labels and writes a version folder. */
export async function fitCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, fitUsage);
  const progress = openProgress(log);
  const report = await fitFolder(words[0], values.task!, values.out!, progress, {
    isPretrained: values.pretrain !== undefined,
    withLayers: values.layers !== undefined,
    minutes: readMinutes(values.minutes),
    cellsMax: readCellsMax(values['max-cells']),
    gfm: values.gfm,
    gfmKey: values['gfm-key'],
  });
  for (const { name, recipe, metric, out_of_fold: measures, naive, layers = [], widening = [] } of report.outputs) {
    if (!measures) progress.say(`warning: ${name}: too few rows to say how good the model is`);
    else {
      progress.say(
        `${name}: ${Object.entries(measures.others)
          .map(([metric, value]) => `${metric} ${value.toFixed(4)}`)
          .join(', ')} (${recipe})`,
      );
      if (naive) progress.say(`  ${metric} ${describeNaive(naive)}`);
      for (const line of describeSureness(measures)) progress.say(`  ${line}`);
    }
    const widened = describeWidening(metric, widening);
    if (widened !== null) progress.say(`  ${widened}`);
    for (const line of describeLayers(metric, layers)) progress.say(`  ${line}`);
  }
  for (const { message } of report.warnings) progress.say(`warning: ${message}`);
  progress.say(`wrote the version to ${values.out}`);
  return 0;
}

type FitFolderOptions = Pick<FitInput, 'isPretrained' | 'withLayers' | 'minutes'> & {
  /** The folder of a graph model. `gfmKey`: the column that links rows to it. */
  readonly gfm?: string | undefined;
  readonly gfmKey?: string | undefined;
  /** Of tables of more cells a sample is learned from; an encoder is learned from all of the history. */
  readonly cellsMax?: number | undefined;
};

export async function fitFolder(
  folder: string,
  taskName: string,
  out: string,
  progress: ProgressLine,
  { gfm, gfmKey, cellsMax = cellsMaxUsual.learned, ...options }: FitFolderOptions = {},
): Promise<FitReport> {
  requireNewFolder('--out', out);
  const warnings: string[] = [];
  const noticed: Notice[] = [];
  const isWhole = options.isPretrained === true;
  const dataset = await (isWhole ? openDataset(folder, progress) : openSample(folder, taskName, progress, cellsMax));
  const task = openTask(dataset, taskName);
  const files = ['train.csv', 'val.csv']
    .map((file) => join(folder, 'tasks', taskName, file))
    .filter((file, at) => at === 0 || existsSync(file));
  const labels = await readOutputs(task, dataset.tables, files, noticed, Date.now() * 1000);
  for (const warning of [...warnings, ...[...noticed, ...dataset.report.warnings].map(sayNotice)])
    progress.say(`warning: ${warning}`);
  const fresh = isFresh(task, dataset.tables, labels.outputs[0].examples);
  const graphModel = await openGraphLink(gfm, gfmKey, task, fresh, dataset);
  return await fit(
    {
      tables: dataset.tables,
      contract: dataset.contract,
      task,
      ...labels,
      regime: { kind: 'rolling' },
      threads: readTrainingThreads(),
      ...options,
      ...(dataset.sampled && { sampled: dataset.sampled }),
      ...(graphModel && { graphModel }),
    },
    out,
    progress.phase,
  );
}
