/** A server of this machine that answers as a test says, badly for the most part; test support. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Lastro, type LastroOptions } from '../src/main.ts';

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** Answers the request that came as the so-manieth, from 0. */
type Answer = (asked: Asked, answer: ServerResponse, at: number) => void | Promise<void>;

export type LocalServer = {
  readonly url: string;
  readonly asked: Asked[];
  client(options?: LastroOptions): Lastro;
  close(): Promise<void>;
};

export async function openLocalServer(answers: Answer): Promise<LocalServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    asked.push(one);
    await answers(one, response, asked.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    client: (options = {}) => new Lastro({ baseUrl: url, apiKey: 'lst_test', ...options }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function sendJson(
  answer: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  answer.writeHead(status, { 'content-type': type, 'request-id': 'req_1', ...headers });
  answer.end(JSON.stringify(body));
}

/** Refuses as the service does. */
export function refuse(
  answer: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const problem = { type: `urn:lastro:error:${code}`, title: 'Refused', status, detail: `because of ${code}`, code };
  sendJson(answer, status, { ...problem, request_id: 'req_1', errors: [] }, headers);
}

/** Hangs up in the middle of whatever is being answered. */
export function hangUp(answer: ServerResponse): void {
  answer.socket!.destroy();
}
