import { type Because, Failure, type FailureCode } from '../failure.ts';

/** Status and title of each class of refusal. */
export const failureStatus: Readonly<Record<FailureCode, { readonly status: number; readonly title: string }>> = {
  malformed: { status: 400, title: 'The request cannot be read' },
  invalid: { status: 422, title: 'The request asks for something that cannot be' },
  unauthenticated: { status: 401, title: 'No valid key' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The address does not take this method' },
  timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The resource is in another state' },
  gone: { status: 410, title: 'No longer here' },
  precondition_failed: { status: 412, title: 'The resource has changed' },
  limit_exceeded: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'The body has another format than the address takes' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside of the file' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The head of the request is too large' },
  unavailable: { status: 503, title: 'Not available at the moment' },
  insufficient_storage: { status: 507, title: 'No room left' },
  internal: { status: 500, title: 'A fault of the service' },
};

/** The problem document of RFC 9457, with the request's id and a code of a closed list. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly because?: Because;
  readonly request_id: string;
  readonly errors: readonly {
    readonly pointer: string;
    readonly code: string;
    readonly detail: string;
    readonly because?: Because;
  }[];
};

const retryAfterSeconds = 2;

/** Headers that every answer of a status has. */
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': String(retryAfterSeconds) },
};

/**
 * The problem document of an error. An error that is neither a Failure nor a refusal of Fastify becomes `internal`,
 * without its message.
 */
export function problemOf(
  error: unknown,
  requestId: string,
): { problem: Problem; headers: Readonly<Record<string, string>> } {
  const failure = error instanceof Failure ? error : fromFramework(error);
  const { status, title } = failureStatus[failure.code];
  const code = failure.reason ?? failure.code;
  const problem: Problem = {
    type: `urn:lastro:error:${code}`,
    title,
    status,
    detail: failure.message,
    code,
    ...(failure.because && { because: failure.because }),
    request_id: requestId,
    errors: failure.problems.map(({ at, message, because }) => ({
      ...{ pointer: at, code, detail: message },
      ...(because && { because }),
    })),
  };
  return { problem, headers: { ...headersOf[status], ...failure.headers } };
}

/** The Failure for an error that the framework throws before a handler runs. */
function fromFramework(error: unknown): Failure {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('limit_exceeded', 'the body is larger than this route takes', { reason: 'body_too_large' });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('unsupported_media_type', 'the body must be JSON, sent with Content-Type: application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Failure('malformed', 'the body is not as long as its Content-Length says');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Failure('malformed', 'the body is empty; it must be JSON', { reason: 'malformed_json' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('not_found', 'there is no such address', { reason: 'route_not_found' });
    case 'FST_ERR_BAD_URL':
      return new Failure('malformed', 'the path is not percent-encoded UTF-8');
  }
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError)
    return new Failure('malformed', `the body is no JSON: ${error instanceof Error ? error.message : ''}`, {
      reason: 'malformed_json',
    });
  if (statusCode !== undefined && statusCode < 500)
    return new Failure('malformed', error instanceof Error ? error.message : 'the request cannot be read');
  return new Failure('internal', 'a fault of ours; say the request_id when you report it', { cause: error });
}
