// Bodies of requests: what they must be, and how long they may take to arrive.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../failure.ts';
import { beyondBounds } from './json-bounds.ts';
import { unkeepable } from './validate.ts';

type Done = (error: Error | null, value?: unknown) => void;

/** Returns a parser of JSON bodies: UTF-8, of limited depth and number of values, with text that databases accept. */
export function readJson(fastify: FastifyInstance) {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  return (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    const unreadable = unreadableText(request, bytes, 'malformed_json') ?? beyondBounds(bytes);
    if (unreadable) {
      done(unreadable);
      return;
    }
    const text = bytes.toString();
    parse(request, text, (error, value) => {
      if (error) done(error instanceof SyntaxError ? error : (syntaxErrorOf(text) ?? error));
      else done(unkeepable(value, text), value);
    });
  };
}

/** The syntax error of a text that is no JSON; undefined when it is JSON. */
function syntaxErrorOf(text: string): SyntaxError | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
  }
  return undefined;
}

/** Why a text body cannot be read; null when it can. A body that is not UTF-8 is refused with `reason`. */
export function unreadableText({ headers }: FastifyRequest, bytes: Buffer, reason?: string): Failure | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    return new Failure('unsupported_media_type', `the body must not be compressed, and came as ${encoding}`);
  return isUtf8(bytes)
    ? null
    : new Failure('malformed', 'the body is not UTF-8', reason === undefined ? {} : { reason });
}

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/**
 * Limits the time in which a body must arrive, so that a slow body cannot hold a connection for longer. Calls `refuse`
 * when the time is over, unless `endBodyTime` was called before.
 */
export function limitBodyTime(request: FastifyRequest, bodyMs: number, refuse: (late: Failure) => void): void {
  if (request.raw.complete) return;
  const late = () => refuse(new Failure('timeout', `the body did not arrive within ${bodyMs / 1000} seconds`));
  timers.set(request, setTimeout(late, bodyMs).unref());
}

/** Ends the time limit of `limitBodyTime`: the body has arrived, or the request was answered. */
export function endBodyTime(request: FastifyRequest): void {
  clearTimeout(timers.get(request));
}

/**
 * Reads and discards the rest of a body whose answer has been sent. Closes the connection if the body has not ended
 * after `bodyMs`. Closing at once could lose the answer: TCP resets a connection that is closed while bytes are on
 * their way to it.
 */
export function endUnreadBody(request: FastifyRequest, bodyMs: number): void {
  const { raw } = request;
  // Bytes left unread would precede the next request on the connection.
  raw.resume();
  const timer = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, bodyMs);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}
