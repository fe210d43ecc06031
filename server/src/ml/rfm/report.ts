import type { Evaluations } from './evaluate.ts';
import type { Objectives } from './sample.ts';
import { describeTarget } from './targets.ts';

/** Called with the progress of a pre-training. */
export type RfmProgress = (phase: string, done: number, of: number) => void;

export type RfmReport = {
  readonly entity: string;
  readonly until: string;
  /** The figures come from a network that learned from nothing after this, and are measured on what came after it. */
  readonly validated_after: string;
  readonly inputs: number;
  /** Present where inputs are vectors of a graph model: its snapshot, and the number of such inputs. */
  readonly graph_model?: { readonly model_snapshot: string; readonly inputs: number };
  readonly width: number;
  readonly pairs: number;
  readonly steps: number;
  /** Mean loss of the heads relative to a constant's, by length of the prefix. */
  readonly relative_loss: Readonly<Record<string, number>>;
  readonly heads: readonly HeadReport[];
};

type HeadReport = {
  readonly target: string;
  readonly days: number;
  readonly rows: number;
  readonly loss: number;
  readonly constant: number;
  readonly auroc?: number;
};

/** The evaluation of each head that could be evaluated. */
export function reportHeads(objectives: Objectives, evaluations: Evaluations): HeadReport[] {
  const targets = [...objectives.logistic, ...objectives.numbers.map(({ target }) => target), ...objectives.groups];
  return [...evaluations.logistic, ...evaluations.numbers, ...evaluations.groups].flatMap(
    ({ losses: _, ...evaluation }, t) =>
      evaluation.rows === 0 ? [] : [{ target: describeTarget(targets[t]), days: targets[t].days, ...evaluation }],
  );
}
