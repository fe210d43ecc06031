// What a broken connection looks like: the system's codes, PostgreSQL's, and the driver's bare sentences.
import pg from 'pg';
import { Failure } from '../failure.ts';
import { networkCodes } from '../network-codes.ts';

/** ENOENT: of a socket, whose server is not there. */
const systemCodes: ReadonlySet<string> = new Set([...networkCodes, 'ENOENT', 'ENOTCONN']);
/** Of PostgreSQL, besides class 08: shutting down, crashed, starting up, no connection left, primary turned standby. */
const serverCodes: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300', '25006']);
const diskFull = '53100';
/** The driver gives these no code. */
const sentences =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;
/** Of the driver, when a server that is still connected says nothing. */
const silence = 'Query read timeout';
/** Two transactions were in each other's way: one of them is to be run again. */
const conflictCodes: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Errors of the driver that the caller can wait out become Failures; all others pass as they are. */
export function nameFailure(error: unknown): unknown {
  if (codeOf(error) === diskFull)
    return new Failure('insufficient_storage', 'The database has no space left.', { cause: error });
  if (isSilence(error))
    return new Failure('unavailable', 'The database did not answer in time. Try again shortly.', { cause: error });
  if (!isConnectionLost(error)) return error;
  return new Failure('unavailable', 'The database does not answer at the moment. Try again shortly.', { cause: error });
}

/** What keeps an operator's database from being set up, by PostgreSQL's code, and what to do about it. */
const refusals: Readonly<Record<string, string>> = {
  '28000': 'check user and host of its address, and pg_hba.conf',
  '28P01': 'check user and password of its address',
  '3D000': 'create it first, owned by the user of its address',
  '42501': 'the user of its address must own the database and, once, create roles (alter role … createrole)',
};

/** Errors that only the operator of the database can end become Failures; all others pass as they are. */
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

/** Nothing that is asked on this connection now would be answered either. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && (error.message === silence || (error instanceof Failure && isSilence(error.cause)));
}

export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflictCodes.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
