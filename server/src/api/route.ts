import type { Static, TObject, TSchema } from 'typebox';
import type { Channel } from '../access/actor.ts';
import type { Admission } from '../access/admit.ts';
import type { Permission } from '../access/authorize.ts';
import type { Context } from '../access/context.ts';
import type { AnyScope, ScopeKind, ScopeOf } from '../access/scope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Answer, Exchange, Head, HttpRoute } from '../lib/http/server.ts';

/**
 * Who may call a route: callers with a permission, or with one of several; whoever is signed in; or anyone. There is no
 * default.
 */
export type Access = Permission | readonly Permission[] | 'user' | 'public';

/** An admitted request. Its parts fit the schemas of the route. */
export type Call<P, Q, B> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly exchange: Exchange;
  /** Checks that the caller still has the right, for work that has taken long. Throws as `Admission.ensure` does. */
  readonly ensure: Admission['ensure'];
};

/** Request headers that a route may read, besides credentials. */
export type RequestHeader =
  | 'Idempotency-Key'
  | 'Content-MD5'
  | 'If-Match'
  | 'If-None-Match'
  | 'Range'
  | 'If-Range'
  | 'Last-Event-ID'
  | 'Tus-Resumable'
  | 'Upload-Length'
  | 'Upload-Offset';

type Plain = {
  readonly method: HttpRoute['method'];
  /** The path as in the API document: `/v1/api/models/{model_id}`. */
  readonly path: string;
  /** Its name in the API document and in clients, such as `batches.create`: a resource and a verb, in camelCase. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: { readonly since: string; readonly successor: string };
  /** The schema of the body by status; null for an answer without JSON. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Codes with which it refuses, beyond those that follow from the other fields (`route-problems.ts`). */
  readonly problems?: readonly ErrorCode[];
  /** The media type of answers that are bytes and have no schema. */
  readonly produces?: string;
  /** An example of its answer, when that is text. */
  readonly example?: string;
  readonly headers?: readonly RequestHeader[];
  /** Whether it takes an Idempotency-Key. */
  readonly creates?: boolean;
  /** The body is bytes, which the handler reads from the exchange. */
  readonly streams?: boolean;
  /** The body is a form (`application/x-www-form-urlencoded`) instead of JSON: an object of texts. */
  readonly form?: boolean;
  /**
   * The schema of a body of parts (`multipart/form-data`) that the route takes in place of JSON, for the API document.
   * `Call.body` is then `unreadParts`, and the handler reads the parts from the exchange.
   */
  readonly parts?: TSchema;
  /** Whether it is called with a signed address instead of the caller's own credential. It then has no other query. */
  readonly signed?: boolean;
  /** The channels through which callers may come in; any by default. */
  readonly channels?: readonly Channel[];
  /** Whether a person must have proved within a few minutes who they are. */
  readonly fresh?: boolean;
  /**
   * Set on a route about oneself that also answers a session through an identity provider whose user is in other
   * organizations too (`Principal.boundTo`).
   */
  readonly bound?: true;
  /** Whether the caller may be recognised from memory; the handler must then await `ensure` before it answers. */
  readonly cachedKey?: boolean;
  /** Set on a route that answers at once from what is open in memory: it has a limit of requests of its own. */
  readonly realTime?: true;
  /**
   * Set on a route that changes something and also works in an archived workspace, which otherwise can only be read.
   */
  readonly archived?: 'admitted';
};

export type Route = Plain & {
  readonly access: Access;
  readonly scope?: ScopeKind;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** For a route for anyone: called before the rest of the request is read. What it throws is answered instead. */
  admit?(head: Head): void;
  /** Answers a request. `ctx` is in the scope that the route needs; null for a route for anyone. */
  handle(ctx: Context<AnyScope> | null, call: Call<never, never, never>): Promise<Answer>;
};

type Handler<P, Q, B, C> = (ctx: C, call: Call<P, Q, B>) => Promise<Answer>;
type Shape<S, Else> = S extends TSchema ? Static<S> : Else;

/**
 * Makes a route for callers with a permission, in a workspace or (`scope: 'organization'`) in an organization as a
 * whole; or (`access: 'user', scope: 'user'`) for whoever is signed in, about themselves.
 */
export function route<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  S extends ScopeKind = 'workspace',
>(
  spec: Plain & { access: Exclude<Access, 'public'>; scope?: S; params?: P; query?: Q; body?: B },
  handle: Handler<
    Shape<P, Record<string, never>>,
    Shape<Q, Record<string, never>>,
    Shape<B, undefined>,
    Context<ScopeOf<S>>
  >,
): Route {
  // The cast holds: the handler is called only after the schemas and the scope have been checked.
  return { ...spec, handle } as unknown as Route;
}

/** Makes a route for anyone. */
export function openRoute<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  spec: Plain & { access: 'public'; params?: P; query?: Q; body?: B; admit?: Route['admit'] },
  handle: Handler<Shape<P, Record<string, never>>, Shape<Q, Record<string, never>>, Shape<B, undefined>, null>,
): Route {
  // The cast holds: the handler is called only after the schemas have been checked.
  return { ...spec, handle } as unknown as Route;
}
