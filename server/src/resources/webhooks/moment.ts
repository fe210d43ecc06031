import { refuse } from '../../errors.ts';

const moment = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 timestamp. Throws Failure 'invalid_parameter' in the query, 'schema_mismatch' in the body. */
export function readMoment(text: string, at: string): Date {
  const date = new Date(text);
  if (moment.test(text) && !Number.isNaN(date.getTime())) return date;
  const message = 'must be a moment such as 2026-11-23T09:30:00Z';
  const code = at.startsWith('/query/') ? 'invalid_parameter' : 'schema_mismatch';
  throw refuse(code, `${at.split('/').at(-1)} ${message}`, { problems: [{ at, message }] });
}
