import { createHmac } from 'node:crypto';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Principal } from '../access/actor.ts';
import { type Admission, admit, type Guards, refusesRight, type Wish } from '../access/admit.ts';
import type { Permission } from '../access/authorize.ts';
import { type Context, contextOf } from '../access/context.ts';
import { signedQuery } from '../access/credentials/signed-address.ts';
import { type ErrorCode, refuse } from '../errors.ts';
import type { Answer, Exchange, Head, Http, HttpRoute } from '../lib/http/server.ts';

/** Who may call a route: bearers of a right, or anyone. There is no default: a route that does not say does not exist. */
export type Access = Permission | 'public';

/** A call that has passed authentication, authorisation and its schemas. */
export type Call<P, Q, B> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly exchange: Exchange;
  /** Makes sure that the caller still may do this: for what has taken long. Throws as the admission does. */
  readonly ensure: Admission['ensure'];
};

/** What of the head of a request, beside its key, a route may heed. */
export type RequestHeader = 'Idempotency-Key' | 'Content-MD5' | 'If-Match' | 'If-None-Match' | 'Range' | 'If-Range';

type Plain = {
  readonly method: HttpRoute['method'];
  /** As in the API document: `/v1/api/models/{model_id}`. */
  readonly path: string;
  /** Its name in the API document and in clients, as `batches.create`: what it is of, and a verb, in camelCase. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: { readonly since: string; readonly successor: string };
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Codes it refuses with beyond those that follow from the rest of this (`route-problems.ts`). */
  readonly problems?: readonly ErrorCode[];
  /** Of the bytes that it answers where an answer has no schema. */
  readonly produces?: string;
  /** What it answers, where that is text. */
  readonly example?: string;
  /** Headers of a request that it heeds. */
  readonly headers?: readonly RequestHeader[];
  /** Takes an Idempotency-Key. */
  readonly creates?: boolean;
  /** The body is bytes, handed on unread. */
  readonly streams?: boolean;
  /** Called by an address that a bearer of the right was given, and for as long as they have it; takes no query. */
  readonly signed?: boolean;
  /** The key may be recognised from memory: the handler awaits `ensure` before it answers. */
  readonly cachedKey?: boolean;
};

export type Route = Plain & {
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Of a route for anyone: throws for what is answered before anything else is looked at. */
  admit?(head: Head): void;
  handle(ctx: Context | null, call: Call<never, never, never>): Promise<Answer>;
};

type Handler<P, Q, B, C> = (ctx: C, call: Call<P, Q, B>) => Promise<Answer>;
type Shape<S, Else> = S extends TSchema ? Static<S> : Else;

/** A route that needs a right. */
export function route<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  spec: Plain & { access: Permission; params?: P; query?: Q; body?: B },
  handle: Handler<Shape<P, Record<string, never>>, Shape<Q, Record<string, never>>, Shape<B, undefined>, Context>,
): Route {
  return { ...spec, handle } as unknown as Route;
}

/** A route for anyone. */
export function openRoute<P extends TObject | undefined = undefined, Q extends TObject | undefined = undefined>(
  spec: Plain & { access: 'public'; params?: P; query?: Q; admit?: Route['admit'] },
  handle: Handler<Shape<P, Record<string, never>>, Shape<Q, Record<string, never>>, unknown, null>,
): Route {
  return { ...spec, handle } as unknown as Route;
}

/** Puts routes behind authentication and authorisation onto an HTTP server. */
export function serveRoutes(http: Http, routes: readonly Route[], guards: Guards): void {
  for (const spec of routes) http.add(guarded(spec, guards));
}

/**
 * Puts routes onto a server that nobody reaches but the user of the machine: whoever calls acts in `ctx`, and rights are not asked
 * for. `admit` throws for a head that is not answered.
 */
export function serveUnguarded(
  http: Http,
  routes: readonly Route[],
  ctx: Principal,
  admitHead: (head: Head) => void,
): void {
  for (const spec of routes)
    http.add({
      ...described(spec),
      admit: async (head) => admitHead(head),
      handle: (exchange) =>
        spec.handle(
          contextOf(ctx, exchange),
          callOf(exchange, async () => {}),
        ),
    });
}

/** A route as the server knows it, but for who may call it. */
function described(spec: Route): Pick<HttpRoute, 'method' | 'path' | 'body' | 'schema'> {
  const response: Record<number, TSchema> = {};
  for (const [status, schema] of Object.entries(spec.answers)) if (schema) response[Number(status)] = schema;
  const isOpen = spec.access === 'public' || spec.signed === true;
  return {
    method: spec.method,
    path: spec.path.replace(/\{(\w+)\}/g, ':$1'),
    body: spec.streams ? 'stream' : spec.body === undefined ? 'none' : 'json',
    schema: {
      ...(spec.params ? { params: closed(spec.params) } : {}),
      querystring: closed(spec.signed ? signedQuery : (spec.query ?? Type.Object({}))),
      ...(spec.body ? { body: spec.body } : {}),
      response,
      document: {
        operationId: spec.operation,
        summary: spec.summary,
        ...(spec.description ? { description: spec.description } : {}),
        tags: [spec.operation.split('.')[0]],
        ...(spec.deprecated ? { deprecated: true } : {}),
        ...(isOpen ? { security: [] } : {}),
        'x-permission': spec.signed ? 'signed' : spec.access,
      },
    },
  };
}

function guarded(spec: Route, guards: Guards): HttpRoute {
  const wish = wishOf(spec);
  return {
    ...described(spec),
    ...(spec.deprecated ? { headers: deprecation(spec.deprecated) } : {}),
    async admit(head) {
      return wish ? admit(guards, wish, head) : spec.admit?.(head);
    },
    async refuse(admitted, error) {
      // What is wrong with a request is told to nobody whose rights have ended, either.
      if (wish && !refusesRight(error)) await (admitted as Admission).ensure();
    },
    async handle(exchange) {
      if (!wish)
        return spec.handle(
          null,
          callOf(exchange, async () => {}),
        );
      const { principal, ensure } = exchange.admitted as Admission;
      // Its body may have dripped in for long.
      if (!wish.cached) await ensure();
      return spec.handle(
        idempotent(contextOf(principal, exchange), spec, exchange, guards.keys.idempotency),
        callOf(exchange, ensure),
      );
    },
  };
}

function wishOf({ access, method, path, signed, cachedKey }: Route): Wish | null {
  if (access === 'public') return null;
  const changes = method !== 'GET';
  return {
    permission: access,
    route: `${method} ${path}`,
    changes,
    signed: signed === true,
    cached: cachedKey === true,
  };
}

function closed(schema: TObject): TObject {
  return Type.Object(schema.properties, { additionalProperties: false });
}

function callOf(exchange: Exchange, ensure: Admission['ensure']): Call<never, never, never> {
  const { params, query, body } = exchange;
  return { params, query, body, exchange, ensure } as Call<never, never, never>;
}

const idempotencyKeyLengthMax = 255;

/** With the Idempotency-Key of a creation, where it came with one. */
function idempotent(ctx: Context, spec: Route, { method, url, headers, body }: Exchange, secret: Buffer): Context {
  const key = spec.creates ? headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return ctx;
  if (key.length === 0 || key.length > idempotencyKeyLengthMax)
    throw refuse('malformed', `Idempotency-Key must have 1 to ${idempotencyKeyLengthMax} characters`);
  // Under a secret: of a body with few unknowns, such as who is to be erased, a bare hash tells these.
  const bodyHash = createHmac('sha256', secret)
    .update(JSON.stringify(body) ?? '')
    .digest('hex');
  return { ...ctx, idempotency: { key, route: `${method} ${url.split('?', 1)[0]}`, bodyHash } };
}

/** RFC 9745 and 8594. */
function deprecation({ since, successor }: { since: string; successor: string }): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    link: `<${encodeURI(successor)}>; rel="successor-version"`,
  };
}
