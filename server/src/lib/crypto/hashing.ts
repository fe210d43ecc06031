import { hashPassword, matchesPassword } from './password-hash.ts';

/** Hashes a password, in a process that gives way to all others. */
export async function makeHash({ password }: { readonly password: string }): Promise<string> {
  return hashPassword(password);
}

/** Whether a password is the one that was hashed; false where there is none. */
export async function checkHash(asked: { readonly phc: string | null; readonly password: string }): Promise<boolean> {
  return matchesPassword(asked.phc, asked.password);
}
