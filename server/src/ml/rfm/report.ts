import type { Evaluations } from './evaluate.ts';
import type { Objectives } from './sample.ts';
import { describeTarget } from './targets.ts';

/** Hears what a pre-training is at. */
export type RfmProgress = (phase: string, done: number, of: number) => void;

export type RfmReport = {
  readonly entity: string;
  readonly until: string;
  /** Nothing after this was learned from to reach the figures; they are of what came after it. */
  readonly validated_after: string;
  readonly inputs: number;
  /** Where vectors of a graph model are among them: its snapshot, and how many of them are of vectors. */
  readonly graph_model?: { readonly model_snapshot: string; readonly inputs: number };
  readonly width: number;
  readonly pairs: number;
  readonly steps: number;
  /** Mean loss of the heads in shares of a constant's, by the length of the prefix they read. */
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

/** How much each head knew that was evaluated at all. */
export function reportHeads(objectives: Objectives, evaluations: Evaluations): HeadReport[] {
  const targets = [...objectives.logistic, ...objectives.numbers.map(({ target }) => target), ...objectives.groups];
  return [...evaluations.logistic, ...evaluations.numbers, ...evaluations.groups].flatMap(
    ({ losses: _, ...evaluation }, t) =>
      evaluation.rows === 0 ? [] : [{ target: describeTarget(targets[t]), days: targets[t].days, ...evaluation }],
  );
}
