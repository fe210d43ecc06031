import type { NoteKind } from './write.ts';

export type Confidence = 'high' | 'medium' | 'low';

/**
 * One inferred rule and the reason for it. Guesses of high and medium confidence are in the proposed contract. Of those
 * of low confidence only types and a table's own time are in it, because something must be chosen there. A low key,
 * reference or any other rule is only a remark for the user to weigh.
 */
export type Guess = {
  readonly table: string;
  readonly column: string | null;
  readonly kind: NoteKind;
  readonly value: string;
  readonly confidence: Confidence;
  readonly reason: string;
};
