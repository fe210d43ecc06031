import { type DestinationStream, type Logger, pino } from 'pino';
import { Failure } from '../failure.ts';

/** Opens a log of this level and above, on stderr by default. */
export function openLog(level: string, to: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, redact: ['req.headers.authorization'], serializers: { err: describeError } }, to);
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
