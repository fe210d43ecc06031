/** Why a request was refused. A closed list: the HTTP layer maps each code to one status. */
export type FailureCode =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'limit_exceeded'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'headers_too_large'
  | 'unavailable'
  | 'insufficient_storage'
  | 'internal';

/** An error that is told to the caller. `message` is public: it says what was wrong, where, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** One entry per problem, when there are several: `at` is a line, a path or a row, in words. */
  readonly problems: readonly Problem[];
  /** The documented code of this refusal, when its class (`code`) says too little. */
  readonly reason: string | undefined;
  /** What the message says, so that it can be said in other words; of most failures nothing. */
  readonly because: Because | undefined;
  /** Headers that an HTTP answer gets from this refusal. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      problems?: readonly Problem[];
      cause?: unknown;
      reason?: string;
      because?: Because;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.problems = options.problems ?? [];
    this.reason = options.reason;
    this.because = options.because;
    this.headers = options.headers ?? {};
  }
}

export type Problem = { readonly at: string; readonly message: string; readonly because?: Because };

/** A code, and the values that its sentence names. */
export type Because = { readonly code: string };

/** Throws unless the condition holds. Only a bug of this program can break it. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`);
}
