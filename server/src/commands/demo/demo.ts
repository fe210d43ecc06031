import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTable } from '../../lib/files/read.ts';
import { readArguments, type Usage } from '../arguments.ts';
import { fitFolder } from '../fit.ts';
import { predictFile } from '../predict.ts';
import { openProgress } from '../progress.ts';
import { generateLender } from './lender.ts';

export const demoUsage = {
  usage: 'demo [--folder demo] [--customers 1200] [--seed 1]',
  about: `Makes up a lender, learns its credit risk, scores a file of applications and shows what came out.

  --folder     where everything is written; what an earlier demo left there is replaced
  --customers  how many customers the lender has, from 200 up
  --seed       another seed makes up another lender`,
  positionals: 0,
  options: { folder: 'value', customers: 'value', seed: 'value' },
} as const satisfies Usage;

const customersDefault = 1_200;
const rowsShown = 5;

/** Makes up a lender, trains a credit model, scores a file of applications, and prints the results. */
export async function demoCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  log: (line: string) => void,
): Promise<number> {
  const { values } = readArguments(args, demoUsage);
  const folder = resolve(values.folder ?? 'demo');
  const customers = Number(values.customers ?? customersDefault);
  const progress = openProgress(log);
  const data = join(folder, 'lender');
  const version = join(folder, 'credit-version');
  for (const made of [data, version]) if (existsSync(made)) rmSync(made, { recursive: true });
  const { rows } = await generateLender(data, { customers, seed: Number(values.seed ?? 1) });
  progress.say(`made up a lender with ${customers} customers, ${rows} rows in ${data}; nobody in it exists`);
  const report = await fitFolder(data, 'credit', version, progress);
  const scored = join(folder, 'scored.csv');
  await predictFile(
    version,
    data,
    join(data, 'applications.csv'),
    scored,
    { now: Date.now(), asOf: null, factors: 3, language: 'en' },
    progress,
  );

  const outputs = report.outputs.map(({ name }) => name);
  out.write('\nHow good it is, on months later than what the scoring models had learned from:\n\n');
  for (const { name, out_of_fold: measures } of report.outputs) {
    if (measures)
      out.write(
        `  ${name.padEnd(8)} AUROC ${measures.value.toFixed(3)} ± ${measures.standard_error.toFixed(3)}   Brier ${measures.others.brier.toFixed(4)}   calibration error ${measures.calibration?.expected_calibration_error.toFixed(4) ?? '–'}\n`,
      );
  }
  const names = ['legal_document', 'score', ...outputs, 'risk_band', 'key_factors', 'data_coverage_share'];
  const { rows: answers } = await readTable(
    [scored],
    names.map((name) => ({ name, type: 'string' as const })),
  );
  const cell = (name: string, row: number) => {
    const column = answers.columns.get(name)!;
    return column.kind === 'text' && column.codes[row] >= 0 ? column.dictionary[column.codes[row]] : '';
  };
  out.write(`\nThe first ${rowsShown} of ${answers.rows} applications scored:\n\n`);
  for (let row = 0; row < Math.min(rowsShown, answers.rows); row++) {
    out.write(
      `  ${cell('legal_document', row)}  score ${cell('score', row)}  ${cell('risk_band', row)}  (history: ${(100 * Number(cell('data_coverage_share', row))).toFixed(1)} % of what the model reads)\n`,
    );
    out.write(`    ${outputs.map((name) => `${name} ${(100 * Number(cell(name, row))).toFixed(1)} %`).join('  ')}\n`);
    for (const text of JSON.parse(cell('key_factors', row)) as string[]) out.write(`    · ${text}\n`);
    out.write('\n');
  }
  out.write(`Tables and contract: ${data}\nThe model, with its document model.md: ${version}\nAll scores: ${scored}\n`);
  return 0;
}
