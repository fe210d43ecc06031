import type { MetricName } from '../statistics/metrics.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import type { Question, Target } from './target.ts';

/** A question: about which rows, how far it looks ahead, and by which metric it is evaluated. */
export type Task = Omit<Question, 'target'> & {
  readonly name: string;
  /** Column of the label files that holds the entity's key; '' when neither task nor contract gives it. */
  readonly key: string;
  /** Column of the label files that holds the anchor. */
  readonly time: string;
  readonly label: string;
  /**
   * Column of the label files with the date from which each label was known. Without it a label is known when its
   * window has closed.
   */
  readonly known?: string;
  readonly metric: MetricName;
  /** Days after the anchor that the label looks at; absent when the task does not say. */
  readonly windowDays?: number;
  /** Whether only rows dated before the anchor may be read, and not those of the same moment. */
  readonly strict: boolean;
  /** The last readable moment for every anchor, microseconds. */
  readonly dataUntil?: number;
  /** `ignore`: tables not to be read. `hide`: columns (`table.column`) that restate the label. */
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  /**
   * Columns of the entity table that its rows have only when it is over (the rating of a visit): the value of the row
   * asked about is never read, those of other rows are, as they were known.
   */
  readonly outcome?: readonly string[];
  /** Columns and tables that are read although they seem to tell the label. */
  readonly trust?: readonly string[];
  /** Which of the features that the tables offer are proposed and kept. */
  readonly features?: Steering;
  /** Where labels come from; absent when they come in files. With several heads, the target of the first. */
  readonly target?: Question['target'];
  /** For kinds with several heads: the heads, the deciding one first. */
  readonly heads?: readonly TaskHead[];
};

/** Columns (`table.column`) closed to what cannot leave out the value of one row: hidden ones and outcomes. */
export function closedColumns({ entity, hide, outcome = [] }: Pick<Task, 'entity' | 'hide' | 'outcome'>): string[] {
  return [...hide, ...outcome.map((column) => `${entity}.${column}`)];
}

/**
 * Paths of features: a column (`table.column`), a table, or the code of features. `only`: nothing else is proposed.
 * `drop`: never proposed. `keep`: not left out by selection.
 */
export type Steering = {
  readonly only?: readonly string[];
  readonly drop?: readonly string[];
  readonly keep?: readonly string[];
};

/** One of several outputs that a task learns about the same rows at the same moments. */
export type TaskHead = {
  readonly name: string;
  readonly kind: ObjectiveKind;
  /** Column of the label files; '' when the labels are made from a target. */
  readonly label: string;
  readonly target?: Target;
};
