import type { TaskContext } from '../../lib/processes/serve.ts';
import { countFeatures, type LeadingFeature, leadingFeatures, tableLabels } from '../../ml/monitoring/observe.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';

/** Predictions about entities: at the same places whom, as of when (microseconds), and on which day they were asked. */
export type AskedPredictions = {
  readonly keys: readonly string[];
  readonly at: readonly number[];
  readonly days: readonly number[];
};

/** Those that the tables may tell of, each with the table of the row that it is about. */
type UnlabelledPredictions = AskedPredictions & { readonly tables: readonly string[] };

/** The only target is the version. */
export type ObserveTask = TargetsTask & {
  /** What is counted of it already; null: not yet laid. */
  readonly leading: readonly LeadingFeature[] | null;
  readonly read: AskedPredictions;
  readonly labelled: UnlabelledPredictions;
  /** Nothing later is read: local time of the workspace in microseconds. */
  readonly until: number;
};

export type Observed = {
  readonly leading: readonly LeadingFeature[];
  /** Of each day, the counts of each feature. */
  readonly days: readonly { readonly day: number; readonly counts: readonly (readonly number[])[] }[];
  /** Of each output, the labels of `labelled`; null where the tables tell none, or the window is open. */
  readonly labels: readonly (readonly (number | null)[])[];
};

/** Reads what a version read of whom it was asked about, and what has come of them by the tables. */
export function observe(task: ObserveTask, { progress }: TaskContext<{ readonly phase: string }>): Promise<Observed> {
  progress({ phase: 'opening the tables' });
  return useTargets(task, async ([{ opened }]) => {
    const leading = task.leading ?? leadingFeatures(opened);
    const days = countFeatures(opened, leading, asked(task.read), task.read.days);
    const { task: asks } = opened.version;
    const { keys, at, tables } = task.labelled;
    // A new row without a key of its own is found by whom it is about, who is in another table.
    const own = keys.map((key, place) => (tables[place] === asks.entity ? key : null));
    const isLabelled = asks.target !== undefined && own.some((key) => key !== null);
    const labels = isLabelled ? tableLabels(opened, { keys: own, at: Float64Array.from(at) }, task.until) : [];
    return {
      leading,
      days: Array.from(days, ([day, counts]) => ({ day, counts })),
      labels: labels.map((own) => Array.from(own, (label) => (Number.isNaN(label) ? null : label))),
    };
  });
}

function asked({ keys, at }: AskedPredictions) {
  return { keys, at: Float64Array.from(at) };
}
