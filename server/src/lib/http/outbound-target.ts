import { isIP } from 'node:net';
import type { LookUpAddresses } from '../dns/addresses.ts';
import { isInNetwork, type Network, readNetwork } from './networks.ts';
import { failed, type OutboundFailure, refused } from './outbound-failures.ts';
import { isPublicAddress } from './public-addresses.ts';

/** Where a request may go. */
export type Target = {
  readonly url: URL;
  /** The host of the URL, a name or an IP address without brackets. */
  readonly host: string;
  /** Its addresses, which were checked; at least one. */
  readonly addresses: readonly string[];
};

export type TargetOptions = {
  /** What is not public and may be reached all the same. */
  readonly privateNetworks: readonly Network[];
  readonly resolve: LookUpAddresses;
};

/**
 * Where a request may go without TLS: to the private networks of the options, to 127.0.0.1 and ::1 (which then may be
 * reached even where they are no private network; the other addresses of this machine may not), or nowhere.
 */
export type Plain = 'private networks' | 'this machine' | 'never';

const urlLengthMax = 2_048;
const hostLengthMax = 253;
/** Of all addresses of a name, so many are tried. */
const addressesMax = 8;

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

/**
 * Refuses what can be known not to be reachable without looking a name up: an address that is not well formed, not
 * public, or plain http where that may not be.
 */
export function checkUrl(given: string | URL, plain: Plain, { privateNetworks }: TargetOptions): URL {
  const url = readUrl(given);
  const host = hostOf(url);
  if (url.protocol === 'http:' && (plain === 'never' || (plain === 'private networks' && privateNetworks.length === 0)))
    throw mustBeHttps(url);
  if (isIP(host)) checkAddresses(url, [host], plain, privateNetworks);
  return url;
}

/** Looks up the addresses of a host, once, and refuses unless each may be reached. */
export async function findTarget(
  given: URL,
  plain: Plain,
  options: TargetOptions,
  signal: AbortSignal,
): Promise<Target> {
  const url = checkUrl(given, plain, options);
  const host = hostOf(url);
  if (isIP(host)) return { url, host, addresses: [host] };
  const addresses = await options.resolve(host, signal).catch((error) => {
    throw failed(url, 'dns_error', 'cannot be looked up at the moment', error);
  });
  checkAddresses(url, addresses, plain, options.privateNetworks);
  return { url, host, addresses: addresses.slice(0, addressesMax) };
}

function checkAddresses(
  url: URL,
  addresses: readonly string[],
  plain: Plain,
  privateNetworks: readonly Network[],
): void {
  const host = hostOf(url);
  const isPlain = url.protocol === 'http:';
  const isPrivate = (ip: string) => privateNetworks.some((network) => isInNetwork(ip, network));
  const isHere = (ip: string) => thisMachine.some((network) => isInNetwork(ip, network));
  const mayBePlain = plain === 'this machine' ? isHere : isPrivate;
  const isReachable = (ip: string) => isPublicAddress(ip) || isPrivate(ip) || (isPlain && mayBePlain(ip));
  // The same sentence about a name that is not there and one of the inside network.
  const none = `${host} has no address, or one that is not public`;
  if (addresses.length === 0) throw refused(none, 'dns_error');
  if (!addresses.every(isReachable)) throw refused(isIP(host) ? `${host} is not a public address` : none);
  if (isPlain && !addresses.every(mayBePlain)) throw mustBeHttps(url);
}

const thisMachine = ['127.0.0.1', '::1'].map((text) => readNetwork(text) as Network);

function mustBeHttps(url: URL): OutboundFailure {
  return refused(`the address of ${url.host} must begin with https://`);
}

/** The host without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
