import type { MetricName } from '../statistics/metrics.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import type { Question, Target } from './target.ts';

/** A question: about which rows, looking how far ahead, evaluated by what. */
export type Task = Omit<Question, 'target'> & {
  readonly name: string;
  /** Column of the label files that holds the entity's key; '' where neither task nor contract says. */
  readonly key: string;
  /** Column of the label files with the anchor. */
  readonly time: string;
  readonly label: string;
  /**
   * Column of the label files with the date since when each label was known; else it is known when its window has
   * closed.
   */
  readonly known?: string;
  readonly metric: MetricName;
  /** Days after the anchor that the label looks at; absent when labels do not say. */
  readonly windowDays?: number;
  /** Only rows dated before the anchor may be read, not those of the same moment. */
  readonly strict: boolean;
  /** The last readable moment whatever the anchor, microseconds. */
  readonly dataUntil?: number;
  /** Tables not to be read, and columns (`table.column`) that restate the label. */
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  /** Columns and tables that are read though they seem to tell the label. */
  readonly trust?: readonly string[];
  /** Without one, labels come in files. Of several heads it is the first one's. */
  readonly target?: Question['target'];
  /** Of kinds whose answers are made of several: the one that decides first. */
  readonly heads?: readonly TaskHead[];
};

/** One of several things that a task learns about the same rows at the same moments. */
export type TaskHead = {
  readonly name: string;
  readonly kind: ObjectiveKind;
  /** Column of the label files; '' where the labels are made from a target. */
  readonly label: string;
  readonly target?: Target;
};
