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
import { endBodyTime, endUnreadBody, limitBodyTime, readJson } from './body.ts';
import { askForForm, formBytesMax, formType, readForm } from './form.ts';
import { isLate, noSuchRoute, sendProblem } from './refusals.ts';
import { answerUnreadable } from './unreadable.ts';
import { validatorOf } from './validate.ts';

/** One route as HTTP sees it; who may call it is the wrapper's business. */
export type HttpRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as `/v1/api/models/:model_id`. */
  readonly path: string;
  readonly schema: {
    readonly params?: TSchema;
    readonly querystring?: TSchema;
    readonly body?: TSchema;
    readonly response?: Readonly<Record<number, TSchema>>;
    /** What the API document says of it beside its schemas, or instead. */
    readonly document?: Readonly<Record<string, unknown>>;
  };
  /**
   * `form`: fields of a form (`application/x-www-form-urlencoded`), as an object of texts. `stream`: the body is handed
   * on unread, without limit. `none`: a body is not read.
   */
  readonly body: 'json' | 'form' | 'stream' | 'none';
  /** On every answer, refusals among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked before the body is read and the schemas are held against it: throws for who may not come in. */
  admit?(head: Head): Promise<unknown>;
  /**
   * Asked before a refusal is told to who was let in, with what `admit` returned: throws what they are told instead.
   */
  refuse?(admitted: unknown, error: unknown): Promise<void>;
  /** The answer is checked into shape by `schema.response` unless it is a string or a stream. */
  handle(exchange: Exchange): Promise<Answer>;
};

/** One request before its body. */
export type Head = {
  readonly requestId: string;
  readonly ip: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Adds to the head of whatever the answer will be. */
  tell(headers: AnswerHeaders): void;
};

/** One request, as a handler sees it. */
export type Exchange = Head & {
  /** What `admit` returned. */
  readonly admitted: unknown;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly stream: Readable;
  /** Calls back when the answer has left, the caller has gone away, or the server wants to close. */
  onClose(back: () => void): void;
};

/** A list is sent as so many headers of that name: an answer may set several cookies. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type Answer = {
  readonly status: number;
  readonly headers?: AnswerHeaders;
  /** An object is serialised by the route's schema; a string goes out as the JSON it is; a stream as it is. */
  readonly body?: unknown;
};

export type HttpOptions = {
  readonly log: Logger;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly newRequestId: () => string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
  /** Told of every answer: for metrics. */
  onAnswer?(route: string, method: string, status: number, seconds: number): void;
};

/** How long the server waits for others. */
export type Limits = {
  /** For all of a JSON body or a form, and for the rest of any body once the answer has left. */
  readonly bodyMs: number;
  /** For the next byte in either direction while a request or an answer is under way. */
  readonly silenceMs: number;
  /** For requests in flight when it closes. */
  readonly closeMs: number;
};

export type Http = {
  add(route: HttpRoute): void;
  /** Returns the port, which the system chooses where 0 is asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections and requests, lets those in flight finish for a while, then ends them. */
  close(): Promise<void>;
  /** The OpenAPI document of the routes added. */
  document(): Promise<unknown>;
};

const mebibyte = 1024 * 1024;
const jsonBodyBytesMax = 2 * mebibyte;
const headersTimeoutMs = 15_000;
const keepAliveMs = 75_000;
const acceptBacklog = 4096;
/** Longer than any name or id of ours. */
const paramLengthMax = 300;
const defaultLimits: Limits = { bodyMs: 30_000, silenceMs: 120_000, closeMs: 30_000 };
const lingerMs = 1_000;
const sweepEveryMs = 50;

/** An HTTP server whose every answer carries a Request-Id and whose every refusal is a problem document (RFC 9457). */
export function openHttp(options: HttpOptions): Http {
  const { log } = options;
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
    // Refused below, as a problem document.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramLengthMax },
    http: { headersTimeout: headersTimeoutMs, requireHostHeader: false },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(log, error, request, reply),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Parameters<typeof answerUnreadable>[1]) =>
      answerUnreadable(error, socket, options.newRequestId()),
  } as unknown as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  // An expectation that we do not know is left unmet, and the request answered.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.register(swagger, {
    openapi: { openapi: '3.1.0', ...options.document },
    transform: ({ schema, url, route }: { schema: object; url: string; route: { config?: RouteConfig } }) => ({
      schema: { ...schema, ...route.config?.document },
      url,
    }),
  } as never);
  fastify.setValidatorCompiler(({ schema, httpPart }) => validatorOf(schema as TSchema, httpPart ?? 'body'));
  fastify.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
  fastify.decorateRequest('admitted', undefined);
  fastify.decorateRequest('isAdmitted', false);

  const added: HttpRoute[] = [];
  const ends = new Set<() => void>();
  let isClosing = false;
  fastify.setNotFoundHandler((request, reply) => sendProblem(log, noSuchRoute(added, request), request, reply));
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isClosing) done(new Failure('unavailable', 'the service is stopping; ask another instance, or again shortly'));
    else if (request.is404) done(noSuchRoute(added, request));
    else done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
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
    async close() {
      isClosing = true;
      for (const end of ends) end();
      // A connection that was busy when closing began would otherwise be kept for a next request.
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

type RouteConfig = { readonly document?: Readonly<Record<string, unknown>> };
type Request = FastifyRequest<RouteGenericInterface> & { admitted?: unknown; isAdmitted?: boolean };

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
    // What it throws goes to the handler of all routes.
    errorHandler: async (error: unknown, request: Request) => {
      if (request.isAdmitted) await route.refuse?.(request.admitted, error);
      throw route.body === 'form' ? askForForm(error) : error;
    },
    ...(route.body === 'json' || route.body === 'form'
      ? {
          preParsing: (request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
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
      const answer = await route.handle(exchangeOf(request, reply, ends));
      reply.code(answer.status);
      if (answer.headers) tell(reply, answer.headers);
      if (answer.body instanceof Readable && request.method === 'HEAD') {
        answer.body.destroy();
        return reply.send();
      }
      if (answer.body === undefined) return reply.send();
      if (typeof answer.body === 'string' && !answer.headers?.['content-type'])
        reply.header('content-type', 'application/json; charset=utf-8').serializer(asIs);
      return reply.send(answer.body);
    },
  };
  fastify.route({ ...common, method: route.method, schema: schema as never, config: { document } as never });
  if (route.method === 'GET') fastify.route({ ...common, method: 'HEAD', schema: { ...schema, hide: true } as never });
}

const asIs = (body: unknown): string => body as string;

function headOf({ id, ip, method, url, headers }: FastifyRequest, reply: FastifyReply): Head {
  return { requestId: id, ip, method, url, headers, tell: (headers) => tell(reply, headers) };
}

/** Cookies are added to those set before; any other header replaces the one of its name. */
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
