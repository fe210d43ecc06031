import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../app.ts';

/** Most characters of the address of a webhook. */
export const urlLengthMax = 2_000;

/** Names and addresses of this machine itself, the only ones that http will do for. */
const here: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Ports below this are each of some service; those that speak HTTP are the exception. */
const wellKnownMax = 1_023;
const httpPorts: readonly number[] = [80, 443];
/** Databases, queues and consoles above that, which no request from inside should reach. */
const refusedPorts: readonly number[] = [
  ...[1433, 1521, 2049, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 5432, 5433, 5672, 5900, 5984, 5985, 5986],
  ...[6000, 6379, 6443, 6667, 7001, 8500, 9042, 9092, 9200, 9300, 10250, 11211, 15672, 27017, 27018, 50070],
];

/**
 * Checks the address that a customer names for a webhook, and returns it: https, or http to this machine where that is
 * allowed. What addresses a name has is seen at each request. Throws Failure 'outbound_refused'.
 */
export function readAddress({ outbound, webhooks }: Pick<App, 'outbound' | 'webhooks'>, text: string): string {
  const unfit = (message: string) =>
    refuse('outbound_refused', `url cannot be used: ${message}`, { problems: [{ at: '/url', message }] });
  try {
    outbound.check(text, webhooks.plain);
  } catch (error) {
    throw error instanceof Failure ? unfit(error.message) : error;
  }
  if (text.includes('#')) throw unfit('an address must not have a fragment, which is not sent');
  const { protocol, hostname, port: said } = new URL(text);
  if (protocol === 'http:' && !here.includes(hostname)) throw unfit('an address must begin with https://');
  const port = Number(said || (protocol === 'https:' ? 443 : 80));
  if ((port <= wellKnownMax && !httpPorts.includes(port)) || refusedPorts.includes(port))
    throw unfit(`the port ${port} is of another kind of service`);
  return text;
}
