import type { Static, TObject, TSchema } from 'typebox';
import type { Channel } from '../access/actor.ts';
import type { Admission } from '../access/admit.ts';
import type { Permission } from '../access/authorize.ts';
import type { Context } from '../access/context.ts';
import type { Scope, ScopeKind, ScopeOf } from '../access/scope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Answer, Exchange, Head, HttpRoute } from '../lib/http/server.ts';

/**
 * Who may call a route: those who have a right, or one of several, or anyone. There is no default: a route must say.
 */
export type Access = Permission | readonly Permission[] | 'public';

/** A request that was let in, its parts held against the schemas of the route. */
export type Call<P, Q, B> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly exchange: Exchange;
  /** Makes sure that the caller still has the right, for what has taken long. Throws as `Admission.ensure` does. */
  readonly ensure: Admission['ensure'];
};

/** Headers of a request that a route may read, beside those that say who sends it. */
export type RequestHeader =
  | 'Idempotency-Key'
  | 'Content-MD5'
  | 'If-Match'
  | 'If-None-Match'
  | 'Range'
  | 'If-Range'
  | 'Last-Event-ID';

type Plain = {
  readonly method: HttpRoute['method'];
  /** As in the API document: `/v1/api/models/{model_id}`. */
  readonly path: string;
  /** Its name in the API document and in clients, as `batches.create`: what it is of, and a verb, in camelCase. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: { readonly since: string; readonly successor: string };
  /** The schema of the body by status; null for an answer without JSON. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Codes it refuses with beyond those that follow from the rest of this (`route-problems.ts`). */
  readonly problems?: readonly ErrorCode[];
  /** The media type of answers that are bytes and have no schema. */
  readonly produces?: string;
  /** What it answers, where that is text. */
  readonly example?: string;
  readonly headers?: readonly RequestHeader[];
  /** Takes an Idempotency-Key. */
  readonly creates?: boolean;
  /** The body is bytes, which the handler reads from the exchange. */
  readonly streams?: boolean;
  /** The body is a form (`application/x-www-form-urlencoded`) instead of JSON: an object of texts. */
  readonly form?: boolean;
  /** Called by a signed address instead of a credential of the caller's own; has no other query. */
  readonly signed?: boolean;
  /** Only for callers who come in through these channels; through any where it does not say. */
  readonly channels?: readonly Channel[];
  /** The caller may be recognised from memory; the handler must await `ensure` before it answers. */
  readonly cachedKey?: boolean;
  /** An archived workspace can only be read, unless a route that changes something is meant for archived ones too. */
  readonly archived?: 'admitted';
};

export type Route = Plain & {
  readonly access: Access;
  readonly scope?: ScopeKind;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Of a route for anyone: called before anything else is looked at; throws what is answered instead. */
  admit?(head: Head): void;
  /** Called with a context of the scope that the route wants; null where it is for anyone. */
  handle(ctx: Context<Scope> | null, call: Call<never, never, never>): Promise<Answer>;
};

type Handler<P, Q, B, C> = (ctx: C, call: Call<P, Q, B>) => Promise<Answer>;
type Shape<S, Else> = S extends TSchema ? Static<S> : Else;

/** A route for those who have a right, in a workspace or (`scope: 'organization'`) in an organization as a whole. */
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
  // The handler is called only after the schemas and the scope were checked.
  return { ...spec, handle } as unknown as Route;
}

/** A route for anyone. */
export function openRoute<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  spec: Plain & { access: 'public'; params?: P; query?: Q; body?: B; admit?: Route['admit'] },
  handle: Handler<Shape<P, Record<string, never>>, Shape<Q, Record<string, never>>, Shape<B, undefined>, null>,
): Route {
  // The handler is called only after the schemas were checked.
  return { ...spec, handle } as unknown as Route;
}
