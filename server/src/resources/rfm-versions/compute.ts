import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { isFresh } from '../../ml/features/anchors.ts';
import { encodedRows } from '../../ml/gfm-link/link.ts';
import { type GraphUse, linkGraph } from '../../ml/gfm-link/link-graph.ts';
import { openGraphModel } from '../../ml/gfm-link/reading.ts';
import { openTables } from '../../ml/lake/open.ts';
import { type FeedbackReport, feedBack } from '../../ml/rfm/feedback.ts';
import type { RfmReport } from '../../ml/rfm/report.ts';
import { trainRfm } from '../../ml/rfm/train.ts';
import { readOutputs } from '../../ml/tasks/labels.ts';
import { parseStoredTask } from '../../ml/tasks/parse-task.ts';
import { resolveTask } from '../../ml/tasks/resolve.ts';

export type PretrainTask = {
  readonly contract: string;
  /** Local file with the frozen tables of the snapshot. */
  readonly frozen: string;
  /** Local file with the dictionary of names; null when there is none. */
  readonly identifiers: string | null;
  readonly entity: string;
  /** Local folder of the GFM version that the encoder is, or is to be, composed with; null for none. */
  readonly graphModel: string | null;
  /** The folder of the encoder, which does not exist yet. */
  readonly out: string;
  /** The as-of moment, after which nothing is read: local time of the workspace in microseconds. */
  readonly now: number;
};

export type PretrainProgress = { readonly phase: string; readonly fraction: number };
export type PretrainResult = {
  readonly report: RfmReport;
  readonly files: readonly string[];
  /** How the encoder uses the graph model; null without one. */
  readonly graph: GraphUse | null;
  readonly warnings: readonly string[];
};

const seed = 1;
/** The share of the work that is done when a phase begins, and when it ends. */
type Phases = readonly (readonly [begins: string, from: number, until: number])[];
const pretrainingPhases: Phases = [
  ['proposing', 0, 0.05],
  ['reading', 0.05, 0.2],
  ['first network', 0.2, 0.6],
  ['second network', 0.6, 0.97],
  ['', 0.97, 1],
];
const fineTuningPhases: Phases = [
  ['reading', 0.02, 0.1],
  ['first network', 0.1, 0.6],
  ['second network', 0.6, 0.97],
  ['', 0.97, 1],
];

/** Pre-trains an encoder of a table's rows on frozen tables. */
export async function pretrain(
  task: PretrainTask,
  { progress }: TaskContext<PretrainProgress>,
): Promise<PretrainResult> {
  const declared = parseStoredContract(task.contract, 'the contract of the run');
  progress({ phase: 'opening the tables', fraction: 0 });
  const tables = await openTables(task.frozen, task.identifiers);
  // The contract as the frozen tables have it: without personal columns, with the columns that date changed rows.
  const contract = { ...declared, tables: declared.tables.map(({ name }) => tables.get(name)!.contract) };
  const graph =
    task.graphModel === null
      ? null
      : await linkGraph(task.graphModel, encodedRows(task.entity), contract, false, tables);
  const report = await trainRfm(
    tables,
    contract,
    task.entity,
    {
      ...{ until: task.now, seed },
      ...(graph?.given && { graphModel: graph.given }),
    },
    task.out,
    (phase, done, of) => progress({ phase, fraction: shareOf(pretrainingPhases, phase, done, of) }),
  );
  return {
    report,
    files: filesIn(task.out),
    graph: graph && { ...graph.found, is_read: report.graph_model !== undefined },
    warnings: graph?.warning ? [graph.warning] : [],
  };
}

export type FineTuneEncoderTask = Omit<PretrainTask, 'entity'> & {
  /** The folder of the encoder to fine-tune. */
  readonly encoder: string;
  readonly definition: string;
  readonly name: string;
  /** Local label files, in order. */
  readonly labels: readonly string[];
};

/**
 * `why` says why fine-tuning was not possible. Otherwise the report compares each head before and after; files exist
 * only when the result was accepted.
 */
export type FineTuneResult =
  | { readonly why: string; readonly report: null; readonly files: readonly [] }
  | { readonly why: null; readonly report: FeedbackReport; readonly files: readonly string[] };

/** By how much the loss of any head may grow on later moments, as a share of the loss of a constant. */
const tolerance = 0.02;

/**
 * Fine-tunes a copy of an encoder on a task's closed labels. When the encoder cannot be fine-tuned on them, the result
 * says why, and nothing fails.
 */
export async function fineTuneEncoder(
  task: FineTuneEncoderTask,
  { progress }: TaskContext<PretrainProgress>,
): Promise<FineTuneResult> {
  const declared = parseStoredContract(task.contract, 'the contract of the run');
  const warnings: string[] = [];
  const parsed = resolveTask(
    parseStoredTask(task.definition, task.name, 'definition', warnings),
    declared,
    'definition',
  );
  let reached = 0;
  progress({ phase: 'encoder: opening the tables', fraction: reached });
  const tables = await openTables(task.frozen, task.identifiers);
  const { outputs } = await readOutputs(parsed, tables, task.labels, [], task.now);
  const [{ objective, examples }] = outputs;
  const untold = (why: string): FineTuneResult => ({ why, report: null, files: [] });
  if (isFresh(parsed, tables, examples)) return untold('the task is about new rows, which have no history');
  try {
    const report = await feedBack(
      task.encoder,
      tables,
      { ...parsed, task: task.name, objective, examples },
      {
        ...{ until: task.now, tolerance },
        ...(task.graphModel !== null && { graphModel: await openGraphModel(task.graphModel) }),
      },
      task.out,
      (phase, done, of) => {
        // Fine-tuning reads the moments again before the second network. The fraction must not fall.
        reached = Math.max(reached, shareOf(fineTuningPhases, phase, done, of));
        progress({ phase: `encoder: ${phase}`, fraction: reached });
      },
    );
    return { why: null, report, files: report.accepted ? filesIn(task.out) : [] };
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return untold(error.message);
    throw error;
  }
}

function shareOf(phases: Phases, phase: string, done: number, of: number): number {
  const [, from, until] = phases.find(([begins]) => phase.startsWith(begins))!;
  return from + (until - from) * (of > 0 ? done / of : 0);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}
