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

/** `applied`: whether it is in the proposed contract; otherwise it is a remark for the user to weigh. */
export type StatedGuess = Guess & { readonly applied: boolean };

/**
 * Of guesses of low confidence only those are in the contract where something must be chosen: types, a table's own time
 * and its kind.
 */
export function stated(guess: Guess): StatedGuess {
  const { kind, column, confidence } = guess;
  const isChosen = kind === 'type' || kind === 'entityKind' || (kind === 'time' && column === null);
  return { ...guess, applied: confidence !== 'low' || isChosen };
}
