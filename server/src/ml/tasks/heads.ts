import type { MetricName } from '../statistics/metrics.ts';
import type { ObjectiveKind } from './objective.ts';
import type { HeadedKind, Target, TaskKind } from './target.ts';

/** One of several things that a task learns about the same rows at the same moments. */
export type TaskHead = {
  readonly name: string;
  readonly kind: ObjectiveKind;
  /** Column of the label files; '' where the labels are made from a target. */
  readonly label: string;
  readonly target?: Target;
};

export type HeadRule = {
  readonly name: string;
  readonly kind: ObjectiveKind;
  /** What it is evaluated by, where not as its kind is: what something is worth is a mean, of which a median says nothing. */
  readonly metric?: MetricName;
  readonly required: boolean;
  readonly about: string;
  /** The classes there are, where the kind of task says. */
  readonly classes?: readonly string[];
};

/** What the future is against the past of the same length; in order of class number. */
export const growthSignals = ['contraction', 'stable', 'expansion'] as const;

/** The heads of each kind, the one that decides first. */
const headRules: Readonly<Record<HeadedKind, readonly HeadRule[]>> = {
  fraud: [{ name: 'fraud', kind: 'binary', required: true, about: 'whether it is fraud' }],
  lead_scoring: [
    { name: 'conversion', kind: 'binary', required: true, about: 'whether the lead converts' },
    { name: 'value', kind: 'regression', metric: 'rmse', required: false, about: 'what the lead is worth, in BRL' },
  ],
  field_sales: [
    { name: 'propensity', kind: 'binary', required: true, about: 'whether the prospect buys' },
    {
      name: 'growth',
      kind: 'multiclass',
      required: false,
      about: 'a sum or count that grows, holds or shrinks',
      classes: growthSignals,
    },
  ],
  paid_media: [
    { name: 'lead', kind: 'binary', required: true, about: 'whether the lead converts' },
    { name: 'value', kind: 'regression', metric: 'rmse', required: false, about: 'what the lead is worth, in BRL' },
    { name: 'churn', kind: 'binary', required: false, about: 'whether the customer leaves' },
  ],
};

/** The heads that a kind of task has; none for kinds that have a single answer, or the same one over several horizons. */
export function headRulesOf(kind: TaskKind): readonly HeadRule[] {
  return Object.hasOwn(headRules, kind) ? headRules[kind as HeadedKind] : [];
}
