import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Failure } from '../failure.ts';
import { isInNetwork, type Network } from './networks.ts';
import { errorCode, failed, refused } from './outbound-failures.ts';
import { isPublicAddress } from './public-addresses.ts';

/** Where a request may go. */
export type Target = {
  readonly url: URL;
  /** The host of the URL, a name or an IP address without brackets. */
  readonly host: string;
  /** All its addresses, which were checked; at least one. */
  readonly addresses: readonly string[];
};

export type TargetOptions = {
  /** What is not public and may be reached all the same. */
  readonly privateNetworks: readonly Network[];
  /** All addresses of a name; those that the system knows by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
};

const urlLengthMax = 2_048;
const hostLengthMax = 253;

/**
 * Reads an address as it must be written: stricter than browsers, which take backslashes, blanks and missing slashes
 * and so may see another host than whoever checked it. What is left of other spellings of a host, `new URL` settles.
 */
export function readUrl(given: string | URL): URL {
  const text = String(given);
  if (text.length > urlLengthMax) throw refused(`an address has at most ${urlLengthMax} characters`);
  const [, authority] = /^https?:\/\/([^\s\p{Cc}\\/?#]+)(?:[/?#][^\s\p{Cc}\\]*)?$/iu.exec(text) ?? [];
  // It may hold a password, so the message does not repeat it.
  if (authority?.includes('@')) throw refused('an address must not have a user name or password');
  if (authority === undefined || !URL.canParse(text))
    throw refused('an address must be written like https://idp.example.com/path');
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  const isHost = /^(\[[0-9a-f:]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/.test(url.hostname);
  if (!isHost || url.hostname.length > hostLengthMax) throw refused('the host of the address is no name and no IP');
  if (url.port === '0') throw refused('the port of an address is from 1 to 65535');
  return url;
}

/** Looks up the addresses of a host, once, and refuses unless each may be reached. */
export async function findTarget(url: URL, options: TargetOptions): Promise<Target> {
  const { privateNetworks, resolve = resolveBySystem } = options;
  const mustBeHttps = (): Failure => refused(`the address of ${url.host} must begin with https://`);
  if (url.protocol === 'http:' && privateNetworks.length === 0) throw mustBeHttps();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await lookUp(url, resolve);
  const isPrivate = (ip: string) => privateNetworks.some((network) => isInNetwork(ip, network));
  if (addresses.length === 0 || !addresses.every((ip) => isPublicAddress(ip) || isPrivate(ip)))
    // The same about a name that is not there, so that nobody learns which names the inside network has.
    throw refused(isIP(host) ? `${host} is not a public address` : `${host} has no address, or one that is not public`);
  if (url.protocol === 'http:' && !addresses.every(isPrivate)) throw mustBeHttps();
  return { url, host, addresses };
}

async function lookUp(url: URL, resolve: (host: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await resolve(url.hostname);
  } catch (error) {
    if (errorCode(error) === 'ENOTFOUND' || errorCode(error) === 'ENODATA') return [];
    throw failed(url, 'cannot be looked up at the moment', error);
  }
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
