import type { Readable } from 'node:stream';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { Failure, type Problem } from '../failure.ts';
import { problemOf } from './problem.ts';

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
    /** What the API document says of it beside its schemas. */
    readonly document?: Readonly<Record<string, unknown>>;
  };
  /** `stream`: the body is handed on unread, without limit. */
  readonly body: 'json' | 'stream' | 'none';
  /** The answer is checked into shape by `schema.response` unless it is a string or a stream. */
  handle(exchange: Exchange): Promise<Answer>;
};

/** One request, as a handler sees it. */
export type Exchange = {
  readonly requestId: string;
  readonly ip: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly stream: Readable;
  /** Calls back when the caller goes away before the answer has left. */
  onClose(back: () => void): void;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is serialised by the route's schema; a string goes out as the JSON it is; a stream as it is. */
  readonly body?: unknown;
};

export type HttpOptions = {
  readonly log: Logger;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly newRequestId: () => string;
  readonly document: Readonly<Record<string, unknown>>;
  /** Told of every answer: for metrics. */
  onAnswer?(route: string, method: string, status: number, seconds: number): void;
};

export type Http = {
  add(route: HttpRoute): void;
  /** Returns the port, which the system chooses where 0 is asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Stops taking connections, lets requests in flight finish. */
  close(): Promise<void>;
  /** The OpenAPI document of the routes added. */
  document(): Promise<unknown>;
};

const mebibyte = 1024 * 1024;
const jsonBodyBytesMax = 2 * mebibyte;
const headersTimeoutMs = 15_000;
const bodyTimeoutMs = 30_000;
const idleTimeoutMs = 75_000;
const acceptBacklog = 4096;

/** An HTTP server whose every answer carries a Request-Id and whose every refusal is a problem document (RFC 9457). */
export function openHttp(options: HttpOptions): Http {
  const fastify = Fastify({
    loggerInstance: options.log,
    disableRequestLogging: true,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: jsonBodyBytesMax,
    requestIdHeader: false,
    genReqId: options.newRequestId,
    keepAliveTimeout: idleTimeoutMs,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    http: { headersTimeout: headersTimeoutMs },
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  fastify.register(swagger, { openapi: { openapi: '3.1.0', ...options.document } } as never);
  fastify.setValidatorCompiler(({ schema, httpPart }) => validatorOf(schema as TSchema, httpPart ?? 'body'));
  fastify.setErrorHandler((error, request, reply) => sendProblem(options.log, error, request, reply));
  fastify.setNotFoundHandler((request, reply) => {
    sendProblem(
      options.log,
      new Failure('not_found', `there is no ${request.method} ${pathOf(request)}`, { reason: 'route_not_found' }),
      request,
      reply,
    );
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    options.onAnswer?.(request.routeOptions.url ?? 'none', request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  // Not JSON and not a stream route: refused by the framework with its own code, before anything is read.
  const pending: HttpRoute[] = [];
  let isReady = false;
  const ready = async (): Promise<void> => {
    if (isReady) return;
    isReady = true;
    fastify.register(async (streams) => {
      streams.removeAllContentTypeParsers();
      streams.addContentTypeParser('*', (_request, _payload, done) => done(null));
      for (const route of pending) if (route.body === 'stream') addRoute(streams, route);
    });
    fastify.register(async (others) => {
      for (const route of pending) if (route.body !== 'stream') addRoute(others, route);
    });
    await fastify.ready();
  };
  return {
    add: (route) => void pending.push(route),
    async listen(port, host) {
      await ready();
      await fastify.listen({ port, host, backlog: acceptBacklog });
      const address = fastify.server.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    close: () => fastify.close(),
    async document() {
      await ready();
      return fastify.swagger();
    },
  };
}

function addRoute(fastify: FastifyInstance, route: HttpRoute): void {
  const { document, ...schema } = route.schema;
  fastify.route({
    method: route.method,
    url: route.path,
    schema: { ...document, ...schema } as never,
    ...(route.body === 'json' ? { onRequest: limitBodyTime, preValidation: bodyArrived } : {}),
    handler: async (request, reply) => {
      const answer = await route.handle(exchangeOf(request));
      reply.code(answer.status);
      if (answer.headers) reply.headers(answer.headers);
      if (answer.body === undefined) return reply.send();
      if (typeof answer.body === 'string' && !answer.headers?.['content-type'])
        reply.header('content-type', 'application/json; charset=utf-8').serializer(asIs);
      return reply.send(answer.body);
    },
  });
}

const asIs = (body: unknown): string => body as string;

function exchangeOf(request: FastifyRequest): Exchange {
  return {
    requestId: request.id,
    ip: request.ip,
    method: request.method,
    url: request.url,
    headers: request.headers,
    params: request.params,
    query: request.query,
    body: request.body,
    stream: request.raw,
    onClose: (back) => void request.raw.once('close', back),
  };
}

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** A body that drips in holds a connection for so long and no longer. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const length = Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? 1 : 0));
  if (length > 0) {
    const timer = setTimeout(() => {
      const late = new Failure('timeout', `the body did not arrive within ${bodyTimeoutMs / 1000} seconds`);
      sendProblem(null, late, request, reply.header('connection', 'close'));
      request.raw.socket.destroySoon();
    }, bodyTimeoutMs);
    timer.unref();
    timers.set(request, timer);
  }
  done();
}

function bodyArrived(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  clearTimeout(timers.get(request));
  done();
}

function sendProblem(log: Logger | null, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  clearTimeout(timers.get(request));
  const { problem, headers } = problemOf(error, request.id);
  if (problem.status === 500) log?.error({ err: error, request_id: request.id, path: pathOf(request) }, 'fault');
  reply
    .code(problem.status)
    .headers({ ...headers, 'content-type': 'application/problem+json; charset=utf-8' })
    .serializer(asIs)
    .send(JSON.stringify(problem));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0];
}

const problemsMax = 20;

/** Checks a part of a request; numbers and booleans of paths and queries are read from their text first. */
function validatorOf(schema: TSchema, part: string) {
  const validator = Compile(schema);
  return (data: unknown): { value: unknown } | { error: Error } => {
    const value = part === 'body' ? data : Value.Convert(schema, data ?? {});
    if (validator.Check(value)) return { value };
    const place = part === 'body' ? '' : `/${part === 'querystring' ? 'query' : part}`;
    const problems = pointersOf(validator.Errors(value) as Iterable<Told>, place);
    const first = problems[0];
    const failure = new Failure(
      part === 'body' ? 'invalid' : 'malformed',
      first ? `${first.at || 'the body'}: ${first.message}` : 'the request does not fit its schema',
      { problems, reason: 'schema_mismatch' },
    );
    return { error: failure };
  };
}

type Told = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** One problem per place and missing or unknown field, as JSON pointers. */
function pointersOf(errors: Iterable<Told>, place: string): Problem[] {
  const found = new Map<string, Problem>();
  const allowed = new Map<string, unknown[]>();
  const say = (at: string, message: string): void => {
    if (!found.has(at)) found.set(at, { at, message });
  };
  for (const { keyword, instancePath, message, params } of errors) {
    const at = `${place}${instancePath}`;
    if (keyword === 'boolean') continue;
    if (keyword === 'const') allowed.set(at, [...(allowed.get(at) ?? []), params.allowedValue]);
    else if (keyword === 'enum') say(at, `must be one of ${(params.allowedValues as unknown[]).join(', ')}`);
    else if (keyword === 'anyOf' && allowed.has(at)) say(at, `must be one of ${allowed.get(at)!.join(', ')}`);
    else if (keyword === 'required')
      for (const name of params.requiredProperties as string[]) say(`${at}/${name}`, 'is required');
    else if (keyword === 'additionalProperties')
      for (const name of params.additionalProperties as string[]) say(`${at}/${name}`, 'is not a field here');
    else say(at, message);
    if (found.size >= problemsMax) break;
  }
  return [...found.values()];
}
