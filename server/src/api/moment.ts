import { refuse } from '../errors.ts';

const moment = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;
/** Longer texts are none. */
export const momentLengthMax = 40;

/**
 * Parses the moment (RFC 3339) of a query parameter, or of a field of the body. Throws Failure 'invalid_parameter', or
 * 'schema_mismatch' in the body, for any other text.
 */
export function readMoment(name: string, text: string, place: 'query' | 'body' = 'query'): Date {
  const date = new Date(text);
  if (moment.test(text) && !Number.isNaN(date.getTime())) return date;
  const message = 'must be a moment such as 2026-11-23T09:30:00Z';
  const [code, at] =
    place === 'query' ? (['invalid_parameter', `/query/${name}`] as const) : (['schema_mismatch', `/${name}`] as const);
  throw refuse(code, `${name} ${message}`, { problems: [{ at, message }] });
}
