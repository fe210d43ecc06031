/** A balancer of HTTP in front of several processes, as operators put there; test support. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export type Balancer = {
  readonly url: string;
  /** Whether requests go to the process at this address now. */
  isIn(address: string): boolean;
  close(): Promise<void>;
};

const probeEveryMs = 200;
const probeTimeoutMs = 2_000;
/** What it answers itself has this header: the request has reached no process, or was cut off there. */
const ownAnswer = { 'x-balancer': 'failed' };

/**
 * Hands each request to the next process that was ready when it was last asked, over connections that it keeps open. It
 * never sends a request twice: one that a process does not answer is answered 502.
 */
export async function startBalancer(addresses: readonly string[], port = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  let turn = 0;
  const probe = async (): Promise<void> => {
    await Promise.all(
      addresses.map(async (address) => {
        const signal = AbortSignal.timeout(probeTimeoutMs);
        // A connection of its own for each, since processes come and go at one address.
        const answer = await fetch(`${address}/readyz`, { signal, headers: { connection: 'close' } }).catch(() => null);
        await answer?.arrayBuffer();
        if (answer?.status === 200) ready.add(address);
        else ready.delete(address);
      }),
    );
  };
  await probe();
  let isOver = false;
  let timer: NodeJS.Timeout;
  const again = (): void => {
    timer = setTimeout(() => probe().finally(() => isOver || again()), probeEveryMs);
  };
  again();
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const next = [...ready];
    if (next.length === 0) return void answer.writeHead(503, ownAnswer).end();
    const address = next[turn++ % next.length];
    const { method, headers } = asked;
    const sent = request(`${address}${asked.url}`, { agent, method: method!, headers }, (got) => {
      // Who asked has hung up.
      if (answer.destroyed) return void got.destroy();
      const { connection, 'keep-alive': _, ...rest } = got.headers;
      answer.writeHead(got.statusCode!, { ...rest, 'x-answered-by': address });
      pipeline(got, answer, () => {});
    });
    sent.once('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502, ownAnswer).end()));
    pipeline(asked, sent, () => {});
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isIn: (address) => ready.has(address),
    async close() {
      isOver = true;
      clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
