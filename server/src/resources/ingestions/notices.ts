import { type Notice, sayNotice } from '../../ml/contract/notices.ts';

/** Warnings as reports have them: sentences, and at the same places their codes with what they name. */
export type ToldWarnings = { readonly warnings: readonly string[]; readonly warning_codes: readonly Notice[] };

export function tellWarnings(notices: readonly Notice[]): ToldWarnings {
  return { warnings: notices.map(sayNotice), warning_codes: notices };
}

/** A finding with its notes told in the same way. */
export function tellNotes<T extends { readonly notes: readonly Notice[] }>({ notes, ...rest }: T) {
  return { ...rest, notes: notes.map(sayNotice), note_codes: notes };
}
