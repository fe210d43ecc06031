import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { type Notice, sayNotice } from '../../ml/contract/notices.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { isFresh } from '../../ml/features/anchors.ts';
import { type GraphUse, linkGraph } from '../../ml/gfm-link/link-graph.ts';
import { openTables } from '../../ml/lake/open.ts';
import { type LabelMonth, labelMonths } from '../../ml/tasks/label-months.ts';
import { readOutputs } from '../../ml/tasks/labels.ts';
import { parseStoredTask } from '../../ml/tasks/parse-task.ts';
import { resolveTask } from '../../ml/tasks/resolve.ts';
import { fit } from '../../ml/training/fit.ts';
import type { FitReport } from '../../ml/training/report.ts';
import type { ModelWarning } from '../../ml/training/warning.ts';
import { readVersion, type Version } from '../../ml/version/version.ts';

export type TrainTask = {
  readonly contract: string;
  /** Local file with the frozen tables of the snapshot. */
  readonly frozen: string;
  /** Local file with the dictionary of names; null when there is none. */
  readonly identifiers: string | null;
  readonly definition: string;
  readonly name: string;
  /** Local label files, in order. */
  readonly labels: readonly string[];
  /** Whether to pre-train an encoder of the entity first. Only applies to tasks about entities. */
  readonly isPretrained: boolean;
  /** Local folder of the GFM version that the model may read; null for none. */
  readonly graphModel: string | null;
  readonly threads: number;
  /** The version folder, which does not exist yet. */
  readonly out: string;
  /** The as-of moment of the run: local time of the workspace in microseconds. */
  readonly now: number;
};

export type TrainProgress = {
  readonly phase: string;
  readonly fraction: number;
  /** The metrics of the outputs learned so far, measured on rows later than the training rows. */
  readonly measures: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

export type TrainResult = {
  readonly report: FitReport;
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
  readonly files: readonly string[];
  readonly warnings: readonly Pick<ModelWarning, 'message' | 'because'>[];
  /** How the model uses the graph model; null without one. */
  readonly graph: GraphUse | null;
  /** The number and mean of the first output's labels, by month of the anchor. */
  readonly labelRates: readonly LabelMonth[];
  /** The output whose labels these are. */
  readonly labelOutput: string;
};

/** Trains a model of a task on frozen tables and writes a version folder. */
export async function train(task: TrainTask, { progress }: TaskContext<TrainProgress>): Promise<TrainResult> {
  const declared = parseStoredContract(task.contract, 'the contract of the run');
  const warnings: string[] = [];
  const parsed = resolveTask(
    parseStoredTask(task.definition, task.name, 'definition', warnings),
    declared,
    'definition',
  );
  const noticed: Notice[] = [];
  let reached = 0;
  progress({ phase: 'opening the tables', fraction: reached, measures: {} });
  const tables = await openTables(task.frozen, task.identifiers, task.threads > 1);
  // The contract as the frozen tables have it: without personal columns, with the columns that date changed rows.
  const contract = { ...declared, tables: declared.tables.map(({ name }) => tables.get(name)!.contract) };
  const labels = await readOutputs(parsed, tables, task.labels, noticed, task.now);
  const names = labels.outputs.map(({ name }) => name);
  let measures: TrainProgress['measures'] = {};
  const isNew = isFresh(parsed, tables, labels.outputs[0].examples);
  const graph = task.graphModel === null ? null : await linkGraph(task.graphModel, parsed, contract, isNew, tables);
  if (graph?.warning) warnings.push(graph.warning);
  const report = await fit(
    {
      ...{ tables, contract, task: parsed, ...labels, isPretrained: task.isPretrained, threads: task.threads },
      regime: { kind: 'rolling' },
      ...(graph?.given && { graphModel: graph.given }),
    },
    task.out,
    (phase, done, of) => {
      // Some phases repeat. The fraction of a run must not fall.
      reached = Math.max(reached, fractionOf(phase, of > 0 ? done / of : 0, names));
      progress({ phase, fraction: reached, measures });
    },
    (output, found) => {
      measures = { ...measures, [output]: found };
    },
  );
  const version = readVersion(task.out);
  return {
    report,
    inputs: version.inputFields,
    outputs: version.outputFields,
    files: readdirSync(task.out)
      .sort()
      .map((name) => join(task.out, name)),
    warnings: [
      ...warnings.map((message) => ({ message })),
      ...noticed.map((notice) => ({ message: sayNotice(notice), because: notice })),
    ],
    graph: graph && { ...graph.found, is_read: readsGraph(version) },
    labelRates: labelMonths(parsed, labels),
    labelOutput: labels.outputs[0].name,
  };
}

/** Whether a version needs its graph model to predict, because the model or its encoder reads it. */
function readsGraph({ graphModel, encoder }: Version): boolean {
  return (graphModel ?? encoder?.graphModel) !== undefined;
}

const setUp = 0.35;
/** The share of the learning of one output that is done when a phase begins, and when it ends. */
const outputPhases: readonly (readonly [begins: string, from: number, until: number])[] = [
  ['choosing a model', 0, 0.45],
  ['choosing rows', 0.45, 0.6],
  ['', 0.6, 1],
];

/** Returns the fraction of a run that is done, from the shares of time that its phases usually take. */
function fractionOf(phase: string, done: number, outputs: readonly string[]): number {
  // The duration of this phase cannot be estimated.
  if (phase.startsWith('encoder')) return 0.01;
  if (phase.startsWith('proposing')) return 0.02;
  if (phase.endsWith('proposed features')) return 0.03 + 0.12 * done;
  if (phase.startsWith('selecting')) return 0.15 + 0.1 * done;
  if (phase === 'looking for leakage') return 0.25;
  if (phase === 'computing features') return 0.25 + 0.1 * done;
  const at = Math.max(
    0,
    outputs.findIndex((name) => phase.endsWith(` ${name}`)),
  );
  const [, from, until] = outputPhases.find(([begins]) => phase.startsWith(begins))!;
  const within = from + (until - from) * done;
  return setUp + ((1 - setUp) * (at + within)) / outputs.length;
}
