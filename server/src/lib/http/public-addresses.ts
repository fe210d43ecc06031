import { isInNetwork, type Network, readNetwork } from './networks.ts';

/**
 * Whether an IP address is of one host that anybody on the internet reaches by it. A `::ffff:` form is the IPv4 address
 * that it stands for. False for what is no address.
 */
export function isPublicAddress(ip: string): boolean {
  const isIn = (network: Network) => isInNetwork(ip, network);
  return unicast.some(isIn) && !special.some(isIn);
}

/** Of IPv6, IANA has given out nothing else: all other forms are local, translated, multicast or reserved. */
const unicast = ['0.0.0.0/0', '2000::/3'].map(known);

/**
 * All of IANA's registries of special-purpose addresses (RFC 6890) that lies in those, also what is reachable by
 * exception: nobody has a service of their own there. Beside them, what multicast and the future are for.
 */
const special = [
  // This host, private use, loopback, link-local, and between a carrier and its customers.
  ...['0.0.0.0/8', '10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  // Protocol assignments, documentation, benchmarks.
  ...['192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '198.18.0.0/15'],
  // AS112 (twice), multicast without multicast, relays of 6to4.
  ...['192.31.196.0/24', '192.175.48.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  // Multicast; reserved, with broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // In no registry: what a virtual machine in Azure reaches its host by.
  '168.63.129.16/32',
  // Protocol assignments with Teredo, documentation (twice), 6to4, AS112.
  ...['2001::/23', '2001:db8::/32', '3fff::/20', '2002::/16', '2620:4f:8000::/48'],
].map(known);

function known(text: string): Network {
  const network = readNetwork(text);
  if (typeof network === 'string') throw new Error(`${text} ${network}`);
  return network;
}
