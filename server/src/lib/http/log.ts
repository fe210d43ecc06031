import { type DestinationStream, type Logger, pino } from 'pino';
import { Failure } from '../failure.ts';

/** A log of this level and above, on stderr unless told otherwise. */
export function openLog(level: string, to: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, redact: ['req.headers.authorization'], serializers: { err: describeError } }, to);
}

/** A log on stderr of faults alone. */
export function openFaultLog(): Logger {
  return openLog('error');
}

/**
 * Faults of ours come with their stack. A Failure says by itself what was wrong: where our code noticed it helps
 * nobody.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code === 'internal') return pino.stdSerializers.err(error as Error);
  const { code, reason, message, cause } = error;
  return { type: 'Failure', code: reason ?? code, message, ...(cause instanceof Error && { cause: cause.message }) };
}
