import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import type { Gfm } from '../ml/gfm/version.ts';
import { encodedRows } from '../ml/gfm-link/link.ts';
import type { RfmReport } from '../ml/rfm/report.ts';
import { trainRfm } from '../ml/rfm/train.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { helpOf, readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openDataset, openGraphLink } from './dataset.ts';
import { openProgress } from './progress.ts';
import { rfmEvaluateCommand } from './rfm-evaluate.ts';
import { rfmExportCommand } from './rfm-export.ts';
import { rfmFeedbackCommand } from './rfm-feedback.ts';
import { rfmEvaluateUsage, rfmExportUsage, rfmFeedbackUsage, rfmServeUsage, rfmTrainUsage } from './rfm-usage.ts';

type Output = { write(text: string): unknown };
type Log = (line: string) => void;

const verbs: Readonly<
  Record<string, { readonly usage: Usage; run(args: readonly string[], out: Output, log: Log): Promise<number> }>
> = {
  train: { usage: rfmTrainUsage, run: (args, _, log) => trainCommand(args, log) },
  export: { usage: rfmExportUsage, run: (args, _, log) => rfmExportCommand(args, log) },
  evaluate: { usage: rfmEvaluateUsage, run: rfmEvaluateCommand },
  feedback: { usage: rfmFeedbackUsage, run: rfmFeedbackCommand },
  serve: {
    usage: rfmServeUsage,
    // Loaded on demand: the HTTP modules load slowly, and the other verbs do not need them.
    run: async (args, out, log) => (await import('./rfm-serve.ts')).rfmServeCommand(args, out, log),
  },
};

/** Runs `rfm <verb>`. Returns the exit code. Throws Failure 'invalid' for an unknown verb, and those of the verbs. */
export async function rfmCommand(args: readonly string[], out: Output, log: Log): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === '--help' || verb === '-h') {
    for (const { usage } of Object.values(verbs)) out.write(`${helpOf(usage)}\n`);
    return 0;
  }
  if (!Object.hasOwn(verbs, verb))
    throw new Failure('invalid', `there is no command rfm ${verb}: lastro rfm --help lists those there are`);
  const { usage, run } = verbs[verb];
  if (!rest.includes('--help') && !rest.includes('-h')) return run(rest, out, log);
  out.write(helpOf(usage));
  return 0;
}

/** Pre-trains an encoder. Throws Failure as `trainRfm` does. */
async function trainCommand(args: readonly string[], log: Log): Promise<number> {
  const { words, values } = readArguments(args, rfmTrainUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const day = values.until === undefined ? null : parseDay(values.until);
  if (Number.isNaN(day)) throw new Failure('invalid', `--until ${values.until} is not a day, written YYYY-MM-DD`);
  const gap = Number(values.gap ?? 0);
  if (!(gap >= 0)) throw new Failure('invalid', `--gap ${values.gap} is not a number of days`);
  const progress = openProgress(log);
  const dataset = await openDataset(words[0], progress);
  const { tables, contract } = dataset;
  const entity = values.entity!;
  if (!tables.has(entity)) {
    const names = [...tables.keys()].join(', ');
    throw new Failure('invalid', `--entity ${entity} is not a table of the contract; those are ${names}`);
  }
  const graphModel = await openGraphLink(values.gfm, values['gfm-key'], encodedRows(entity), false, dataset);
  const until = day === null ? Date.now() * 1000 : day + microsecondsPerDay - 1;
  const options = { until, seed: 1, gapMaxDays: gap, ...(graphModel && { graphModel }) };
  const report = await trainRfm(tables, contract, entity, options, folder, progress.phase);
  if (graphModel) progress.say(describeComposed(report, graphModel.model.gfm));
  for (const [length, loss] of Object.entries(report.relative_loss))
    progress.say(`loss on later moments, of a constant's: ${loss.toFixed(3)} by ${length} numbers`);
  progress.say(`wrote the encoder of ${entity} to ${folder}`);
  return 0;
}

function describeComposed({ entity, graph_model }: RfmReport, { modelSnapshot }: Gfm): string {
  return graph_model
    ? `composed with the graph model ${modelSnapshot}: ${graph_model.inputs} numbers of its vectors are inputs`
    : `not composed: hardly any row of ${entity} is in the graph of ${modelSnapshot}`;
}
