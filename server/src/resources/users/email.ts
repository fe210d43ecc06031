import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';

/** Most characters of an address (RFC 5321 §4.5.3.1.3, without the brackets). */
export const emailLengthMax = 254;

/**
 * The one spelling of an address by which it is compared: NFC, and lower case. Nothing else is taken for the same:
 * whose mailbox `a+b` is, only its server knows.
 */
export function canonicalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * Returns an address as it is kept. Takes printable ASCII alone: other letters look like these, and servers that take
 * them are rare. Throws Failure 'schema_mismatch'.
 */
export function readEmail(text: string, pointer = '/email'): string {
  const email = text.trim();
  if (
    email.length > emailLengthMax ||
    !/^[!-?A-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z][A-Za-z0-9-]+$/.test(email)
  )
    throw refuse('schema_mismatch', 'the address cannot be used', {
      problems: [{ at: pointer, message: 'must be a mail address in plain letters, such as ana@company.com' }],
    });
  return email;
}

/** The part after the @, in lower case. */
export function domainOf(email: string): string {
  return canonicalEmail(email).split('@').at(-1)!;
}

/** Refuses an address of free mail. Throws Failure 'personal_address'. */
export function requireCorporate({ isPersonal }: Pick<App, 'isPersonal'>, email: string, pointer = '/email'): void {
  const domain = domainOf(email);
  if (!isPersonal(domain)) return;
  const message = `${domain} gives mailboxes to anybody: use the address of a company`;
  throw refuse('personal_address', message, { problems: [{ at: pointer, message }] });
}
