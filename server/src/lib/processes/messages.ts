// The messages between a pool and its child processes.
import { type Because, Failure, type FailureCode, type Problem } from '../failure.ts';

export type ToChild = { readonly type: 'run'; readonly name: string; readonly input: unknown } | { type: 'stop' };

export type FromChild =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly value: unknown }
  | { readonly type: 'done'; readonly output: unknown; readonly rssMb: number }
  | { readonly type: 'failed'; readonly error: PackedError; readonly rssMb: number };

export type PackedError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The code of a Failure, or of a system error: ENOSPC, ENOENT. */
  readonly code?: string;
  /** Present only for a Failure. */
  readonly problems?: readonly Problem[];
  readonly reason?: string;
  readonly because?: Because;
  readonly cause?: PackedError;
};

/** Most nested causes that are sent. */
const causesMax = 8;

export function packError(error: unknown, depth = 0): PackedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: `Error: ${error}` };
  const { code } = error as NodeJS.ErrnoException;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack ?? `${error.name}: ${error.message}`,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof Failure && {
      problems: error.problems,
      ...(error.reason !== undefined && { reason: error.reason }),
      ...(error.because !== undefined && { because: error.because }),
    }),
    ...(error.cause !== undefined && depth < causesMax && { cause: packError(error.cause, depth + 1) }),
  };
}

/** Rebuilds the error with the stack it had in the child: a Failure as a Failure, any other with its name and code. */
export function unpackError(packed: PackedError): Error {
  const { name, message, stack, code, problems, reason, because } = packed;
  const cause = packed.cause && { cause: unpackError(packed.cause) };
  if (problems !== undefined) {
    // The cast holds: `packError` gives problems only to a Failure, whose code is a FailureCode.
    const failure = new Failure(code as FailureCode, message, {
      problems,
      ...(reason !== undefined && { reason }),
      ...(because !== undefined && { because }),
      ...cause,
    });
    failure.stack = stack;
    return failure;
  }
  return Object.assign(new Error(message, cause), { name, stack }, code === undefined ? {} : { code });
}
