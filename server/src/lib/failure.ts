/** Why a request was refused. A closed list: the HTTP layer maps each code to one status. */
export type FailureCode =
  | 'invalid'
  | 'not_found'
  | 'conflict'
  | 'limit_exceeded'
  | 'insufficient_storage'
  | 'unavailable'
  | 'internal';

/** A refusal the caller must hear about. `message` is public: it says what was wrong, where, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** One entry per problem, when there are several: `at` is a line, a path or a row, in words. */
  readonly problems: readonly Problem[];

  constructor(code: FailureCode, message: string, options: { problems?: readonly Problem[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

export type Problem = { readonly at: string; readonly message: string };

/** A condition only a bug of ours can break. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`);
}
