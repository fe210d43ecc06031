import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { trainRfm } from '../ml/rfm/train.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { helpOf, readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openDataset } from './dataset.ts';
import { openProgress } from './progress.ts';

const rfmTrainUsage = {
  usage: 'rfm train <folder> --entity <table> --out <encoder> [--until <date>] [--gap <days>]',
  about: `Learns without labels what the events of a table's rows usually lead to: an encoder to vectors of 1024 numbers.

  <folder>  holds tables/ (CSV, Parquet, JSONL) and contract.yaml (inferred when there is none)
  --entity  the table whose rows are encoded; dated events of other tables lead to it
  --out     a folder to make: the encoder, also as ONNX, and report.json
  --until   learn from what was known at the end of this day (UTC); default: today
  --gap     how old the data may be when vectors are asked for; 0 by default`,
  positionals: 1,
  options: { entity: 'value', out: 'value', until: 'value', gap: 'value' },
  required: ['entity', 'out'],
} as const satisfies Usage;

type Output = { write(text: string): unknown };

/** Runs `rfm <verb>`. Returns the exit code. Throws Failure 'invalid' for a verb there is not, and as `trainRfm` does. */
export async function rfmCommand(args: readonly string[], out: Output, log: (line: string) => void): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || args.includes('--help') || args.includes('-h')) {
    out.write(helpOf(rfmTrainUsage));
    return 0;
  }
  if (verb !== 'train')
    throw new Failure('invalid', `there is no command rfm ${verb}: lastro rfm --help lists those there are`);
  const { words, values } = readArguments(rest, rfmTrainUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const day = values.until === undefined ? null : parseDay(values.until);
  if (Number.isNaN(day)) throw new Failure('invalid', `--until ${values.until} is not a day, written YYYY-MM-DD`);
  const gap = Number(values.gap ?? 0);
  if (!(gap >= 0)) throw new Failure('invalid', `--gap ${values.gap} is not a number of days`);
  const progress = openProgress(log);
  const { tables, contract } = await openDataset(words[0]!, progress);
  const until = day === null ? Date.now() * 1000 : day + microsecondsPerDay - 1;
  const options = { until, seed: 1, gapMaxDays: gap };
  const report = await trainRfm(tables, contract, values.entity!, options, folder, progress.phase);
  for (const [length, loss] of Object.entries(report.relative_loss))
    progress.say(`loss on later moments, of a constant's: ${loss.toFixed(3)} by ${length} numbers`);
  progress.say(`wrote the encoder of ${values.entity} to ${folder}`);
  return 0;
}
