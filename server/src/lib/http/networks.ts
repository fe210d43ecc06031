import { isIP } from 'node:net';

/** The addresses that begin with the same bits. */
export type Network = {
  readonly family: 4 | 6;
  /** How many bits they have in common: 0 to 32, or to 128. */
  readonly length: number;
  /** Those bits, as a number. */
  readonly prefix: bigint;
  /** In CIDR notation: `10.0.0.0/8`, `2001:db8::/32`. */
  readonly text: string;
};

type Address = { readonly family: 4 | 6; readonly bits: bigint };

const bitsOf = { 4: 32, 6: 128 } as const;
/** What the last 32 bits of an IPv6 address have before them when they are an IPv4 address (RFC 4291 §2.5.5.2). */
const mappedPrefix = 0xffffn;
const mappedBits = 96;

/**
 * Reads a network in CIDR notation (RFC 4632), or one address, which is a network of its own. `::ffff:` forms are the
 * IPv4 networks that they stand for. Returns what is wrong with a text that is neither, as the end of a sentence.
 */
export function readNetwork(text: string): Network | string {
  const [, address, said] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = address === undefined ? 0 : isIP(address);
  if (version === 0) return 'is neither an address nor a network such as 203.0.113.0/24 or 2001:db8::/32';
  const written = { family: version === 4 ? 4 : 6, bits: readBits(address!) } as const;
  const most = bitsOf[written.family];
  const length = said === undefined ? most : Number(said);
  if (length > most) return `has a length of more than ${most}`;
  const isMapped = unmapped(written) !== written && length >= mappedBits;
  const { family, bits } = isMapped ? unmapped(written) : written;
  const network = networkOf(family, bits, isMapped ? length - mappedBits : length);
  const isWhole = network.prefix << BigInt(bitsOf[family] - network.length) === bits;
  return isWhole ? network : `is an address within ${network.text}: write that, or the address alone`;
}

/**
 * Whether an address is in a network. A `::ffff:` form is the IPv4 address that it stands for; no other IPv4 address is
 * in a network of IPv6, or the other way round. False for what is no address.
 */
export function isInNetwork(ip: string, { family, length, prefix }: Network): boolean {
  const address = readAddress(ip);
  if (address === null || address.family !== family) return false;
  return address.bits >> BigInt(bitsOf[family] - length) === prefix;
}

function readAddress(ip: string): Address | null {
  // A zone says by which interface of this host the address is reached.
  const plain = ip.split('%', 1)[0];
  const version = isIP(plain);
  if (version === 0) return null;
  return unmapped({ family: version === 4 ? 4 : 6, bits: readBits(plain) });
}

/** The IPv4 address that a `::ffff:` form stands for; the same object for any other address. */
function unmapped(address: Address): Address {
  const { family, bits } = address;
  if (family === 4 || bits >> 32n !== mappedPrefix) return address;
  return { family: 4, bits: bits & 0xffffffffn };
}

function networkOf(family: 4 | 6, bits: bigint, length: number): Network {
  const rest = BigInt(bitsOf[family] - length);
  const prefix = bits >> rest;
  const first = prefix << rest;
  return { family, length, prefix, text: `${family === 4 ? dotted(first) : grouped(first)}/${length}` };
}

/** The bits of an address that `isIP` takes. */
function readBits(ip: string): bigint {
  if (!ip.includes(':')) return joined(ip.split('.').map(Number), 8n);
  const [before, after] = ip.split('::').map(groupsOf);
  if (after === undefined) return joined(before, 16n);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return joined([...before, ...zeros, ...after], 16n);
}

/** The groups of 16 bits of a part of an IPv6 address, whose last two may be written as IPv4. */
function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((bits, part) => (bits << width) | BigInt(part), 0n);
}

function dotted(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

/** The address with its longest run of zeros left out (RFC 5952). */
function grouped(bits: bigint): string {
  const shifts = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n];
  const written = shifts.map((shift) => ((bits >> shift) & 0xffffn).toString(16)).join(':');
  const runs = [...written.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const longest = runs.reduce<RegExpExecArray | null>((a, b) => (a && a[0].length >= b[0].length ? a : b), null);
  if (!longest) return written;
  const end = longest.index + longest[0].length;
  return `${written.slice(0, longest.index).replace(/:$/, '')}::${written.slice(end).replace(/^:/, '')}`;
}
