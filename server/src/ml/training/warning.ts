import type { Notice } from '../contract/notices.ts';
import type { ToldLeak } from '../leakage/tell.ts';

/** Something about a model that a person should look at before trusting it. */
export type ModelWarning = {
  /**
   * `possible_leakage`: a column may tell the label; `implausibly_good`: the whole model is too good to be true;
   * `no_better_than_naive`: it is not surely better than what takes no learning; `worse_than_naive`: surely worse;
   * `poorly_calibrated`: its probabilities were wrong by more than chance on later rows; `calibration_unknown`: too few
   * later rows could tell whether they are right; `data`: what was odd in what it was given.
   */
  readonly code:
    | 'possible_leakage'
    | 'implausibly_good'
    | 'no_better_than_naive'
    | 'worse_than_naive'
    | 'poorly_calibrated'
    | 'calibration_unknown'
    | 'data';
  readonly message: string;
  /** Of one output of the model; absent where it is of all. */
  readonly output?: string;
  /** What the message says, so that it can be said in other words; of what the data have besides, a notice. */
  readonly because?: WarningReason | Notice;
  /** What an implausibly good model rests on: columns (`table.column`) or tables, with their share of its gain. */
  readonly carriers?: readonly {
    readonly at: string;
    readonly importance: number;
    readonly description: string | null;
  }[];
};

/** What warnings of a training say: a code, and the values that the message names. */
export type WarningReason =
  | { readonly code: 'other_time'; readonly table: string; readonly column: string; readonly dated: string | null }
  | { readonly code: 'no_window'; readonly table: string; readonly entity: string }
  | { readonly code: 'undated_events'; readonly tables: readonly string[]; readonly entity: string }
  | ({ readonly code: 'wrong_on_average'; readonly output: string; readonly rows: number } & Averages)
  | ({
      readonly code: 'wrong_in_part';
      readonly output: string;
      readonly rows: number;
      /** The probabilities of the tenth of rows that is furthest off, and how many rows these are. */
      readonly low: number;
      readonly high: number;
      readonly part: number;
    } & Averages)
  | {
      readonly code: 'few_to_check';
      readonly output: string;
      readonly rows: number;
      readonly positives: number;
      /** Rows with each label that it takes. */
      readonly least: number;
    }
  | {
      readonly code: 'too_good';
      readonly output: string;
      readonly measure: string;
      readonly value: number;
      readonly rows: number;
      readonly best: number;
      readonly places: readonly string[];
    }
  | ({ readonly code: 'no_gain'; readonly output: string; readonly metric: string; readonly value: number } & Gain);

/** What was said and what came on average, and how far apart they were; `limit`: of right probabilities. */
type Averages = {
  readonly said: number;
  readonly came: number;
  readonly error: number;
  readonly limit: number;
  readonly z: number;
};

/** Of the best answer without learning; `by`: the reference whose earlier labels it averages. */
type Gain = {
  readonly over: string;
  readonly by: string | null;
  readonly of: number;
  readonly gain: number;
  /** Null where these rows cannot tell. */
  readonly low: number | null;
  readonly high: number | null;
};

/** Warns of what may tell the label without being certain to. */
export function warnOfLeakage(leakage: readonly ToldLeak[]): ModelWarning[] {
  return leakage.map(({ message }) => ({ code: 'possible_leakage', message: `leakage? ${message}` }));
}
