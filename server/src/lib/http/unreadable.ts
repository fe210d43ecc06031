import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../failure.ts';
import { problemOf } from './problem.ts';

/** Bytes of the head of a request: its first line and its headers. */
export const headBytesMax = maxHeaderSize;

/** Errors of callers who hung up, or closed their side in the middle of a request: they get no answer. */
const unheard: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

/** Answers bytes that are no HTTP request, or an incomplete one, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  const { problem, headers } = problemOf(failureOf(error.code), requestId);
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `request-id: ${requestId}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (socket.writable && !unheard.has(error.code)) socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function failureOf(code: string | undefined): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Failure('timeout', 'the head of the request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure('headers_too_large', `the head of the request is larger than ${headBytesMax / 1024} kB`);
  return new Failure('malformed', 'this is no HTTP/1.1 request');
}
