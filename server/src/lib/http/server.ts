import { Readable } from 'node:stream';
import swagger from '@fastify/swagger';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteGenericInterface,
} from 'fastify';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { Failure } from '../failure.ts';
import { noTracing, type Span, type Tracing } from '../tracing/tracing.ts';
import { endBodyTime, endUnreadBody, limitBodyTime, readJson } from './body.ts';
import { askForForm, formBytesMax, formType, readForm } from './form.ts';
import { isMultipart, multipartType, unreadParts } from './multipart.ts';
import { isLate, liesElsewhere, noSuchRoute, sendProblem } from './refusals.ts';
import { serializerOf } from './serializer.ts';
import { answerUnreadable } from './unreadable.ts';
import { validatorOf } from './validate.ts';

/** One HTTP route. Whoever adds it decides who may call it, by `admit`. */
export type HttpRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with parameters as in `/v1/api/models/:model_id`. */
  readonly path: string;
  readonly schema: {
    readonly params?: TSchema;
    readonly querystring?: TSchema;
    readonly body?: TSchema;
    readonly response?: Readonly<Record<number, TSchema>>;
    /** Fields of the operation in the API document that add to those of the schemas, or replace them. */
    readonly document?: Readonly<Record<string, unknown>>;
  };
  /**
   * `form`: the fields of a form (`application/x-www-form-urlencoded`) as an object of texts. `stream`: the body is
   * passed on unread, without a size limit. `json or parts`: JSON, or `unreadParts` for a body of parts
   * (`multipart/form-data`), which is passed on unread too. `none`: the body is not read.
   */
  readonly body: 'json' | 'json or parts' | 'form' | 'stream' | 'none';
  /** Headers of every answer, also of refusals. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before the body is read and the schemas are checked. Throws when the caller may not come in. */
  admit?(head: Head): Promise<unknown>;
  /**
   * Called before an admitted request is refused with `error`; `admitted` is what `admit` returned. What it throws is
   * sent instead.
   */
  refuse?(admitted: unknown, error: unknown): Promise<void>;
  /** Answers the request. `schema.response` serializes the body unless it is a string or a stream. */
  handle(exchange: Exchange): Promise<Answer>;
};

/** A request before its body is read. */
export type Head = {
  readonly requestId: string;
  readonly ip: string;
  readonly method: string;
  /** Path and query, as they arrived. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Adds headers to the answer, whatever it will be. */
  tell(headers: AnswerHeaders): void;
};

/** A request as a handler sees it. */
export type Exchange = Head & {
  /** What `admit` returned. */
  readonly admitted: unknown;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly stream: Readable;
  /** Calls back when the answer has been sent, the caller has hung up, or the server begins to close. */
  onClose(back: () => void): void;
};

/** A list is sent as several headers of that name: an answer may set several cookies. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type Answer = {
  readonly status: number;
  readonly headers?: AnswerHeaders;
  /**
   * An object is serialized by the route's schema. A string is sent as it is, as JSON by default. A stream is sent as
   * it is.
   */
  readonly body?: unknown;
};

export type HttpOptions = {
  readonly log: Logger;
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly newRequestId: () => string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
  /**
   * Answers a GET or HEAD of an address that lies beside those of the routes: whose first part no route has. Null
   * refuses it as unknown.
   */
  elsewhere?(head: Head): Promise<Answer> | null;
  /** Each request is a span, beneath the caller's if it names one, but for those to the routes of `untraced`. */
  readonly tracing?: Tracing;
  readonly untraced?: readonly string[];
  /** Called for every answer, for metrics. */
  onAnswer?(route: string, method: string, status: number, seconds: number): void;
};

/** How long the server waits for callers. */
export type Limits = {
  /** For the whole of a JSON or form body, and for the rest of any body after the answer has been sent. */
  readonly bodyMs: number;
  /** For the next byte in either direction during a request or an answer. */
  readonly silenceMs: number;
  /** For requests in flight when the server closes. */
  readonly closeMs: number;
};

export type Http = {
  add(route: HttpRoute): void;
  /** Listens, and returns the port. The system chooses one for port 0. */
  listen(port: number, host: string): Promise<number>;
  /** Answers on, but ends each connection with its next answer, so that callers connect elsewhere. */
  leave(): void;
  /** Refuses new connections and requests, gives those in flight time to finish, then ends them. */
  close(): Promise<void>;
  /** The OpenAPI document of the added routes. */
  document(): Promise<unknown>;
};

const mebibyte = 1024 * 1024;
export const jsonBodyBytesMax = 2 * mebibyte;
export const headersTimeoutMs = 15_000;
const keepAliveMs = 75_000;
const acceptBacklog = 4096;
/** Longer than any name or id of the service. */
export const paramLengthMax = 300;
export const defaultLimits: Limits = { bodyMs: 30_000, silenceMs: 120_000, closeMs: 30_000 };
const lingerMs = 1_000;
const sweepEveryMs = 50;

/** Opens an HTTP server. Every answer has a Request-Id, and every refusal is a problem document (RFC 9457). */
export function openHttp(options: HttpOptions): Http {
  const { log, tracing = noTracing, untraced = [] } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const fastify = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: jsonBodyBytesMax,
    requestIdHeader: false,
    genReqId: options.newRequestId,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: limits.silenceMs,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // Requests are refused below instead, with a problem document.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramLengthMax },
    http: { headersTimeout: headersTimeoutMs, requireHostHeader: false },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(log, error, request, reply),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Parameters<typeof answerUnreadable>[1]) =>
      answerUnreadable(error, socket, options.newRequestId()),
  } as unknown as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  // An unknown Expect header is ignored, and the request answered.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.register(swagger, {
    openapi: { openapi: '3.1.0', ...options.document },
    transform: ({ schema, url, route }: { schema: object; url: string; route: { config?: RouteConfig } }) => ({
      schema: { ...schema, ...route.config?.document },
      url,
    }),
  } as never);
  // Most routes are asked rarely, and compiling the schemas of all of them took half of the time of a start.
  fastify.setValidatorCompiler(({ schema, httpPart }) =>
    unlessParts(atFirstUse(() => validatorOf(schema as TSchema, httpPart ?? 'body'))),
  );
  fastify.setSerializerCompiler(({ schema }) => atFirstUse(() => serializerOf(schema as object)));
  fastify.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
  fastify.decorateRequest('admitted', undefined);
  fastify.decorateRequest('isAdmitted', false);
  fastify.decorateRequest('span', undefined);

  const added: HttpRoute[] = [];
  const ends = new Set<() => void>();
  let isLeaving = false;
  let isClosing = false;
  fastify.setNotFoundHandler(async (request, reply) => {
    const answer = liesElsewhere(added, request) ? await options.elsewhere?.(headOf(request, reply)) : null;
    if (!answer) throw noSuchRoute(added, request);
    return send(reply, answer, request.method);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
    if (tracing !== noTracing) startSpan(request, tracing, untraced);
    if (isClosing) done(new Failure('unavailable', 'the service is stopping; ask another instance, or again shortly'));
    else if (request.is404 && !liesElsewhere(added, request)) done(noSuchRoute(added, request));
    else done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isLeaving || isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply.statusCode);
    options.onAnswer?.(request.routeOptions.url ?? 'none', request.method, reply.statusCode, reply.elapsedTime / 1000);
    if (!request.raw.complete) endUnreadBody(request, isLate(reply) ? lingerMs : limits.bodyMs);
    done();
  });

  let isReady = false;
  const ready = async (): Promise<void> => {
    if (isReady) return;
    isReady = true;
    const add = (scope: FastifyInstance, route: HttpRoute): void => addRoute(scope, route, limits, ends);
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      for (const route of added) if (route.body === 'stream' || route.body === 'none') add(scope, route);
    });
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(formType, { parseAs: 'buffer', bodyLimit: formBytesMax }, readForm);
      for (const route of added) if (route.body === 'form') add(scope, route);
    });
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson(scope));
      for (const route of added) if (route.body === 'json') add(scope, route);
    });
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson(scope));
      scope.addContentTypeParser(multipartType, (_request, _payload, done) => done(null, unreadParts));
      for (const route of added) if (route.body === 'json or parts') add(scope, route);
    });
    await fastify.ready();
  };
  return {
    add: (route) => void added.push(route),
    async listen(port, host) {
      await ready();
      await fastify.listen({ port, host, backlog: acceptBacklog });
      const address = fastify.server.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    leave() {
      isLeaving = true;
    },
    async close() {
      isClosing = true;
      for (const end of ends) end();
      // Without this, a connection that was busy when closing began would be kept open for a next request.
      const sweep = setInterval(() => fastify.server.closeIdleConnections(), sweepEveryMs);
      const give = setTimeout(() => fastify.server.closeAllConnections(), limits.closeMs);
      try {
        await fastify.close();
      } finally {
        clearInterval(sweep);
        clearTimeout(give);
      }
    },
    async document() {
      await ready();
      return fastify.swagger();
    },
  };
}

/** A function that is made when it is called for the first time. */
function atFirstUse<T, R>(make: () => (data: T) => R): (data: T) => R {
  let made: ((data: T) => R) | undefined;
  return (data) => {
    made ??= make();
    return made(data);
  };
}

/** The check of a body, which lets a body of parts pass unread. */
function unlessParts<R>(check: (data: unknown) => R): (data: unknown) => R | true {
  return (data) => data === unreadParts || check(data);
}

type RouteConfig = { readonly document?: Readonly<Record<string, unknown>> };
type Request = FastifyRequest<RouteGenericInterface> & { admitted?: unknown; isAdmitted?: boolean; span?: Span };

/** Begins the span of a request. Of its address it has the route alone: the rest may name people. */
function startSpan(request: Request, tracing: Tracing, untraced: readonly string[]): void {
  const { url: route = 'none' } = request.routeOptions;
  if (untraced.includes(route)) return;
  const { traceparent } = request.headers;
  request.span = tracing.start(`${request.method} ${route}`, 'server', {
    attributes: { 'http.request.method': request.method, 'http.route': route, 'lastro.request_id': request.id },
    parent: typeof traceparent === 'string' ? traceparent : undefined,
  });
}

function endSpan({ span }: Request, status: number): void {
  span?.set({ 'http.response.status_code': status });
  span?.end(status >= 500 ? `status ${status}` : undefined);
}

function addRoute(fastify: FastifyInstance, route: HttpRoute, limits: Limits, ends: Set<() => void>): void {
  const { document: told, ...schema } = route.schema;
  const document = route.body === 'form' ? { ...told, consumes: [formType] } : told;
  const common = {
    url: route.path,
    onRequest: async (request: Request, reply: FastifyReply) => {
      if (route.headers) reply.headers(route.headers);
      if (!route.admit) return;
      request.admitted = await route.admit(headOf(request, reply));
      request.isAdmitted = true;
    },
    // The error handler of all routes gets what this one throws.
    errorHandler: async (error: unknown, request: Request) => {
      if (request.isAdmitted) await route.refuse?.(request.admitted, error);
      throw route.body === 'form' ? askForForm(error) : error;
    },
    ...(route.body !== 'stream' && route.body !== 'none'
      ? {
          preParsing: (request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
            if (!isMultipart(request))
              limitBodyTime(request, limits.bodyMs, (late) => sendProblem(null, late, request, reply));
            done();
          },
          preValidation: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
            endBodyTime(request);
            done();
          },
        }
      : {}),
    handler: async (request: Request, reply: FastifyReply) => {
      const handle = () => route.handle(exchangeOf(request, reply, ends));
      return send(reply, await (request.span ? request.span.within(handle) : handle()), request.method);
    },
  };
  fastify.route({ ...common, method: route.method, schema: schema as never, config: { document } as never });
  if (route.method === 'GET') fastify.route({ ...common, method: 'HEAD', schema: { ...schema, hide: true } as never });
}

function send(reply: FastifyReply, answer: Answer, method: string): FastifyReply {
  reply.code(answer.status);
  // Answers are of whoever asks, and some hold secrets.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (answer.headers) tell(reply, answer.headers);
  if (answer.body instanceof Readable && method === 'HEAD') {
    answer.body.destroy();
    return reply.send();
  }
  if (answer.body === undefined) return reply.send();
  if (typeof answer.body === 'string' && !answer.headers?.['content-type'])
    reply.header('content-type', 'application/json; charset=utf-8').serializer(asIs);
  return reply.send(answer.body);
}

const asIs = (body: unknown): string => body as string;

function headOf({ id, ip, method, url, headers }: FastifyRequest, reply: FastifyReply): Head {
  return { requestId: id, ip, method, url, headers, tell: (headers) => tell(reply, headers) };
}

/** Sets headers of the answer. Cookies add to those set before; any other header replaces the one of its name. */
function tell(reply: FastifyReply, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
}

function exchangeOf(request: Request, reply: FastifyReply, ends: Set<() => void>): Exchange {
  return {
    ...headOf(request, reply),
    admitted: request.admitted,
    params: request.params,
    query: request.query,
    body: request.body,
    stream: request.raw,
    onClose(back) {
      const end = (): void => {
        ends.delete(end);
        back();
      };
      ends.add(end);
      reply.raw.once('close', end);
    },
  };
}
