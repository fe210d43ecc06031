import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { type Notice, sayNotice } from '../ml/contract/notices.ts';
import { isFresh } from '../ml/features/anchors.ts';
import { decidingObjective } from '../ml/kinds/kinds.ts';
import { joinExamples } from '../ml/tasks/examples.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { measureFewLabels } from '../ml/training/few-labels.ts';
import { readArguments, requireWritableFile } from './arguments.ts';
import { type FiledOutput, openDataset, openGraphLink, openLabels, openTask } from './dataset.ts';
import { openProgress } from './progress.ts';
import { rfmEvaluateUsage } from './rfm-usage.ts';

const [labelsDefault, drawsDefault] = [200, 20];
const seed = 1;

/** Measures what an encoder adds to features when labels are few. Throws Failure as `measureFewLabels` does. */
export async function rfmEvaluateCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  log: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, rfmEvaluateUsage);
  const labels = wholeOf('--labels', values.labels, labelsDefault);
  const draws = wholeOf('--draws', values.draws, drawsDefault);
  const positives = values.positives === undefined ? undefined : Number(values.positives);
  if (positives !== undefined && !(positives > 0 && positives < 1))
    throw new Failure('invalid', `--positives ${values.positives} is not a share between 0 and 1`);
  const day = values.from === undefined ? undefined : parseDay(values.from);
  if (Number.isNaN(day)) throw new Failure('invalid', `--from ${values.from} is not a day, written YYYY-MM-DD`);
  if (values.out !== undefined) requireWritableFile('--out', values.out);
  const progress = openProgress(log);
  const dataset = await openDataset(words[0], progress);
  const noticed: Notice[] = [];
  const task = openTask(dataset, values.task!);
  if (task.target || task.heads || decidingObjective(task.kind) === 'multiclass')
    throw new Failure(
      'invalid',
      `task ${task.name}: rfm evaluate takes a task of one number, or of yes or no, with label files`,
    );
  if (positives !== undefined && decidingObjective(task.kind) === 'regression')
    throw new Failure('invalid', `--positives is a share of yes and no, and task ${task.name} is about a number`);
  const files = ['train.csv', 'val.csv'].filter((file) => existsSync(join(dataset.folder, 'tasks', task.name, file)));
  const [{ objective, parts }] = (await openLabels(dataset, task, files, noticed)) as [FiledOutput];
  for (const notice of noticed) progress.say(`warning: ${sayNotice(notice)}`);
  const from = day ?? parts[1]?.at.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (from === undefined || !Number.isFinite(from))
    throw new Failure('invalid', 'without a val.csv name the day from which rows are evaluated: --from YYYY-MM-DD');
  const examples = joinExamples(...parts);
  const isNew = isFresh(task, dataset.tables, examples);
  const graphModel = await openGraphLink(values.gfm, values['gfm-key'], task, isNew, dataset);
  const options = {
    labels,
    draws,
    from,
    seed,
    ...(graphModel && { graphModel }),
    ...(positives !== undefined && { positives }),
  };
  const { dataUntil: _, ...unbound } = task;
  const report = await measureFewLabels(dataset.tables, unbound, objective, examples, options, progress.phase);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  const { metric, features, with_encoder, gain, low, high, wins, judged_rows } = report;
  out.write(
    `${labels} labels, ${draws} times; ${judged_rows} rows from ${report.judged_from} on
features          ${metric} ${features.toFixed(4)}
and the encoder   ${metric} ${with_encoder.toFixed(4)}
gain              ${gain.toFixed(4)} (95 %: ${low.toFixed(4)} to ${high.toFixed(4)}), better ${wins} times of ${draws}
`,
  );
  return 0;
}

function wholeOf(option: string, given: string | undefined, usual: number): number {
  const value = Number(given ?? usual);
  if (!Number.isInteger(value) || value < 1)
    throw new Failure('invalid', `${option} ${given} is not a whole number from 1`);
  return value;
}
