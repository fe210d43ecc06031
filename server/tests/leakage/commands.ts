/** What the commands make of a data folder: a version, predictions, an evaluation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalCommand } from '../../src/commands/eval.ts';
import { fitCommand } from '../../src/commands/fit.ts';
import { predictCommand } from '../../src/commands/predict.ts';
import type { Row } from '../samples.ts';
import { csv, writeFolder } from './folders.ts';
import type { TaskName } from './tasks.ts';
import { data } from './world.ts';

export const quiet = () => {};

/** Fits the task of a data folder; the folder of the version. */
export async function fitVersion(folder: string, task: TaskName, name = 'version'): Promise<string> {
  const out = join(folder, name);
  await fitCommand([folder, '--task', task, '--out', out], quiet);
  return out;
}

/** The text of the file that predictCommand writes for these rows. */
export async function predictions(
  version: string,
  folder: string,
  rows: readonly Row[],
  options: readonly string[] = [],
): Promise<string> {
  const input = join(folder, 'ask.csv');
  const output = join(folder, 'answers.csv');
  writeFileSync(input, csv(rows));
  await predictCommand([version, '--data', folder, '--in', input, '--out', output, ...options], quiet);
  return readFileSync(output, 'utf8');
}

/**
 * Evaluates the task on the untouched data: the predictions as written, by key, and what the report says of the model.
 */
export async function evaluated(
  parent: string,
  labels: { readonly train: readonly Row[]; readonly test: readonly Row[] },
  task: TaskName,
) {
  const folder = writeFolder(parent, data, labels, task);
  const [out, report] = [join(folder, 'predictions.csv'), join(folder, 'report.json')];
  await evalCommand([folder, '--task', task, '--out', out, '--report', report], quiet);
  const [, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
  const predictions = new Map(lines.map((line) => [line.split(',')[0], line.split(',').at(-1)!]));
  return { predictions, model: JSON.parse(readFileSync(report, 'utf8')).model };
}
