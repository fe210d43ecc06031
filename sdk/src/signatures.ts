/** What methods take and give, read off the operations of the API. */
import type { components, operations } from './schema.ts';

/** Every schema of the API by its name: `Schemas['Batch']`. */
export type Schemas = components['schemas'];

export type OperationId = keyof operations;

/** The body of a request; of those that take files as parts, a `FormData` as well. */
export type Body<O extends OperationId> = operations[O] extends { readonly requestBody: { readonly content: infer C } }
  ?
      | (C extends { readonly 'application/json': infer T } ? T : never)
      | (C extends { readonly 'multipart/form-data': unknown } ? FormData : never)
  : never;

export type Query<O extends OperationId> = NonNullable<operations[O]['parameters']['query']>;

/** What an operation answers: its JSON, nothing, or the `Response` of bytes, whose body is still to be read. */
export type Result<O extends OperationId> = ResultOf<
  operations[O]['responses'][keyof operations[O]['responses'] & (200 | 201 | 202 | 204)]
>;

type ResultOf<A> = A extends { content: { readonly 'application/json': infer T } }
  ? T
  : A extends { content: Readonly<Record<string, unknown>> }
    ? Response
    : undefined;

/** What goes with any one request. */
export type RequestOptions = {
  /** Ends the request, and all waiting between attempts. */
  readonly signal?: AbortSignal;
  /** Milliseconds of one attempt, until its answer is read; of bytes and streams, until it begins. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a request is sent again. */
  readonly maxRetries?: number;
};

/** Options of an operation: those of any request, and the headers that it understands. */
export type Options<O extends OperationId> = RequestOptions &
  When<O, 'Idempotency-Key', 'idempotencyKey', string> &
  When<O, 'If-Match', 'ifMatch', string> &
  When<O, 'If-None-Match', 'ifNoneMatch', string> &
  When<O, 'Range', 'range', string>;

type When<O extends OperationId, Header extends string, Name extends string, T> = [HeadersOf<O>] extends [never]
  ? unknown
  : Header extends keyof HeadersOf<O>
    ? { readonly [N in Name]?: T }
    : unknown;

type HeadersOf<O extends OperationId> = NonNullable<operations[O]['parameters']['header']>;

/** An answer with what came around it. */
export type Answered<T> = {
  readonly data: T;
  readonly response: Response;
  /** As the service knows the request; say it when you report a fault. */
  readonly requestId: string | null;
};

/** The promise of an answer. */
export type Pending<T> = Promise<T> & {
  /** The same answer, with its status, headers and request id. */
  withResponse(): Promise<Answered<T>>;
};

export type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null; readonly has_more: boolean };

/** Awaited, the first page; in a `for await`, each entry of all pages. */
export type Paged<P> = Pending<P> & AsyncIterable<P extends Page<infer T> ? T : never>;
