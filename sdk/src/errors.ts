/** What is thrown: one class for each thing that a caller may want to do about it. */
import type { Schemas } from './signatures.ts';

/** Why a request was refused: a closed list, which docs/api-errors.md explains. */
export type ErrorCode = Schemas['ErrorCode'];
/** A place of the request that is at fault. */
export type ErrorPlace = Schemas['ProblemPlace'];

type Described = {
  readonly status?: number | null;
  readonly code?: ErrorCode | null;
  readonly detail?: string;
  readonly errors?: readonly ErrorPlace[];
  readonly because?: ErrorPlace['because'];
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
};

/** Whatever this package throws about the service is one of these. */
export class LastroError extends Error {
  /** Of the answer; null where none came. */
  readonly status: number | null;
  /** Switch on it; null where the answer was not the service's own. */
  readonly code: ErrorCode | null;
  /** What was wrong, where, and what to do: for people. */
  readonly detail: string;
  /** The places of the request that are at fault, if it is about some. */
  readonly errors: readonly ErrorPlace[];
  /** What `detail` says as a code, with the values it names: of a question that is wrong or cannot be learned. */
  readonly because: ErrorPlace['because'];
  /** As the service knows the request; say it when you report a fault. */
  readonly requestId: string | null;
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfter: number | null;

  constructor(described: Described) {
    const { status = null, code = null, detail = '', errors = [], requestId = null, retryAfter = null } = described;
    const head = [status, code].filter((part) => part !== null).join(' ');
    const text = [head, detail].filter((part) => part !== '').join(': ');
    super(requestId === null ? text : `${text} (${requestId})`, { cause: described.cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.because = described.because;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** 401: no key or session, or none that is good. */
export class AuthenticationError extends LastroError {}
/** 403: known, and not allowed. */
export class PermissionError extends LastroError {}
/** 404 and 410: it is not there, or not any more. */
export class NotFoundError extends LastroError {}
/** 409 and 412: it is in another state than the request wants. */
export class ConflictError extends LastroError {}
/** All other refusals of what was asked: `errors` names the places. */
export class ValidationError extends LastroError {}
/** 429: too much of it; `retryAfter` says when to come again. */
export class RateLimitError extends LastroError {}
/** 5xx: a fault of the service, or of what stands before it. */
export class ServiceError extends LastroError {}
/** No answer, or one that broke off; `cause` says why. */
export class ConnectionError extends LastroError {}
/** Neither in time: an answer within `timeoutMs`, or (408) the request as the service wants it. */
export class TimeoutError extends LastroError {}

/** Reads the refusal in an answer; of one that is no problem document, what its status says. */
export async function readRefusal(response: Response): Promise<LastroError> {
  const problem = await readProblem(response);
  const described = {
    status: response.status,
    code: problem?.code ?? null,
    detail: problem?.detail ?? response.statusText,
    errors: problem?.errors ?? [],
    because: problem?.because,
    requestId: problem?.request_id ?? response.headers.get('request-id'),
    retryAfter: retryAfterOf(response.headers.get('retry-after'), Date.now()),
  };
  return new (classOf(response.status))(described);
}

function classOf(status: number): typeof LastroError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404 || status === 410) return NotFoundError;
  if (status === 408) return TimeoutError;
  if (status === 409 || status === 412) return ConflictError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServiceError : ValidationError;
}

/** Null where a proxy answered, or nobody whole. */
async function readProblem(response: Response): Promise<Partial<Schemas['Problem']> | null> {
  try {
    const body = JSON.parse(await response.text()) as Partial<Schemas['Problem']> | null;
    return typeof body?.code === 'string' ? body : null;
  } catch {
    return null;
  }
}

/** Seconds, given as such or as a date (RFC 9110 §10.2.3); null for what is neither. */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, (dateMs - nowMs) / 1000);
}
