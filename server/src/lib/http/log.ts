import { type DestinationStream, type Logger, pino } from 'pino';
import { Failure } from '../failure.ts';

export type { Logger };

/**
 * Opens a log of this level and above, on stderr by default: a line of JSON for each entry, in which no text of a
 * caller ends a line or moves a terminal.
 */
export function openLog(level: string, to: DestinationStream = pino.destination(2)): Logger {
  const escaped = { write: (line: string) => to.write(line.replace(c1Controls, escapeCode)) };
  return pino({ level, redact: ['req.headers.authorization'], serializers: { err: describeError } }, escaped);
}

/** Control characters that JSON lets stand as they are. */
const c1Controls = /[\u007f-\u009f]/g;

function escapeCode(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/** Opens a log of errors only, on stderr. */
export function openFaultLog(): Logger {
  return openLog('error');
}

/**
 * Logs bugs with their stack. A Failure is logged without one: its message says what was wrong, and where the code
 * noticed it helps nobody.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code === 'internal') return pino.stdSerializers.err(error as Error);
  const { code, reason, message, cause } = error;
  return { type: 'Failure', code: reason ?? code, message, ...(cause instanceof Error && { cause: cause.message }) };
}
