import type { NoteKind } from './write.ts';

export type Confidence = 'high' | 'medium' | 'low';

/**
 * One thing inference believes and why. High and medium ones are in the proposed contract. Of the low ones only types
 * and a table's own time are: something must be chosen there; a low key, reference or any other rule is a remark to
 * weigh.
 */
export type Guess = {
  readonly table: string;
  readonly column: string | null;
  readonly kind: NoteKind;
  readonly value: string;
  readonly confidence: Confidence;
  readonly reason: string;
};
