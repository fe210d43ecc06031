import type { Language } from '../mails/texts.ts';

/** The queues of addresses to which mails are to go, if they have an account, or if they have none. */
export const signUpQueue = 'sign-ups';
export const resetQueue = 'password-resets';

export type SignUpJob = { readonly sealed: string };
/** `accepted` is the language of the browser that asked, for who has chosen none. */
export type ResetJob = { readonly sealed: string; readonly accepted?: Language | undefined };
