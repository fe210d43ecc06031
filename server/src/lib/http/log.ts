import { type Logger, pino } from 'pino';

/** A log on stderr of faults alone. */
export function openFaultLog(): Logger {
  return pino({ level: 'error' }, pino.destination(2));
}
