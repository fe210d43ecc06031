import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { type Notice, sayNotice } from '../ml/contract/notices.ts';
import { isFresh } from '../ml/features/anchors.ts';
import { openGraphModel } from '../ml/gfm-link/reading.ts';
import { type FeedbackReport, feedBack } from '../ml/rfm/feedback.ts';
import { readOutputs } from '../ml/tasks/labels.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { readArguments, requireNewFolder, requireWritableFile } from './arguments.ts';
import { openDataset, openTask } from './dataset.ts';
import { openProgress } from './progress.ts';
import { rfmFeedbackUsage } from './rfm-usage.ts';

const toleranceDefault = 0.02;
/** The exit code when a head became too much worse: nothing failed, but nothing was written. */
const refusedCode = 3;

/** Fine-tunes a copy of an encoder on a task's labels. Throws Failure as `feedBack` does. */
export async function rfmFeedbackCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  log: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, rfmFeedbackUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  if (values.report !== undefined) requireWritableFile('--report', values.report);
  const tolerance = Number(values.tolerance ?? toleranceDefault);
  if (!(tolerance >= 0)) throw new Failure('invalid', `--tolerance ${values.tolerance} is not a number from 0`);
  const day = values.until === undefined ? undefined : parseDay(values.until);
  if (Number.isNaN(day)) throw new Failure('invalid', `--until ${values.until} is not a day, written YYYY-MM-DD`);
  const progress = openProgress(log);
  const dataset = await openDataset(values.data!, progress);
  const warnings: string[] = [];
  const noticed: Notice[] = [];
  const task = openTask(dataset, values.task!);
  const files = ['train.csv', 'val.csv']
    .map((file) => join(dataset.folder, 'tasks', task.name, file))
    .filter((file, at) => at === 0 || existsSync(file));
  const { outputs } = await readOutputs(task, dataset.tables, files, noticed, Date.now() * 1000);
  for (const warning of [...warnings, ...noticed.map(sayNotice)]) progress.say(`warning: ${warning}`);
  const [{ objective, examples }] = outputs;
  if (isFresh(task, dataset.tables, examples))
    throw new Failure(
      'invalid',
      `task ${task.name} is about new rows, and an encoder learns of rows that have a history`,
    );
  const graphModel = values.gfm === undefined ? null : await openGraphModel(resolve(values.gfm));
  const options = {
    tolerance,
    ...(graphModel && { graphModel }),
    ...(day !== undefined && { until: day + microsecondsPerDay - 1 }),
  };
  const fineTuneTask = { ...task, task: task.name, objective, examples };
  const report = await feedBack(resolve(words[0]), dataset.tables, fineTuneTask, options, folder, progress.phase);
  if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
  out.write(sheetOf(report));
  if (!report.accepted) return refusedCode;
  progress.say(`wrote the encoder to ${folder}`);
  return 0;
}

const worstTold = 5;

function sheetOf({ task, labels, label, heads, accepted, tolerance }: FeedbackReport): string {
  const worst = heads.toSorted((a, b) => b.after - b.before - (a.after - a.before)).slice(0, worstTold);
  const mean = (of: (head: (typeof heads)[number]) => number) =>
    heads.reduce((sum, head) => sum + of(head), 0) / heads.length;
  const auroc = label?.auroc === undefined ? '' : `, AUROC ${label.auroc.toFixed(3)}`;
  return [
    `${task}: ${labels} labels`,
    label
      ? `  on ${label.rows} later ones: loss of a constant's ${label.relative_loss.toFixed(3)}${auroc}`
      : '  no later ones to evaluate by',
    `${heads.length} other heads, loss of a constant's: mean ${mean(({ before }) => before).toFixed(3)} before, ${mean(({ after }) => after).toFixed(3)} after; those that fell most:`,
    ...worst.map(
      ({ target, days, before, after, fell }) =>
        `  ${target}, ${days} days: ${before.toFixed(3)} to ${after.toFixed(3)}${fell ? ' beyond the tolerance' : ''}`,
    ),
    accepted
      ? 'accepted'
      : heads.length === 0
        ? 'refused: too few later moments to evaluate any other head by'
        : `refused: ${heads.filter(({ fell }) => fell).length} fell by more than ${tolerance}`,
    '',
  ].join('\n');
}
