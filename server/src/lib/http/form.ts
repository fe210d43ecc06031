// Form bodies as browsers post them: application/x-www-form-urlencoded.
import type { FastifyRequest } from 'fastify';
import { Failure } from '../failure.ts';
import { unreadableText } from './body.ts';

export const formType = 'application/x-www-form-urlencoded';
/** Single sign-on posts a signed document of some tens of kilobytes in one field. */
export const formBytesMax = 512 * 1024;
export const formFieldsMax = 50;

type Done = (error: Error | null, value?: unknown) => void;

/** Reads the body of a request as a form. */
export function readForm(request: FastifyRequest, bytes: Buffer, done: Done): void {
  const unreadable = unreadableText(request, bytes);
  if (unreadable) {
    done(unreadable);
    return;
  }
  try {
    done(null, parseForm(bytes.toString()));
  } catch (error) {
    done(error as Error);
  }
}

/**
 * Rewords the framework's error for a body of another type, for a route that takes a form; returns other errors as they
 * are.
 */
export function askForForm(error: unknown): unknown {
  if ((error as { code?: unknown } | null)?.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return error;
  return new Failure('unsupported_media_type', `the body must be a form, sent with Content-Type: ${formType}`);
}

/**
 * The fields of a form, each a text. A repeated name is refused: one part of a program might check the first value and
 * another use the second. Throws Failure 'malformed', 'limit_exceeded'.
 */
export function parseForm(text: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  const pairs = text.split('&', formFieldsMax + 1);
  if (pairs.length > formFieldsMax)
    throw new Failure('limit_exceeded', `the form has more than ${formFieldsMax} fields`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const [encodedName] = pair.split('=', 1);
    const name = decode(encodedName, 'the name of a field');
    if (fields.has(name)) throw malformed(`the form has the field ${name} more than once`);
    fields.set(name, decode(pair.slice(encodedName.length + 1), `the field ${name}`));
  }
  // Unlike assignments, this makes a field of any name, even `__proto__`.
  return Object.fromEntries(fields);
}

function decode(encoded: string, what: string): string {
  let text: string;
  try {
    text = decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch (cause) {
    throw malformed(`${what} is not percent-encoded UTF-8`, cause);
  }
  if (text.includes('\0')) throw malformed(`${what} has the character NUL`);
  return text;
}

function malformed(message: string, cause?: unknown): Failure {
  return new Failure('malformed', message, { cause });
}
