import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { wallClock } from '../lib/time-zone.ts';
import { sayNotice } from '../ml/contract/notices.ts';
import type { Comparison } from '../ml/evaluation/compare.ts';
import { type EvaluationReport, evaluateFile, type OutputReport, type RowsReport } from '../ml/evaluation/evaluate.ts';
import type { Measured } from '../ml/evaluation/measure.ts';
import { openGraphModel } from '../ml/gfm-link/reading.ts';
import { loadTables } from '../ml/graph/load.ts';
import { openVersion } from '../ml/inference/predict.ts';
import type { MetricName } from '../ml/statistics/metrics.ts';
import type { Estimate } from '../ml/statistics/standard-errors.ts';
import { describeNaive } from '../ml/training/naive.ts';
import { readArguments, requireWritableFile, type Usage } from './arguments.ts';
import { readMapping, requireLabelledMapping } from './column-mapping.ts';
import { readVersionOver } from './dataset.ts';
import { endOfReferenceDate } from './predict.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const evaluateUsage = {
  usage:
    'evaluate <version folder> --data <folder> --in labelled.csv --report report.json [--compare <version folder>] [--segment a,b] [--column-mapping name=column,…] [--reference-date D] [--gfm <graph model>]',
  about: `Says what a version was worth on rows with labels, each predicted as of its own moment.

  <version folder>  what fit wrote
  --data            the folder of tables to read, under the contract of the version
  --in              the task's key, time and label (CSV, Parquet, JSONL); of new rows that the tables lack, their inputs too
  --report          measures with 95 % intervals, calibration, gains, segments, row errors (JSON)
  --compare         another version that answers the same question, measured on the same rows
  --segment         columns of the file or of the entity's table whose values are told apart, with commas between
  --column-mapping  columns of the file that it calls otherwise than they are read: date=DATA_REF, several with commas between
  --reference-date  read nothing after the end of this day, and leave out labels that were not known by then; now by default
  --gfm             the graph model that the versions were learned with, where they read one`,
  positionals: 1,
  options: {
    data: 'value',
    in: 'value',
    report: 'value',
    compare: 'value',
    segment: 'value',
    'column-mapping': 'value',
    'reference-date': 'value',
    gfm: 'value',
  },
  required: ['data', 'in', 'report'],
} as const satisfies Usage;

/** Evaluates a version, or two side by side, on a labelled file over the tables of a folder. */
export async function evaluateCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, evaluateUsage);
  requireWritableFile('--report', values.report!);
  const now = Date.now();
  const until = endOfReferenceDate(values['reference-date'], now) ?? wallClock('UTC', now) * 1000;
  const progress = openProgress(log);
  const open = (folder: string) => openOver(folder, values.data!, values.gfm, now, progress);
  const model = await open(words[0]);
  const compareWith = values.compare === undefined ? null : await open(values.compare);
  const columnMapping = readMapping(values['column-mapping']);
  try {
    requireLabelledMapping(columnMapping, compareWith ? [model.version, compareWith.version] : [model.version]);
    const report = await evaluateFile(
      {
        path: values.in!,
        name: basename(values.in!),
        ...{ model, compareWith, until },
        columnMapping,
        segments: values.segment?.split(',').map((name) => name.trim()) ?? [],
      },
      (phase, fraction) => progress.phase(phase, Math.round(100 * fraction), 100),
    );
    writeFileSync(values.report!, `${JSON.stringify(report, null, 2)}\n`);
    for (const line of describeEvaluation(report)) progress.say(line);
    progress.say(`wrote ${values.report}`);
    return 0;
  } finally {
    model.close();
    compareWith?.close();
  }
}

async function openOver(folder: string, data: string, gfm: string | undefined, now: number, progress: ProgressLine) {
  const version = readVersionOver(folder, data);
  const { tables, report } = await loadTables(data, version.contract, (line) => progress.say(line), now * 1000);
  for (const warning of report.warnings) progress.say(`warning: ${sayNotice(warning)}`);
  return openVersion(folder, tables, { version, model: gfm === undefined ? undefined : await openGraphModel(gfm) });
}

const errorsSaid = 5;

function describeEvaluation({ rows, errors, outputs, warnings }: EvaluationReport): string[] {
  return [
    `${rows.read} rows, ${rows.unreadable} of them unreadable`,
    ...errors
      .slice(0, errorsSaid)
      .map(({ row, column, message }) => `  row ${row}${column === null ? '' : `, column ${column}`}: ${message}`),
    ...outputs.flatMap(describeOutput),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}

function describeOutput({ name, metric, all, later }: OutputReport): string[] {
  return [
    ...(all ? describeRows(name, metric, all) : []),
    ...(later ? describeRows(`${name}, later`, metric, later) : []),
  ];
}

function describeRows(
  name: string,
  metric: MetricName,
  { model, naive, compare_with, comparison }: RowsReport,
): string[] {
  return [
    `${name}: ${describeMeasured(model, metric)}`,
    ...(naive ? [`  ${describeNaive(naive)}`] : []),
    ...(compare_with && comparison
      ? [`  compared: ${describeMeasured(compare_with, metric)}`, `  ${describeComparison(metric, comparison)}`]
      : []),
  ];
}

function describeMeasured({ rows, positives, metrics, calibration }: Measured, metric: MetricName): string {
  const others = (Object.keys(metrics) as MetricName[]).filter((name) => name !== metric);
  const said = [metric, ...others].map((name) => `${name} ${sayEstimate(metrics[name]!)}`).join(', ');
  const slope = calibration && `, calibration slope ${say(calibration.slope)}`;
  return `${said}${slope ?? ''} (${rows} rows${positives === null ? '' : `, ${positives} positives`})`;
}

function describeComparison(metric: MetricName, { gains, better, reason, rank_correlation }: Comparison): string {
  const verdict = {
    model: 'the first is better',
    compare_with: 'the other is better',
    cannot_tell: 'these rows cannot tell',
  };
  const ranks = rank_correlation === null ? '' : `; ranks correlate by ${say(rank_correlation)}`;
  return `gain in ${metric} ${sayEstimate(gains[metric]!)}: ${verdict[better]}${reason === null ? '' : ` (${reason})`}${ranks}`;
}

function sayEstimate({ value, low, high }: Estimate): string {
  return Number.isNaN(value) ? 'unknown' : `${say(value)} (${say(low)} to ${say(high)})`;
}

function say(value: number): string {
  return Number.isNaN(value) ? 'unknown' : value.toFixed(4);
}
