/** The queues of addresses to which mails are to go, if they have an account, or if they have none. */
export const signUpQueue = 'sign-ups';
export const resetQueue = 'password-resets';

export type SignUpJob = { readonly sealed: string };
export type ResetJob = { readonly sealed: string };
