// Recognizes broken connections by the codes of the system and of PostgreSQL, and by the driver's messages without a
// code.
import pg from 'pg';
import { Failure } from '../failure.ts';
import { networkCodes } from '../network-codes.ts';

/** ENOENT: the socket of a server that is not running. */
const systemCodes: ReadonlySet<string> = new Set([...networkCodes, 'ENOENT', 'ENOTCONN']);
/**
 * Codes of PostgreSQL besides class 08: shutting down, crashed, starting up, no connection left, primary became
 * standby.
 */
const serverCodes: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300', '25006']);
const diskFull = '53100';
/** Messages of the driver's errors that have no code. */
const sentences =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;
/** The driver's message when a server that is still connected does not answer. */
const silence = 'Query read timeout';
/** Serialization failure and deadlock: one of the two transactions has to run again. */
const conflictCodes: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Turns driver errors that the caller can wait out into Failures; returns all others as they are. */
export function nameFailure(error: unknown): unknown {
  if (codeOf(error) === diskFull)
    return new Failure('insufficient_storage', 'The database has no space left.', { cause: error });
  if (isSilence(error))
    return new Failure('unavailable', 'The database did not answer in time. Try again shortly.', { cause: error });
  if (!isConnectionLost(error)) return error;
  return new Failure('unavailable', 'The database does not answer at the moment. Try again shortly.', { cause: error });
}

/** What to do about errors that prevent the setup of an operator's database, by PostgreSQL's code. */
const refusals: Readonly<Record<string, string>> = {
  '28000': 'check user and host of its address, and pg_hba.conf',
  '28P01': 'check user and password of its address',
  '3D000': 'create it first, owned by the user of its address',
  '42501': 'the user of its address must own the database and, once, create roles (alter role … createrole)',
};

/** Turns errors that only the operator of the database can fix into Failures; returns all others as they are. */
export function nameRefusal(error: unknown): unknown {
  const hint = error instanceof pg.DatabaseError ? refusals[codeOf(error)] : undefined;
  if (hint === undefined) return error;
  const { message } = error as Error;
  return new Failure('invalid', `The database cannot be used: ${message}; ${hint}.`, { cause: error });
}

export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return code.startsWith('08') || serverCodes.has(code);
  return error instanceof Error && (systemCodes.has(code) || sentences.test(error.message));
}

/** Whether the server has stopped answering on this connection: further statements on it would get no answer either. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && (error.message === silence || (error instanceof Failure && isSilence(error.cause)));
}

/** The name of the constraint that a statement, or the end of a transaction, would have broken; '' for other errors. */
export function brokenConstraint(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.constraint ?? '') : '';
}

export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflictCodes.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
