import { type Reason, sayReasons } from './reasons.ts';
import type { NoteKind } from './write.ts';

export type Confidence = 'high' | 'medium' | 'low';

/** One inferred rule and the reason for it. */
export type Guess = {
  readonly table: string;
  readonly column: string | null;
  readonly kind: NoteKind;
  readonly value: string;
  readonly confidence: Confidence;
  /** The reasons as one English sentence. */
  readonly reason: string;
  readonly because: readonly Reason[];
};

/** The reasons of a guess, and their sentence. */
export function because(...reasons: readonly Reason[]): Pick<Guess, 'reason' | 'because'> {
  return { reason: sayReasons(reasons), because: reasons };
}

/**
 * What was seen of the column that a guess is about. `examples`: some of its values as the file has them, of dates and
 * numbers alone: those of people, of keys and of references are nobody's to tell.
 */
export type Seen = {
  readonly column: string;
  readonly rows: number;
  readonly filled: number;
  readonly distinct: number;
  readonly examples: readonly string[];
};

/**
 * `applied`: whether it is in the proposed contract; otherwise it is a remark for the user to weigh. `seen`: null where
 * a guess is about no column.
 */
export type StatedGuess = Guess & { readonly applied: boolean; readonly seen: Seen | null };

/**
 * Of guesses of low confidence only those are in the contract where something must be chosen: types, a table's own time
 * and its kind.
 */
export function stated(guess: Guess, seen: Seen | null): StatedGuess {
  const { kind, column, confidence } = guess;
  const isChosen = kind === 'type' || kind === 'entityKind' || (kind === 'time' && column === null);
  return { ...guess, applied: confidence !== 'low' || isChosen, seen };
}
