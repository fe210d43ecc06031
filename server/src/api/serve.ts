import { createHmac } from 'node:crypto';
import { type TObject, type TSchema, Type } from 'typebox';
import { type AccessRequest, type Admission, admit, type Guards, refusesRight } from '../access/admit.ts';
import { type Context, contextOf } from '../access/context.ts';
import type { Credential } from '../access/credentials/credential.ts';
import { signedQuery } from '../access/credentials/signed-address.ts';
import type { AnyScope } from '../access/scope.ts';
import { refuse } from '../errors.ts';
import type { Exchange, Head, Http, HttpRoute } from '../lib/http/server.ts';
import type { Call, Route } from './route.ts';
import { boundedTexts, idempotencyKeyLengthMax, parameterLengthMax, shortTextMax } from './texts.ts';

/** The checks between requests and the handlers of routes. */
export type Gate = Guards & {
  readonly credentials: {
    /** The callers' own credentials, such as an API key. The first one that a request carries counts. */
    readonly brought: readonly Credential[];
    readonly signedAddress: Credential;
  };
  /** The key of the hash that identifies a body when a request with an Idempotency-Key is repeated. */
  readonly bodySecret: Buffer;
};

/** Adds routes to an HTTP server, each behind the check of its access. */
export function serveRoutes(http: Http, routes: readonly Route[], gate: Gate): void {
  for (const spec of routes) http.add(guarded(spec, gate));
}

/**
 * Adds routes to a server that only the user of this machine can reach: every caller acts in `ctx`, and rights are not
 * checked. `admitHead` throws to refuse a request.
 */
export function serveUnguarded(
  http: Http,
  routes: readonly Route[],
  ctx: Context,
  admitHead: (head: Head) => void,
): void {
  for (const spec of routes)
    http.add({
      ...described(spec),
      admit: async (head) => admitHead(head),
      handle: (exchange) =>
        spec.handle(
          contextOf(ctx, ctx.channel, exchange),
          callOf(exchange, async () => {}),
        ),
    });
}

function guarded(spec: Route, gate: Gate): HttpRoute {
  const request = accessRequestOf(spec, gate.credentials);
  return {
    ...described(spec),
    ...(spec.deprecated ? { headers: deprecation(spec.deprecated) } : {}),
    async admit(head) {
      return request ? admit(gate, request, head) : spec.admit?.(head);
    },
    async refuse(admitted, error) {
      // A caller who has lost their rights does not even learn what is wrong with the request.
      if (request && !refusesRight(error)) await (admitted as Admission).ensure();
    },
    async handle(exchange) {
      const { admitted } = exchange;
      if (!request)
        return spec.handle(
          null,
          callOf(exchange, async () => {}),
        );
      const { principal, channel, ensure } = admitted as Admission;
      // The body may have taken long to arrive, so rights are checked again.
      if (!request.cached) await ensure();
      const ctx = contextOf(principal, channel, exchange);
      return spec.handle(withIdempotency(ctx, spec, exchange, gate.bodySecret), callOf(exchange, ensure));
    },
  };
}

/** What a request to a route needs to be admitted; null for a route for anyone. */
function accessRequestOf(spec: Route, { brought, signedAddress }: Gate['credentials']): AccessRequest | null {
  const { access, method, path, scope = 'workspace', signed, channels, cachedKey, archived } = spec;
  const { fresh = false, bound = false, realTime = false } = spec;
  if (access === 'public') return null;
  const isTaken = ({ channel }: Credential): boolean => channels === undefined || channels.includes(channel);
  return {
    anyOf: access === 'user' ? null : typeof access === 'string' ? [access] : access,
    route: `${method} ${path}`,
    scope,
    whenArchived: method === 'GET' ? 'admitted' : (archived ?? 'refused'),
    credentials: signed ? [signedAddress] : brought.filter(isTaken),
    refused: signed ? [] : brought.filter((credential) => !isTaken(credential)),
    fresh,
    bound,
    cached: cachedKey === true,
    pace: realTime ? 'real_time' : 'other',
  };
}

/** The route for the HTTP server and the API document, without the check of access. */
function described(spec: Route): Pick<HttpRoute, 'method' | 'path' | 'body' | 'schema'> {
  const response: Record<number, TSchema> = {};
  for (const [status, schema] of Object.entries(spec.answers)) if (schema) response[Number(status)] = schema;
  const isOpen = spec.access === 'public' || spec.signed === true;
  // A key is of one workspace, and of the channel `api`.
  const isOfPerson = (spec.scope ?? 'workspace') !== 'workspace' || spec.channels?.includes('api') === false;
  return {
    method: spec.method,
    path: spec.path.replace(/\{(\w+)\}/g, ':$1'),
    body: bodyOf(spec),
    schema: {
      ...(spec.params ? { params: boundedTexts(closed(spec.params), shortTextMax) } : {}),
      querystring: boundedTexts(
        closed(spec.signed ? signedQuery : (spec.query ?? Type.Object({}))),
        parameterLengthMax,
      ),
      ...(spec.body ? { body: spec.body } : {}),
      response,
      document: {
        operationId: spec.operation,
        summary: spec.summary,
        ...(spec.description ? { description: spec.description } : {}),
        tags: [spec.operation.split('.')[0]],
        ...(spec.deprecated ? { deprecated: true } : {}),
        ...(isOpen ? { security: [] } : isOfPerson ? { security: [{ session: [] }] } : {}),
        'x-permission': spec.signed ? 'signed' : spec.access,
      },
    },
  };
}

function bodyOf({ streams, body, form, parts }: Route): HttpRoute['body'] {
  if (streams) return 'stream';
  if (body === undefined) return 'none';
  if (parts) return 'json or parts';
  return form ? 'form' : 'json';
}

/** A schema that takes no other properties than those it names, unless it says so. */
function closed(schema: TObject): TObject {
  const { additionalProperties = false } = schema as TObject & { additionalProperties?: TSchema };
  return Type.Object(schema.properties, { additionalProperties });
}

function callOf(exchange: Exchange, ensure: Admission['ensure']): Call<never, never, never> {
  const { params, query, body } = exchange;
  // The cast holds: the server has checked each part against its schema.
  return { params, query, body, exchange, ensure } as Call<never, never, never>;
}

/** Adds the Idempotency-Key to the context, if the route takes one and the request has one. */
function withIdempotency(
  ctx: Context<AnyScope>,
  spec: Route,
  { method, url, headers, body }: Exchange,
  secret: Buffer,
): Context<AnyScope> {
  const key = spec.creates ? headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return ctx;
  if (key.length === 0 || key.length > idempotencyKeyLengthMax)
    throw refuse('malformed', `Idempotency-Key must have 1 to ${idempotencyKeyLengthMax} characters`);
  // A keyed hash, since a plain one of a short body, such as the name of somebody to be erased, could be guessed.
  const bodyHash = createHmac('sha256', secret)
    .update(JSON.stringify(body) ?? '')
    .digest('hex');
  return { ...ctx, idempotency: { key, route: `${method} ${url.split('?', 1)[0]}`, bodyHash } };
}

/** The headers of a deprecated route, which name its successor (RFC 9745 and 8594). */
function deprecation({ since, successor }: { since: string; successor: string }): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    link: `<${encodeURI(successor)}>; rel="successor-version"`,
  };
}
