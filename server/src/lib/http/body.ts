// Bodies of requests: what they must be, and how long they may take.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../failure.ts';
import { unkeepable } from './validate.ts';

type Done = (error: Error | null, value?: unknown) => void;

/** Reads bodies: JSON in UTF-8, of a sane depth, with text that can be kept. */
export function readJson(fastify: FastifyInstance) {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  return (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    const unreadable = unreadableText(request, bytes, 'malformed_json');
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

/** Where the text stops being JSON; undefined where it does not. */
function syntaxErrorOf(text: string): SyntaxError | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
  }
  return undefined;
}

/** Why a body that should be text cannot be read; null where it can. `reason` is told where it is not UTF-8. */
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
 * A body that drips in holds a connection for so long and no longer: `refuse` is told then, unless `endBodyTime` was
 * called.
 */
export function limitBodyTime(request: FastifyRequest, bodyMs: number, refuse: (late: Failure) => void): void {
  if (request.raw.complete) return;
  const late = () => refuse(new Failure('timeout', `the body did not arrive within ${bodyMs / 1000} seconds`));
  timers.set(request, setTimeout(late, bodyMs).unref());
}

/** The body has arrived, or nobody waits for it any more. */
export function endBodyTime(request: FastifyRequest): void {
  clearTimeout(timers.get(request));
}

/**
 * A caller who goes on sending after the answer has left is heard out for so long and no longer. Closing at once could
 * make the answer vanish unread: TCP resets a connection that is closed with bytes on their way to it.
 */
export function endUnreadBody(request: FastifyRequest, bodyMs: number): void {
  const { raw } = request;
  // What its handler left unread would stand before the next request of the connection.
  raw.resume();
  const timer = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, bodyMs);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}
