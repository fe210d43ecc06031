import { refuse } from '../../errors.ts';

/**
 * Refuses what is no address of the web. Whether it may be reached is said when it is. Throws Failure
 * 'schema_mismatch'.
 */
export function requireWebAddress(at: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '') return;
  const message = 'must be an address such as https://login.company.com';
  throw refuse('schema_mismatch', `${at} ${message}`, { problems: [{ at, message }] });
}
