import type { ToldLeak } from '../leakage/tell.ts';

/** Something about a model that a person should look at before trusting it. */
export type ModelWarning = {
  /**
   * `possible_leakage`: a column may tell the label; `implausibly_good`: the whole model is too good to be true;
   * `no_better_than_naive`: it is not surely better than what takes no learning; `poorly_calibrated`: its probabilities
   * were wrong by more than chance on later rows; `data`: what was odd in what it was given.
   */
  readonly code: 'possible_leakage' | 'implausibly_good' | 'no_better_than_naive' | 'poorly_calibrated' | 'data';
  readonly message: string;
  /** Of one output of the model; absent where it is of all. */
  readonly output?: string;
  /** What an implausibly good model rests on: columns (`table.column`) or tables, with their share of its gain. */
  readonly carriers?: readonly {
    readonly at: string;
    readonly importance: number;
    readonly description: string | null;
  }[];
};

/** Warns of what may tell the label without being certain to. */
export function warnOfLeakage(leakage: readonly ToldLeak[]): ModelWarning[] {
  return leakage.map(({ message }) => ({ code: 'possible_leakage', message: `leakage? ${message}` }));
}
