import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Failure } from '../failure.ts';
import { endBodyTime } from './body.ts';
import { failureStatus, problemOf } from './problem.ts';

/** Answers with a problem document, unless the request has been answered. Logs the error when it is a bug. */
export function sendProblem(log: Logger | null, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  endBodyTime(request);
  if (reply.sent) return;
  const { problem, headers } = problemOf(goneOr(error, request), request.id);
  if (problem.status === 500) log?.error({ err: error, request_id: request.id, path: pathOf(request) }, 'fault');
  reply
    .code(problem.status)
    .headers({ ...headers, 'request-id': request.id, 'content-type': 'application/problem+json; charset=utf-8' })
    .serializer((body: unknown) => body as string)
    .send(JSON.stringify(problem));
}

/** Replaces an error that a caller caused by hanging up: it is no bug, and nobody reads the answer. */
function goneOr(error: unknown, { raw }: FastifyRequest): unknown {
  const hasGone = raw.destroyed && !raw.complete && !(error instanceof Failure);
  return hasGone ? new Failure('malformed', 'the connection ended before the body did', { cause: error }) : error;
}

/** Whether a request was refused because its body did not arrive in time. */
export function isLate({ statusCode }: FastifyReply): boolean {
  return statusCode === failureStatus.timeout.status;
}

/** The end of messages about unknown addresses, also about those that must look as if they did not exist. */
export const whereRoutesAre = 'openapi.json, the API document that comes with the service, lists what there is';

/** The refusal of an unknown route: 405 when the address exists for other methods (RFC 9110 §15.5.6), else 404. */
export function noSuchRoute(
  routes: readonly { readonly path: string; readonly method: string }[],
  request: FastifyRequest,
): Failure {
  const path = pathOf(request).replace(/(?<=.)\/$/, '');
  const parts = path.split('/');
  const fits = (pattern: string): boolean => {
    const wanted = pattern.split('/');
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at]);
  };
  const methods = new Set(routes.filter((route) => fits(route.path)).map(({ method }) => method));
  if (methods.size === 0)
    return new Failure('not_found', `there is no ${request.method} ${path}; ${whereRoutesAre}`, {
      reason: 'route_not_found',
    });
  if (methods.has('GET')) methods.add('HEAD');
  const allow = [...methods].sort().join(', ');
  return new Failure('method_not_allowed', `${path} takes ${allow}, not ${request.method}`, { headers: { allow } });
}

/** Whether a request reads an address whose first part no route has. */
export function liesElsewhere(routes: readonly { readonly path: string }[], request: FastifyRequest): boolean {
  const [, first] = request.url.split(/[/?]/, 2);
  return /^(GET|HEAD)$/.test(request.method) && !routes.some(({ path }) => path.split('/', 2)[1] === first);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0];
}
