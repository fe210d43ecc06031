import { type ErrorCode, errorCodes } from '../errors.ts';
import { failureStatus } from '../lib/http/problem.ts';
import type { Route } from './route.ts';

const always: readonly ErrorCode[] = ['internal', 'unavailable'];

/**
 * The codes with which a route refuses, by status: those that follow from what it takes and who may call it, and its
 * own.
 */
export function problemsOf(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  // A request that `admit` refuses is not read, so nothing in it can be at fault.
  const codes = route.admit ? always : [...always, ...ofAccess(route), ...ofRequest(route), ...ofHead(route)];
  const wanted = new Set([...codes, ...(route.problems ?? [])]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of (Object.keys(errorCodes) as ErrorCode[]).filter((code) => wanted.has(code))) {
    const { status } = failureStatus[errorCodes[code][0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function ofAccess(route: Route): readonly ErrorCode[] {
  const { access, signed, method, archived, scope } = route;
  if (access === 'public') return [];
  if (access === 'user') return [...ofSession(route), 'unauthenticated', 'rate_limited'];
  return [
    ...(signed ? (['signature_invalid', 'signature_expired'] as const) : (['unauthenticated'] as const)),
    ...(signed
      ? []
      : ([...ofSession(route), 'scope_required', 'second_factor_required', 'sso_required', 'not_found'] as const)),
    ...(['permission_denied', 'wrong_scope', 'address_not_allowed', 'organization_suspended'] as const),
    ...(['rate_limited', ...(method === 'GET' ? [] : (['insufficient_storage'] as const))] as const),
    ...(method === 'GET' || archived === 'admitted' || scope === 'organization'
      ? []
      : (['workspace_archived'] as const)),
  ];
}

/** The refusals of people who are signed in, and of others where only people may come in. */
function ofSession({ method, channels, fresh, scope, bound }: Route): readonly ErrorCode[] {
  return [
    ...(method === 'GET' ? [] : (['cross_origin'] as const)),
    ...(channels && !channels.includes('api') ? (['session_required'] as const) : []),
    ...(fresh || (scope === 'user' && !bound) ? (['reauthentication_required'] as const) : []),
  ];
}

function ofRequest({ params, query, body }: Route): readonly ErrorCode[] {
  return [
    ...(['malformed', 'invalid_parameter'] as const),
    ...(params ? (['not_found'] as const) : []),
    ...(query && 'cursor' in query.properties ? (['invalid_cursor'] as const) : []),
    ...(body
      ? ([
          'malformed_json',
          'schema_mismatch',
          'unsupported_media_type',
          'body_too_large',
          'limit_exceeded',
          'timeout',
        ] as const)
      : []),
  ];
}

function ofHead({ creates, headers = [] }: Route): readonly ErrorCode[] {
  return [
    ...(creates ? (['idempotency_key_reused'] as const) : []),
    ...(headers.includes('If-Match') ? (['precondition_failed'] as const) : []),
    ...(headers.includes('Range') ? (['range_not_satisfiable'] as const) : []),
  ];
}
