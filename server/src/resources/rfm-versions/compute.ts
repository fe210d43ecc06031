import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { openTables } from '../../ml/lake/open.ts';
import { type RfmReport, trainRfm } from '../../ml/rfm/train.ts';

export type PretrainTask = {
  readonly contract: string;
  /** Local file with the frozen tables of the snapshot. */
  readonly frozen: string;
  /** Local file with the dictionary of names, or null. */
  readonly identifiers: string | null;
  readonly entity: string;
  /** The folder of the encoder, which does not exist yet. */
  readonly out: string;
  /** Nothing later is read; microseconds, on the clock of the workspace. */
  readonly now: number;
};

export type PretrainProgress = { readonly phase: string; readonly fraction: number };
export type PretrainResult = { readonly report: RfmReport; readonly files: readonly string[] };

const seed = 1;
/** What share of a run has passed when a phase begins, and when it ends. */
const phases: readonly (readonly [begins: string, from: number, until: number])[] = [
  ['proposing', 0, 0.05],
  ['reading', 0.05, 0.2],
  ['first network', 0.2, 0.6],
  ['second network', 0.6, 0.97],
  ['', 0.97, 1],
];

/** Pre-trains an encoder of a table's rows from frozen tables. */
export async function pretrain(
  task: PretrainTask,
  { progress }: TaskContext<PretrainProgress>,
): Promise<PretrainResult> {
  const declared = parseContract(task.contract, 'the contract of the run');
  progress({ phase: 'opening the tables', fraction: 0 });
  const tables = await openTables(task.frozen, task.identifiers);
  // As they are kept: without personal columns, with those that date changed rows.
  const contract = { ...declared, tables: declared.tables.map(({ name }) => tables.get(name)!.contract) };
  const report = await trainRfm(
    tables,
    contract,
    task.entity,
    { until: task.now, seed },
    task.out,
    (phase, done, of) => {
      const [, from, until] = phases.find(([begins]) => phase.startsWith(begins))!;
      progress({ phase, fraction: from + (until - from) * (of > 0 ? done / of : 0) });
    },
  );
  return {
    report,
    files: readdirSync(task.out)
      .sort()
      .map((name) => join(task.out, name)),
  };
}
